"""`[[faults]]` of a case: equal to faults in Python, detected by modes, drawn in campaigns, refused if wrong."""

import numpy as np
import pytest

from polhode import scenarios, sim
from polhode.plant import InputError, WheelFault
from polhode.scenarios.case.campaigns.case_campaign import run_campaign
from polhode.scenarios.report.case_warnings import case_warnings

CASE = """\
title = "faults"
[plant]
inertia_kg_m2 = [40.0, 30.0, 20.0]
[[plant.elements]]
kind = "wheel-array"
axes = [[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [1.0, -1.0, 1.0]]
inertia_kg_m2 = 0.01
friction_N_m_s = 1e-4
torque_limit_N_m = 0.4
[initial]
attitude_deg = { sequence = "3-2-1", angles = [5.0, -3.0, 4.0] }
[reference]
attitude = [1.0, 0.0, 0.0, 0.0]
[controller]
kind = "lqr"
attitude_weight = 25.0
rate_weight = 1.0
effort_weight = 1.0
sample_s = 0.1
"""
RUN = """
[run]
duration_s = 20.0
integrator = "rk4"
step_s = 0.05
output_s = 0.1
seed = 1
"""
GYRO = """
[[sensors]]
kind = "gyro"
delay_s = 0.02
angle_random_walk_deg_sqrt_h = 0.0
"""
TRACKER = """
[[sensors]]
kind = "star-tracker"
noise_arcsec = 1.0
roll_noise_arcsec = 1.0
sample_s = 0.1
"""


@pytest.fixture
def flown(tmp_path):
    def fly(text, **more):
        path = tmp_path / "case.toml"
        path.write_text(CASE + text + RUN)
        return scenarios.run_case(path, **more)

    return fly


def fault(**keys):
    rows = [f"{name} = {value!r}" for name, value in keys.items()]
    return "\n".join(["", "[[faults]]", *rows, ""])


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"kind": "dead"}, {"kind": "dead"}),
        ({"kind": "reversed"}, {"kind": "weak", "share": -1.0}),
        ({"kind": "weak", "factor": 0.4, "to_s": 15.0}, {"kind": "weak", "share": 0.4, "stop": 15.0}),
        ({"kind": "stuck", "seizing_time_s": 0.5}, {"kind": "stuck", "seizing_time": 0.5}),
        ({"kind": "friction", "viscous_N_m_s": 0.002}, {"kind": "friction", "viscous": 0.002}),
        ({"kind": "friction", "coulomb_N_m": 0.003}, {"kind": "friction", "coulomb": 0.003}),
    ],
)
def test_wheel_fault_equals_that_in_python(flown, keys, expected):
    result = flown(fault(part="wheel_2", from_s=3.0, **keys))
    healthy = flown("")
    run = sim.simulate(
        healthy.problem.craft, healthy.problem.law, state=healthy.problem.state, reference=healthy.problem.reference,
        torques=[WheelFault(wheel="wheel_2", start=3.0, **expected)], duration=20.0, integrator="rk4", step=0.05,
        output_step=0.1,
    )  # fmt: skip
    np.testing.assert_array_equal(result.run.states, run.states)
    assert np.abs(result.run.states[-1] - healthy.run.states[-1]).max() > 1e-6
    assert result.run.counters["faults"] == 1


def test_sensor_fault_acts_on_what_the_law_reads(flown):
    """The delay of the sensor is kept: the fault acts on its output when that takes effect."""
    healthy = flown(GYRO).run
    biased = flown(GYRO + fault(part="gyro", kind="biased", bias_deg_s=[0.0, 0.0, 0.5], from_s=10.0)).run
    before = biased.t < 9.95
    np.testing.assert_allclose(biased.states[before], healthy.states[before], rtol=0, atol=1e-9)
    off = biased.values("rate_for_law")[150] - biased.values("rate_after_gyro")[150]
    np.testing.assert_allclose(off, np.radians((0.0, 0.0, 0.5)), atol=1e-15)
    frozen = flown(GYRO + fault(part="gyro", kind="frozen", from_s=2.0)).run
    after = frozen.t > 2.15
    assert np.ptp(frozen.values("rate_for_law")[after], axis=0).max() == 0.0
    assert np.ptp(frozen.values("rate")[after], axis=0).max() > 1e-4


def test_dropped_star_tracker_is_invalid_and_the_filter_goes_on(flown):
    filtered = GYRO.replace("sqrt_h = 0.0", "sqrt_h = 0.01\nrate_random_walk_deg_h_sqrt_h = 0.1").replace("0.02", "0.0")
    filtered += TRACKER + '[estimator]\nkind = "mekf"\nstart = "sensors"\nbias_sigma_deg_h = 1.0\n'
    run = flown(filtered + fault(part="star_tracker", kind="dropped", from_s=5.0, to_s=8.0)).run
    valid = run.values("star_tracker")[:, 4]
    lost = (run.t > 5.05) & (run.t < 7.95)
    assert not valid[lost].any()
    assert valid[run.t > 8.15].all()
    grown = np.linalg.norm(run.values("attitude_sigma"), axis=1)
    assert grown[79] > 1.2 * grown[49]


