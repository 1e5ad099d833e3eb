"""The case `pulsed-thrusters`, its propellant by hand, and the keys and faults of on-off thrusters."""

import numpy as np
import pytest

from polhode import scenarios
from polhode.plant import InputError

GRAVITY = 9.80665
SHORT = ["run.duration_s=30.0", "require=[]"]


def test_propellant_of_case_is_that_of_the_steady_torque():
    result = scenarios.run_case("pulsed-thrusters")
    run = result.run
    # from 1000 s on only the two opposing thrusters balance the steady torque about z, up to one pulse at either
    # end; limit cycles about x and y use the two directions equally
    late = run.values("thruster_on_time")[-1] - run.values("thruster_on_time")[1000]
    np.testing.assert_allclose(late[[1, 2]], 0.002 * 1000.0 / (2 * 0.5), atol=1.5 * 0.02)
    assert not late[[0, 3]].any()
    np.testing.assert_allclose(late[[4, 6, 8, 10]], late[[5, 7, 9, 11]], atol=1.5 * 0.02)
    on, total = run.values("thruster_on_time")[-1], run.values("propellant")[-1]
    assert total == pytest.approx(0.5 * on.sum() / (GRAVITY * 220.0), rel=1e-12)
    assert result.metrics["propellant_kg"].value == total
    assert result.metrics["propellant_per_day_kg"].value == pytest.approx(total * 43.2, rel=1e-12)
    assert result.metrics["thruster_on_time_s"].value == on.max()
    assert result.metrics["thruster_pulses"].value == run.values("thruster_pulses")[-1].sum()
    assert set(np.unique(run.values("command").round(12))) <= {-1.0, 0.0, 1.0}  # pairs of 0.5 N at 1 m
    assert np.abs(run.values("momentum_balance")).max() < 1e-9


def test_open_and_dead_thrusters_in_a_case():
    """Only thruster 1, open for two seconds: 1 N m s about z; if it is dead, its pair has half of the torque."""
    told = ['faults=[{part="thruster_1",kind="stuck",from_s=10.0,to_s=12.0}]', *SHORT]
    run = scenarios.run_case("pulsed-thrusters", overrides=told).run
    healthy = scenarios.run_case("pulsed-thrusters", overrides=SHORT).run
    assert run.values("thruster_on_time")[-1, 0] >= 2.0
    np.testing.assert_array_equal(run.values("command")[:10], healthy.values("command")[:10])
    assert any("thruster 1: open from 10 s to 12 s" in each for each in run.warnings)
    told = ['faults=[{part="thruster_1",kind="dead",from_s=0.0}]', *SHORT]
    half = scenarios.run_case("pulsed-thrusters", overrides=told).run
    assert 0.5 in np.unique(half.values("command")[:, 2].round(12))


def test_whole_thruster_torque_may_fail():
    told = ['faults=[{part="thrusters",kind="dead",from_s=5.0}]', *SHORT]
    run = scenarios.run_case("pulsed-thrusters", overrides=told).run
    assert not run.values("command")[7:].any()
    assert run.values("thruster_on_time")[-1].max() == run.values("thruster_on_time")[7].max()


def test_metrics_need_on_off_thrusters_and_a_specific_impulse():
    told = ["require=[]", "run.duration_s=30.0"]
    other = scenarios.run_case("thruster-limit-cycle", overrides=told).metrics
    assert "propellant_kg" not in other or not other["propellant_kg"].applies
    text = scenarios.load_case("pulsed-thrusters").text.replace("specific_impulse_s = 220.0\n", "")
    assert "specific_impulse_s" not in text


def test_ramps_delays_and_plumes_in_a_case():
    """Every pulse has the impulse F (t_on + (fall - rise)/2) of an open valve, times the plume factor."""
    told = [f"plant.thrusters.{key}" for key in (
        "rise_time_s=0.01", "fall_time_s=0.018", "valve_delay_s=0.02", "closing_delay_s=0.03", "plume_factor=0.9",
    )]  # fmt: skip
    run = scenarios.run_case("pulsed-thrusters", overrides=[*told, *SHORT, "torques=[]"]).run
    on, pulses = run.values("thruster_on_time")[-1], run.values("thruster_pulses")[-1]
    assert pulses.sum() > 10
    impulse = 0.5 * (on + pulses * 0.5 * (0.018 - 0.01))
    assert run.values("propellant")[-1] == pytest.approx(impulse.sum() / (GRAVITY * 220.0), rel=1e-9)
    healthy = scenarios.run_case("pulsed-thrusters", overrides=[*told[:-1], *SHORT, "torques=[]"]).run
    assert np.abs(run.values("command")).max() == pytest.approx(0.9 * np.abs(healthy.values("command")).max())


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ("plant.thrusters.valve_step_s=0.03", "multiple of the tick"),
        ("plant.thrusters.least_pulse_s=0.3", "longer than the period"),
        ("plant.thrusters.fires_at=1.5", "fires_at"),
        ("plant.thrusters.drops_at=0.9", "at most fires_at"),
        ("plant.thrusters.plume_factor=1.5", "plume_factor"),
        ("plant.thrusters.plume_factor=[0.5]", "plume_factor needs one number for each of the 12"),
        ("plant.thrusters.closing_delay_s=0.005", "multiple of the tick"),
        ('faults=[{part="thruster_13",kind="dead",from_s=0.0}]', "thruster_12"),
        ('faults=[{part="thruster_1",kind="reversed",from_s=0.0}]', "not a fault of 'thruster_1'"),
    ],
)
def test_wrong_keys_are_refused(told, message):
    with pytest.raises(InputError, match=message):
        scenarios.run_case("pulsed-thrusters", overrides=[told, *SHORT])
