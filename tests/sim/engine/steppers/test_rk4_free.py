"""Steps in registers are bitwise equal to steps through arrays."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.hub.dynamics import no_user_loads
from polhode.sim.engine.steppers.rk4 import rk4_step
from polhode.sim.engine.steppers.rk4_free import rk4_free_steps
from polhode.sim.engine.steppers.sphere import project

BASIS = plant.TorqueBasis("body", limit=0.4)


def run(body, *, sampled, **more):
    """A slew, or a motion without a law, with steps that divide neither sample nor output interval."""
    translation = more.pop("translation", False)
    craft = plant.Spacecraft(body, torques=BASIS, translation=translation)
    model = plant.Spacecraft(body, torques=BASIS)
    law = None
    if sampled:
        linear = model.linearize(model.at_rest())
        law = controllers.lqr(linear, attitude=9.0, rate=1.0, effort=1.0, sample=0.1, delay=0.03)
    more.setdefault("output_step", 0.07)
    return sim.simulate(
        craft, law, attitude=(0.6, 0.0, 0.8, 0.0), rate=(0.1, -0.2, 0.3), duration=20.0, integrator="rk4", step=0.033,
        **more,
    )  # fmt: skip


@pytest.mark.parametrize("sampled", [False, True])
def test_quick_way_is_same_to_bit(skew_body, sampled):
    quick = run(skew_body, sampled=sampled, ledger=False)
    with_ledger = run(skew_body, sampled=sampled, ledger=True)
    # a torque that never starts, or a moving mass centre, excludes a plant from the fast path
    idle = plant.TorquePulse((1.0, 0.0, 0.0), start=30.0, stop=31.0)
    slow = run(skew_body, sampled=sampled, ledger=True, torques=(idle,))
    moving = run(skew_body, sampled=sampled, ledger=False, translation=True)
    np.testing.assert_array_equal(with_ledger.x, quick.x)
    np.testing.assert_array_equal(slow.x, quick.x)
    np.testing.assert_array_equal(moving.x[:, :7], quick.x)
    np.testing.assert_array_equal(slow.states, with_ledger.states)  # including the ledger
    counters = quick.counters
    assert counters == with_ledger.counters == slow.counters == moving.counters
    assert quick.counters["norm_drift_per_step"] > 0.0


@pytest.mark.parametrize("ledger", [False, True])
def test_kernels_agree_in_plain_python(skew_body, ledger):
    craft = plant.Spacecraft(skew_body)
    p = craft.pack(ledger=ledger)
    x = np.concatenate([craft.state(rate=(0.3, 2.0, -0.4)), np.zeros(4 if ledger else 0)])
    u = np.array((0.1, -0.2, 0.3))
    quick = x.copy()
    drift = rk4_free_steps(ledger, 0.1, 5, quick, u, p)
    worst = 0.0
    y, k1, k2, k3, k4 = np.zeros((5, x.size))
    w = craft.work_space()
    for n in range(5):
        rk4_step(0.1 * n, 0.1, x, u, p, no_user_loads, w, y, k1, k2, k3, k4)
        worst = max(worst, abs(project(y)))
        x[:] = y
    np.testing.assert_array_equal(quick, x)
    assert drift == worst > 0.0


def test_step_that_fails_leaves_state_alone(skew_body):
    craft = plant.Spacecraft(skew_body)
    x = craft.state(rate=(1e9, 1.0, 1e9))
    before = x.copy()
    with np.errstate(all="ignore"):
        drift = rk4_free_steps(False, 1.0, 5, x, np.zeros(3), craft.pack())
    assert np.isnan(drift)
    np.testing.assert_array_equal(x, before)


def test_many_small_steps_have_no_rounding_bias():
    # a ball at a constant rate, 1e-9 rad per step; with a factor close to 1 half of them had errors of 1e-12
    ball, rng = plant.Spacecraft(plant.RigidBody((2.0, 2.0, 2.0))), np.random.default_rng(4)
    off = []
    for _ in range(9):
        e, axis = rng.standard_normal(4), rng.standard_normal(3)
        e, axis = e / np.linalg.norm(e), axis / np.linalg.norm(axis)
        flown = sim.simulate(
            ball, attitude=e, rate=1e-8 * axis, duration=20_000.0, integrator="rk4", step=0.1, output_times=[20_000.0],
            ledger=False,
        )  # fmt: skip
        turned = np.concatenate([[np.cos(1e-4)], np.sin(1e-4) * axis])
        left = np.array([[e[0], -e[1], -e[2], -e[3]], [e[1], e[0], -e[3], e[2]], [e[2], e[3], e[0], -e[1]],
                         [e[3], -e[2], e[1], e[0]]])  # fmt: skip
        off.append(np.abs(flown.values("attitude")[-1] - left @ turned).max())
    assert np.median(off) < 1e-13