def test_modes_watch_health_signals(flown):
    modes = """
[[modes]]
name = "normal"
transitions = [{ to = "safe", when = { quantity = "wheel_2_health", below = 0.5 } }]
[[modes]]
name = "safe"
final = true
"""
    run = flown(modes + fault(part="wheel_2", kind="dead", from_s=5.0, detected_after_s=1.5)).run
    intervals = sim.mode_intervals(run)
    assert [each.mode for each in intervals] == ["normal", "safe"]
    assert intervals[1].start == pytest.approx(6.5, abs=1e-9)
    np.testing.assert_array_equal(run.values("wheel_2_health"), run.t < 6.45)


def test_command_faults(flown):
    run = flown(fault(part="command", kind="weak", factor=0.25, from_s=0.0)).run
    asked, obtained = (run.values(name) for name in ("command_of_law", "command"))
    np.testing.assert_allclose(obtained, 0.25 * asked, rtol=1e-12)
    dead = flown(fault(part="command", kind="dead", from_s=1.0)).run
    assert not dead.values("command")[11:].any()
    stuck = flown(fault(part="command", kind="stuck", from_s=1.0)).run
    np.testing.assert_array_equal(stuck.values("command")[12:], np.broadcast_to(stuck.values("command")[12], (189, 3)))


def test_thrusters_beside_wheels_fail_alone():
    told = ['faults=[{part="thrusters",kind="dead",from_s=5.0}]', "run.duration_s=20.0", "require=[]"]
    run = scenarios.run_case("thrusters-and-wheels", overrides=told).run
    assert np.abs(run.values("command_external")[:9]).max() > 0.0
    assert not run.values("command_external")[11:].any()


def test_campaign_draws_times_of_faults(tmp_path):
    path = tmp_path / "case.toml"
    drawn = """
[dispersions]
"faults.0.from_s" = { distribution = "uniform", low = 1.0, high = 15.0 }
"faults.0.factor" = { distribution = "uniform", low = -0.5, high = 0.5 }
"""
    path.write_text(CASE + fault(part="wheel_1", kind="weak", factor=0.2, from_s=5.0) + RUN + drawn)
    found = run_campaign(path, runs=4, workers=1).campaign
    for n in range(4):
        values = {key: found.dispersed[key][n] for key in ("faults.0.from_s", "faults.0.factor")}
        again = scenarios.run_case(path, overrides=[f"{key}={float(value)!r}" for key, value in values.items()])
        error = again.metrics["final_attitude_error_deg"].value
        assert found.metrics["final_attitude_error_deg"][n] == pytest.approx(error, rel=1e-12)
    assert len({*found.dispersed["faults.0.from_s"].tolist()}) == 4


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"part": "wheel_7", "kind": "dead"}, "wheel_4"),
        ({"part": "wheel_1", "kind": "frozen"}, "not a fault of 'wheel_1'"),
        ({"part": "rate", "kind": "dead"}, "not a fault of 'rate'"),
        ({"part": "magnetorquer_x", "kind": "reversed"}, r"those of \[plant.magnetorquers\], which the case does not"),
        ({"part": "wheel_1", "kind": "weak"}, "factor"),
        ({"part": "wheel_1", "kind": "dead", "factor": 0.5}, 'factor: belongs to kind = "weak"'),
        ({"part": "wheel_1", "kind": "friction"}, "viscous_N_m_s or coulomb_N_m"),
        ({"part": "rate", "kind": "biased"}, "one of bias, bias_deg and bias_deg_s"),
        ({"part": "rate", "kind": "biased", "bias_deg": [1.0, 0.0, 0.0]}, "not rad"),
        ({"part": "attitude", "kind": "biased", "bias_deg_s": [1.0, 0.0, 0.0]}, "not rad/s"),
        ({"part": "wheel_1", "kind": "dead", "to_s": 2.0}, "later than from_s"),
        ({"part": "wheel_1", "kind": "stuck", "seizing_time_s": 0.01}, "too long"),
        ({"part": "command_external", "kind": "dead"}, "command"),
    ],
)
def test_wrong_faults_name_their_key(flown, keys, message):
    with pytest.raises(InputError, match=message) as caught:
        flown(fault(**{"from_s": 3.0, **keys}))
    assert "faults" in str(caught.value) or "step" in str(caught.value)


def test_late_fault_is_warned_of(flown):
    result = flown(fault(part="wheel_1", kind="dead", from_s=30.0))
    assert any("never occurs" in each for each in case_warnings(result.loaded, result.run))
    assert "faults" not in result.run.counters
