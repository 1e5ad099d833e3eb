"""A body with only a torque in body axes: its rates, and steps of every explicit method."""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.plant.hub.dynamics import derivative, no_user_loads
from polhode.sim.engine.steppers.free_rates import free_derivative, is_free


@pytest.mark.parametrize("ledger", [False, True])
def test_free_rates_equal_general_rates(skew_body, ledger):
    craft = plant.Spacecraft(skew_body)
    p, u = craft.pack(ledger=ledger), np.array((0.1, -0.2, 0.3))
    x = np.concatenate(
        [craft.state(attitude=(0.1, 0.7, 0.5, 0.5), rate=(0.3, 2.0, -0.4)), np.zeros(4 if ledger else 0)]
    )
    wanted, found = np.zeros((2, x.size))
    derivative(0.0, x, u, p, wanted, no_user_loads, craft.work_space())
    free_derivative(x, u, p, found)
    np.testing.assert_array_equal(found, wanted)


def test_free_rates_exclude_loads_and_elements(skew_body):
    assert is_free(plant.Spacecraft(skew_body).pack())
    inertial = plant.TorqueBasis("inertial")
    gravity = plant.Spacecraft(
        plant.RigidBody((3, 2, 1), mass=5.0, pivot=(0, 0, 0.1)), potentials=[plant.UniformGravity((0, 0, -9.81))]
    )
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.01, friction=0.0, relative_rate=1.0)
    pulse = plant.TorquePulse((1.0, 0, 0), start=0.0, stop=1.0)
    for p in (
        plant.Spacecraft(skew_body, torques=inertial).pack(),
        gravity.pack(),
        plant.Spacecraft(skew_body, elements=[wheel]).pack(),
        plant.Spacecraft(skew_body, translation=True).pack(),
        plant.Spacecraft(skew_body).pack((pulse,)),
    ):
        assert not is_free(p)


@pytest.mark.parametrize("integrator", ["rk8", "dop853"])
@pytest.mark.parametrize("ledger", [False, True])
def test_steps_with_them_are_the_same_to_the_bit(skew_body, integrator, ledger):
    """A torque that never starts, or a moving mass centre, excludes a spacecraft from the fast path."""
    start = {"attitude": (0.6, 0.0, 0.8, 0.0), "rate": (0.1, -0.2, 0.3)}
    step = {"step": 0.33} if integrator == "rk8" else {}
    how = {**start, **step, "duration": 20.0, "output_step": 0.7, "integrator": integrator, "ledger": ledger}
    idle = plant.TorquePulse((1.0, 0.0, 0.0), start=30.0, stop=31.0)
    quick = sim.simulate(plant.Spacecraft(skew_body), **how)
    slow = sim.simulate(plant.Spacecraft(skew_body), torques=(idle,), **how)
    np.testing.assert_array_equal(slow.states, quick.states)
    assert slow.counters == quick.counters
    if integrator == "rk8":  # if the steps are independent of the motion
        moving = sim.simulate(plant.Spacecraft(skew_body, translation=True), **how)
        np.testing.assert_array_equal(moving.x[:, :7], quick.x)
