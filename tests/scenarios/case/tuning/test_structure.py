# pyright: reportOptionalMemberAccess=false, reportOptionalOperand=false, reportOptionalIterable=false
# pyright: reportGeneralTypeIssues=false
# (results that are None fail the test by themselves)
"""Tuned gains and matrices of a designed law: same loop at the start, Riccati cost, proof for every spacecraft."""

import numpy as np
import pytest
from scipy import linalg

from polhode.plant.errors import InputError
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.case.tuning import tune_case
from polhode.scenarios.case.tuning.structure import with_structure
from polhode.scenarios.case_run import run_problems

GAINS = "free=['controller.attitude_gain_N_m_rad', 'controller.rate_gain_N_m_s_rad']"
LQG = (
    "controller={kind='lqg', attitude_weight=25.0, rate_weight=1.0, effort_weight=1.0, sample_s=0.1,"
    " torque_noise_N_m_rtHz=0.01, attitude_noise_rad=1e-4, rate_noise_rad_s=1e-4,"
    " filters=[{kind='roll-off', frequency_rad_s=8.0}]}"
)


@pytest.mark.parametrize(
    ("structure", "controller"),
    [("state-feedback", ()), ("state-space", ()), ("state-space", (LQG,))],
)
def test_structure_keeps_the_loop(structure, controller):
    tune = f"tune={{structure='{structure}', free=['controller.D'], minimise='quadratic_cost'}}"
    before = load_case("slew-dispersed", (*controller, tune))
    after = with_structure(before)
    assert after.case.controller.kind == structure
    assert after.case.tune.cost.attitude_weight == 25.0
    poles = [build(each.case).law.closed_loop_poles() for each in (before, after)]
    first, second = (each[abs(each) > 1e-6] for each in poles)  # delayed commands are defective poles at zero
    assert len(first) == len(second)
    assert max(abs(second - pole).min() for pole in first) < 1e-9


@pytest.mark.parametrize(
    "keys",
    [
        "kind='lqi', integral_weight=1.0",
        "kind='lqr', delay_s=0.15",
        "kind='lqg', torque_noise_N_m_rtHz=0.01, attitude_noise_rad=1e-4, rate_noise_rad_s=1e-4",
    ],
)
def test_structure_keeps_the_saturated_run(keys):
    weights = "attitude_weight=25.0, rate_weight=1.0, effort_weight=1.0, sample_s=0.1, torque_limit_N_m=0.3"
    tune = "tune={structure='state-space', free=['controller.D'], minimise='delay_margin_s'}"
    before = load_case("slew-dispersed", (f"controller={{{keys}, {weights}}}", tune, "run.duration_s=60.0"))
    one, other, unbounded = run_problems(
        [
            build(each.case)
            for each in (
                before,
                with_structure(before),
                load_case(
                    "slew-dispersed",
                    (f"controller={{{keys}, {weights.replace('0.3', '1e9')}}}", tune, "run.duration_s=60.0"),
                ),
            )
        ]
    )
    assert np.array_equal(one.states, other.states)
    assert not np.allclose(one.states, unbounded.states, atol=1e-3)  # the limit acts in the run


@pytest.mark.parametrize(
    ("structure", "controller", "message"),
    [
        ("state-feedback", LQG, "needs a law that has no states, but lqg has 6"),
        ("state-space", "controller.kind='quaternion-feedback'", "needs a linear law of attitude and rate"),
    ],
)
def test_structure_refuses(structure, controller, message):
    if "quaternion" in controller:
        controller = "controller={kind='quaternion-feedback', frequency_rad_s=0.1, damping_ratio=0.9, sample_s=0.1}"
    tune = f"tune={{structure='{structure}', free=['controller.D'], minimise='delay_margin_s'}}"
    with pytest.raises(InputError, match=message):
        tune_case("slew-dispersed", overrides=(controller, tune))


@pytest.mark.slow
def test_tuned_gains_reach_the_cost_of_the_riccati_equation():
    """From gains 30 % and 20 % off: the sum over the axes of sample x P[attitude, attitude], to 1e-6."""
    h, J = 0.1, np.array((400.0, 307.8, 200.0))
    best = 0.0
    for moment in J:
        F, G = np.array([[1.0, h], [0.0, 1.0]]), np.array([[0.5 * h * h], [h]]) / moment
        best += h * linalg.solve_discrete_are(F, G, np.diag((25.0, 1.0)), np.eye(1))[0, 0]
    law = (
        "controller={kind='state-feedback', attitude_gain_N_m_rad=[6.4, 6.4, 6.4],"
        " rate_gain_N_m_s_rad=[50.6, 44.4, 35.8], sample_s=0.1}"
    )
    cost = "cost={attitude_weight=25.0, rate_weight=1.0, effort_weight=1.0}"
    found = tune_case(
        "slew-dispersed", overrides=(law, f"tune={{{GAINS}, minimise='quadratic_cost', starts=1, {cost}}}")
    )
    _, before, after = found.soft
    assert before > 1.01 * best
    assert after == pytest.approx(best, rel=1e-6)
