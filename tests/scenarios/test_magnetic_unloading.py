"""The case `magnetic-unloading`, and the keys of its magnetorquers."""

import numpy as np
import pytest

from polhode import scenarios
from polhode.plant import InputError
from polhode.scenarios.report.torque_budget import budget_of

ORBIT = "run.duration_s=5700.0"


def test_case_unloads_its_wheels():
    run = scenarios.run_case("magnetic-unloading").run
    momentum = np.linalg.norm(run.values("inertial_momentum"), axis=1)
    assert momentum[0] == pytest.approx(8.86e-3, rel=1e-3)
    assert momentum[285] < 0.25 * momentum[0]
    assert momentum[-1] < 0.02 * momentum[0]
    assert np.abs(run.values("internal_rate")[-1]).max() < 7.0
    assert np.abs(run.values("momentum_balance")).max() < 1e-12 * momentum[0]


def test_momentum_stays_without_gain_and_goes_to_target():
    """Without gain only the environment changes it; with a target it converges to the target."""
    told = ["plant.magnetorquers.gain_1_s=0.0", ORBIT, "require=[]"]
    free = np.linalg.norm(
        scenarios.run_case("magnetic-unloading", overrides=told).run.values("inertial_momentum"), axis=1
    )
    assert abs(free[-1] - free[0]) < 4e-4
    told = ["plant.magnetorquers.momentum_N_m_s=[0.006,-0.005,0.004]", ORBIT, "require=[]"]
    kept = scenarios.run_case("magnetic-unloading", overrides=told).run.values("momentum")
    np.testing.assert_allclose(kept[-1], (0.006, -0.005, 0.004), atol=4e-4)


def test_unloading_stops_at_the_deadband():
    """The excess over 4e-3 N m s decays like the whole momentum without a deadband; the environment adds some."""
    told = ["plant.magnetorquers.deadband_N_m_s=0.004", ORBIT, "require=[]"]
    momentum = np.linalg.norm(
        scenarios.run_case("magnetic-unloading", overrides=told).run.values("inertial_momentum"), axis=1
    )
    assert momentum[0] > 0.008
    assert 0.0036 < momentum[-1] < 0.0055


def test_torque_budget_adds_up_to_the_change_of_momentum():
    told = ["run.duration_s=3000.0", "require=[]"]
    run = scenarios.run_case("magnetic-unloading", overrides=told).run
    budget = budget_of(run)
    assert budget is not None
    assert "magnetic unloading" in budget.sources
    momentum = run.values("inertial_momentum")
    change = momentum[-1] - momentum[0]
    np.testing.assert_allclose(budget.momentum.sum(axis=0), change, atol=1e-3 * np.abs(change).max())


def test_torquers_of_wrong_polarity_add_momentum():
    faults = ",".join(f'{{part="magnetorquer_{axis}",kind="reversed",from_s=0.0}}' for axis in "xyz")
    told = [f"faults=[{faults}]", "run.duration_s=3000.0", "require=[]"]
    run = scenarios.run_case("magnetic-unloading", overrides=told).run
    momentum = np.linalg.norm(run.values("inertial_momentum"), axis=1)
    assert momentum[-1] > 1.3 * momentum[0]
    assert run.counters["faults"] == 3


def test_duty_lowers_the_largest_torque():
    """At the limit on every axis: half the duty gives half the torque."""
    told = ["plant.magnetorquers.gain_1_s=1e3", "plant.magnetorquers.dipole_limit_A_m2=0.002", "run.duration_s=1.0"]
    peaks = [
        scenarios.run_case("magnetic-unloading", overrides=[*told, f"plant.magnetorquers.duty={duty}", "require=[]"])
        .metrics["peak_magnetic_unloading_torque_N_m"].value
        for duty in (1.0, 0.5)
    ]  # fmt: skip
    full, half = (float(peak or 0.0) for peak in peaks)
    assert half == pytest.approx(0.5 * full, rel=1e-3)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (['plant.magnetorquers={law="unloading",dipole_limit_A_m2=0.2}'], "gain_1_s"),
        (['plant.magnetorquers={law="b-dot",gain_1_s=1.0,dipole_limit_A_m2=0.2}'], "gain_A_m2_s_T"),
        (["plant.magnetorquers.gain_A_m2_s_T=1.0"], 'belongs to law = "b-dot", but the law is "unloading"'),
        (["plant.magnetorquers.duty=1.5"], "duty"),
        (
            ['plant.magnetorquers={law="b-dot",gain_A_m2_s_T=1.0,deadband_N_m_s=0.1,dipole_limit_A_m2=0.2}'],
            'deadband_N_m_s: belongs to law = "unloading", but the law is "b-dot"',
        ),
    ],
)
def test_wrong_keys_are_refused(told, message):
    with pytest.raises(InputError, match=message):
        scenarios.run_case("magnetic-unloading", overrides=[*told, ORBIT, "require=[]"])
