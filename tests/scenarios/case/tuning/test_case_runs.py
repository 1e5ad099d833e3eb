# pyright: reportOptionalMemberAccess=false, reportOptionalOperand=false, reportOptionalIterable=false
# pyright: reportOptionalSubscript=false, reportOperatorIssue=false, reportGeneralTypeIssues=false
# (results that are None fail the test by themselves)
"""Requirements on the run as goals of `polhode tune`: values by `run_case`, conflicts, metrics that nothing changes."""

import numpy as np
import pytest

from polhode.controllers.designs.tuning.point import Point
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.case.tuning import trade_off, tune_case
from polhode.scenarios.case.tuning.case_loops import CaseLoops
from polhode.scenarios.case.tuning.case_runs import CaseRuns
from polhode.scenarios.case.tuning.free_parameters import free_parameters
from polhode.scenarios.case_run import run_case

RATE = "tune={free=[{key='controller.rate_weight', low=0.1, high=1e4}], starts=1}"


def overshoot(weight):
    found = run_case("slew-lqr", overrides=(f"controller.rate_weight={weight!r}",))
    return found.metrics["overshoot_deg"].value


def test_run_gradient_matches_extrapolated_differences():
    """Differences of whole runs with steps of 4e-3, 2e-3 and 1e-3, extrapolated to order six, for a run that is not
    saturated."""
    bounds = {"overshoot_deg": 2.0, "effort_N2_m2_s": 50.0, "peak_rate_deg_s": 1.0}
    require = ", ".join(f"{{metric='{name}', max={bound}}}" for name, bound in bounds.items())
    loaded = load_case("tuned-flexible", (f"require=[{require}]",))
    parameters = free_parameters(loaded, loaded.case.tune)
    runs, x = CaseRuns(CaseLoops(loaded, parameters)), parameters.start
    assert [each.name for each in runs.goals] == list(bounds)
    for each in runs.goals:
        _, gradient = each.goal.rows(Point(x, []), 0, gradients=True)[0]

        def difference(h, name=each.name, bound=each.goal.bound):
            found = runs.metrics([x + sign * h * e for e in np.eye(len(x)) for sign in (1.0, -1.0)])
            values = np.array([metrics[name] for metrics in found])
            return (values[0::2] - values[1::2]) / (2.0 * h * bound)

        coarse, middle, fine = (difference(h) for h in (4e-3, 2e-3, 1e-3))
        expected = (16.0 * (4.0 * fine - middle) / 3.0 - (4.0 * middle - coarse) / 3.0) / 15.0
        np.testing.assert_allclose(gradient, expected, rtol=0.0, atol=1e-6 * np.abs(expected).max())


@pytest.mark.slow
def test_tune_changes_parameter_until_run_just_meets_overshoot():
    """The torque saturates, so the linear loop does not contain the overshoot; a weight 1 % smaller misses it."""
    require = "require=[{metric='overshoot_deg', max=1.5}]"
    found = tune_case("slew-lqr", overrides=(require, RATE))
    weight = found.values[0]["after"]
    assert found.run_stage
    assert found.tuned.met
    assert overshoot(1.0) > 2.0
    assert overshoot(weight) <= 1.5 < overshoot(0.99 * weight)


@pytest.mark.slow
def test_tune_names_conflict_of_run_and_metric_that_nothing_changes(polhode):
    """Fast settling against small overshoot of a saturated slew; the peak torque is its limit for every weight."""
    require = "require=[{metric='settling_time_s', max=60.0}, {metric='overshoot_deg', max=1.0}]"
    tune = "tune={free=['controller.attitude_weight', 'controller.rate_weight'], starts=1}"
    outcome = polhode("tune", "slew-lqr", "--json", "--set", require, "--set", tune)
    assert outcome.code == 1
    assert set(outcome.json["run_active"]) <= {"settling_time_s", "overshoot_deg"}
    assert outcome.json["run_active"]
    assert "requirement not met" in outcome.err
    outcome = polhode("tune", "slew-lqr", "--set", "require=[{metric='peak_torque_N_m', max=0.5}]", "--set", RATE)
    assert outcome.code == 1
    assert "no free parameter changes peak_torque_N_m at the end of the search; free a different key" in outcome.err


def test_requirement_on_the_run_that_is_no_goal_is_missed():
    """A bound of zero is none to search with, and a run of 5 s has no settling time."""
    require = "require=[{metric='overshoot_deg', max=2.1}, {metric='peak_torque_N_m', max=0.0}]"
    found = tune_case("slew-lqr", overrides=(require, RATE))
    assert not found.met
    assert found.to_dict()["run_missed"] == ["peak_torque_N_m"]
    require = "require=[{metric='settling_time_s', max=60.0}, {metric='gain_margin_dB', min=6.0}]"
    tune = RATE.replace("starts=1", "starts=1, minimise='quadratic_cost'")
    overrides = (require, tune, "run.duration_s=5.0")
    curve = trade_off("slew-lqr", "gain_margin_dB", points=3, overrides=overrides)
    assert not curve.met
    assert len(curve.points) == 3


def test_tune_leaves_parameters_whose_run_meets_requirements():
    found = tune_case("slew-lqr", overrides=("require=[{metric='overshoot_deg', max=2.1}]", RATE))
    assert not found.run_stage
    assert found.values[0]["after"] == found.values[0]["before"]


@pytest.mark.slow
def test_tuned_flexible_doubles_disk_margin_at_allowed_settling_time():
    """The linear stage alone gives a law that does not settle; the run is then the active goal."""
    found = tune_case("tuned-flexible")
    metric, before, after = found.soft
    assert metric == "disk_margin_inputs"
    assert after > 1.9 * before
    assert found.run_active == ("settling_time_s",)
    sets = [f"{key}={value!r}" for key, value in found.parameters.by_key(found.tuned.x).items()]
    metrics = run_case("tuned-flexible", overrides=sets).metrics
    assert metrics["settling_time_s"].value == pytest.approx(40.0, rel=1e-4)
    assert metrics["settling_time_s"].value <= 40.0
    assert metrics["phase_margin_deg"].value >= 30.0
