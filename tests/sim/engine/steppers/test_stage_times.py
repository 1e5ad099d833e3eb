"""A step evaluates a load that jumps at a breakpoint on its own side of the jump."""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.sim.engine.steppers.stage_times import close_to, stage_times

SCHEMES = [{"integrator": "rk4", "step": 0.25}, {"integrator": "rk8", "step": 0.25}, {"rtol": 1e-10}]


def until_with(t, e, omega, c, v):
    return (1.0 if t <= 1.3 else 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def until_without(t, e, omega, c, v):
    return (1.0 if t < 1.3 else 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def after_with(t, e, omega, c, v):
    return (1.0 if t >= 1.3 else 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.mark.thinned(4)
@pytest.mark.parametrize("scheme", SCHEMES, ids=["rk4", "rk8", "dop853"])
@pytest.mark.parametrize(
    ("effort", "impulse"), [(until_with, 1.3), (until_without, 1.3), (after_with, 0.7)], ids=lambda f: str(f)[:20]
)
def test_effort_that_jumps_gives_its_whole_impulse(scheme, effort, impulse):
    # One principal axis: the momentum is the integral of the torque. A stage on the wrong side of the jump would
    # cost a sixth of a step (0.04) with rk4, and dozens of rejected steps with dop853.
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)), user_forces=[plant.UserForce(effort, breakpoints=(1.3,))])
    run = sim.simulate(craft, duration=2.0, output_times=[2.0], **scheme)
    assert run.values("momentum")[-1, 0] == pytest.approx(impulse, abs=1e-14)  # sum of a dozen steps near 1
    assert run.counters["rejected_steps"] == 0


@pytest.mark.parametrize("t", [0.0, 0.3, 1e4, 1e9])
@pytest.mark.parametrize("h", [1e-6, 0.1, 50.0])
def test_stage_times_lie_inside_by_a_hair(t, h):
    first, last = stage_times(t, h)
    assert t < first < last < t + h
    margin = max(3.0 * close_to(t + h), 4e-16 * t)
    if h > 8.0 * close_to(t + h):
        assert first - t <= margin
        assert t + h - last <= margin
        assert first - t >= close_to(t)  # beyond the distance at which times are merged with a breakpoint
    assert np.isfinite((first, last)).all()
