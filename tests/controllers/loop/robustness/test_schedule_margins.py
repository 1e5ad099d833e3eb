# pyright: reportOptionalMemberAccess=false, reportOptionalOperand=false, reportOperatorIssue=false
# (results that are None fail the test by themselves)
"""Margins between the points of a gain schedule: bound below a dense grid, instability between stable points."""

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.plant.errors import DesignError, InputError

CRAFT = plant.Spacecraft(plant.RigidBody((4.0, 5.0, 6.0)))


def model_at(spin):
    return CRAFT.linearize(CRAFT.spinning((0.0, 0.0, spin)))


def model_with(scale):
    craft = plant.Spacecraft(plant.RigidBody(np.array((4.0, 5.0, 6.0)) * scale))
    return craft.linearize(craft.at_rest())


@pytest.mark.slow
def test_bound_is_below_every_margin_of_a_dense_grid():
    """A law for the light spacecraft and one for the heavy: between them, gain and inertia grow at different rates."""
    margin = "disk_margin_inputs"
    laws = [
        controllers.lqr(model_with(s), attitude=4.0, rate=1.0, effort=1.0, sample=0.5, delay=0.2) for s in (1.0, 4.0)
    ]
    schedule = controllers.GainSchedule(laws, (1.0, 4.0), variable="parameter", parameter=1.0)
    (found,) = controllers.schedule_margins(schedule, model_with, margin=margin, samples=5, within=0.04)
    grid = [controllers.loop_margin(schedule.held(s).loop(model_with(s)), margin) for s in np.linspace(1.0, 4.0, 21)]
    assert found.stable
    assert found.bound.value <= min(grid) * (1.0 + 1e-9)
    assert found.bound.value >= 0.95 * min(grid)
    assert found.worst == pytest.approx(min(grid), rel=2e-3)
    assert (found.at_low, found.at_high) == pytest.approx((grid[0], grid[-1]))


def test_unstable_loop_between_stable_points_is_found():
    """Equal laws with states of opposite sign: B and C vanish half-way, and the spin about the middle axis diverges."""
    spin = CRAFT.linearize(CRAFT.spinning((0.0, 0.5, 0.0)))
    gain = -np.hstack((4.0 * np.eye(3), 8.0 * np.eye(3)))
    laws = [
        controllers.LinearFeedback(
            controllers.Compensator(
                A=np.zeros((3, 3)), B=sign * gain, C=sign * np.eye(3), D=np.zeros((3, 6)), tracking=np.zeros((3, 3))
            ),
            spin,
            sample=0.1,
        )
        for sign in (1.0, -1.0)
    ]
    first, second = (law.closed_loop_poles() for law in laws)
    np.testing.assert_allclose(first, second, rtol=1e-12)
    assert abs(first[0]) < 0.96
    schedule = controllers.GainSchedule(laws, (0.0, 1.0), variable="parameter", parameter=0.0)
    (found,) = controllers.schedule_margins(schedule, lambda _: spin, samples=5)
    assert not found.stable
    assert found.worst == -np.inf
    assert found.worst_at == 0.5
    assert found.bound is None
    assert found.no_bound == "the loop at 0.5 is not stable"
    with pytest.raises(DesignError, match="at the centre of the parameter bounds is not stable"):
        controllers.robust_margin_bound(
            lambda x: schedule.held(0.5 + 0.5 * x[0]).loop(spin), numbers=1, margin="disk_margin_inputs", found=0.5
        )


def test_every_interval_over_spin_has_a_bound():
    spins = (0.1, 0.3, 0.9)
    laws = [controllers.lqr(model_at(s), attitude=1.0, rate=1.0, effort=1.0, sample=0.1) for s in spins]
    schedule = controllers.GainSchedule(laws, spins)
    found = controllers.schedule_margins(schedule, model_at, samples=5)
    assert [(each.low, each.high) for each in found] == [(0.1, 0.3), (0.3, 0.9)]
    for each in found:
        between = [controllers.loop_margin(schedule.loop(model_at(s)), "disk_margin_inputs")
                   for s in np.linspace(each.low, each.high, 7)]  # fmt: skip
        assert 0.97 * min(between) < each.bound.value <= min(between)


def test_model_about_another_motion_is_refused():
    laws = [controllers.lqr(model_at(s), attitude=1.0, rate=1.0, effort=1.0, sample=0.1) for s in (0.1, 0.3)]
    schedule = controllers.GainSchedule(laws, (0.1, 0.3))
    with pytest.raises(InputError, match=r"model_at\(0.1\) has a rate of 0 rad/s at its operating point"):
        controllers.schedule_margins(schedule, lambda _: model_with(1.0))
    with pytest.raises(InputError, match="samples must be 3 or more"):
        controllers.schedule_margins(schedule, model_at, samples=2)
