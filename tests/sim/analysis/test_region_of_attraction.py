"""Settling times against closed forms on one axis."""

import numpy as np
import pytest
from scipy.optimize import brentq

from polhode import controllers, plant, sim


@pytest.fixture(scope="module")
def craft():
    return plant.Spacecraft(plant.RigidBody((100.0, 80.0, 60.0)), torques=plant.TorqueBasis("body", limit=1.0))


def law_for(craft):
    return controllers.quaternion_feedback(craft, frequency=0.2, damping_ratio=1.0, sample=0.02)


def test_settling_of_a_critically_damped_axis():
    """theta = theta0 (1 + wn t) exp(-wn t) for small angles without limits: the time at which it enters the band."""
    craft = plant.Spacecraft(plant.RigidBody((100.0, 80.0, 60.0)))
    found = sim.region_of_attraction(
        craft, law_for(craft), angles=(0.01, 0.02), rates=(0.0,), duration=60.0, axis=(0, 1, 0), band=0.001
    )
    exact = np.array([brentq(lambda x, s=s: s * (1 + x) * np.exp(-x) - 0.001, 0.1, 50.0) for s in (0.01, 0.02)]) / 0.2
    np.testing.assert_allclose(found.settling_time[:, 0, 0], exact, atol=60.0 / 500.0 + 0.05)


def test_region_of_attraction_excludes_rates_beyond_the_torque(craft):
    """J w / limit is the shortest time to stop about one axis: 100 kg m^2 x 0.5 rad/s / 1 N m = 50 s."""
    rates = np.array([0.05, 0.5, 1.0])
    found = sim.region_of_attraction(
        craft, law_for(craft), angles=(0.1,), rates=rates, duration=45.0, axis=(1, 0, 0), band=0.02
    )
    assert found.converged[0].tolist() == [1.0, 0.0, 0.0]
    longer = sim.region_of_attraction(
        craft, law_for(craft), angles=(0.1,), rates=rates, duration=400.0, axis=(1, 0, 0), band=0.02
    )
    assert longer.converged[0].tolist() == [1.0, 1.0, 1.0]
    assert (longer.slowest[0] > 100.0 * rates).all()


def test_bound_that_law_does_not_have(craft):
    """A spring without damping never settles; the same law with damping does, from every attitude."""

    def spring(t, y, r):
        return -8.0 * np.sign(y[3]) * y[4:7]

    undamped = controllers.CustomLaw(spring, sample=0.1, compiled=False)
    grid = {"angles": (0.5, 2.0), "rates": (0.0, 0.01), "duration": 60.0, "directions": 2}
    free = plant.Spacecraft(plant.RigidBody((100.0, 80.0, 60.0)))
    assert not sim.region_of_attraction(free, undamped, **grid).converged.any()
    assert (sim.region_of_attraction(free, law_for(free), **grid).converged == 1.0).all()


def test_directions_are_repeatable_and_of_length_one(craft):
    shares = []
    grid = {"angles": (0.1,), "rates": (0.0, 0.01), "duration": 5.0, "directions": 3}
    one = sim.region_of_attraction(craft, law_for(craft), **grid, seed=3, progress=shares.append)
    other = sim.region_of_attraction(craft, law_for(craft), **grid, seed=3)
    np.testing.assert_array_equal(one.turn_axes, other.turn_axes)
    np.testing.assert_allclose(np.linalg.norm(one.rate_axes, axis=1), 1.0, rtol=1e-14)
    assert one.settling_time.shape == (1, 2, 3)
    assert len(shares) == 6
    assert shares[-1] == 1.0
    assert one.to_dict()["starts"] == 6


def test_bad_input(craft):
    with pytest.raises(plant.InputError, match="must not be zero"):
        sim.region_of_attraction(craft, law_for(craft), angles=(0.1,), rates=(0.0,), duration=5.0, axis=(0, 0, 0))
    with pytest.raises(plant.InputError, match="at least one"):
        sim.region_of_attraction(craft, law_for(craft), angles=(), rates=(0.0,), duration=5.0)
    with pytest.raises(plant.InputError, match="directions"):
        sim.region_of_attraction(craft, law_for(craft), angles=(1,), rates=(0.0,), duration=5.0, directions=0)
