"""The nutation angle, the axis it is measured from, and the rates of elements."""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.sim.results.nutation import internal_rates, nutation, spin_axis

from ...crafts import CRAFTS, somewhere

RING = plant.RingDamper(axis=(0, 0, 1), mass=0.5, radius=0.4, friction=0.1)


def craft(inertia, *elements):
    return plant.Spacecraft(plant.RigidBody(inertia, pivot=(0, 0, 0)), elements=elements or (RING,))


def test_nearest_principal_axis_is_taken():
    body = craft((4.0, 3.0, 2.0))
    np.testing.assert_allclose(spin_axis(body, body.state(rate=(0.1, -1.0, 0.1))), (0, -1, 0), atol=1e-15)


def test_among_equal_axes_the_nearest_direction():
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.1)
    body = craft((3.0, 3.0, 2.0), wheel)
    x = body.state(momentum=(3.0, 4.0, 0.5))
    np.testing.assert_allclose(spin_axis(body, x), (0.6, 0.8, 0.0), atol=1e-15)


def test_angle_of_symmetric_craft_stands_still():
    body = craft((3.0, 3.0, 4.0), plant.Wheel(axis=(0, 0, 1), inertia=0.1))
    run = sim.simulate(body, rate=(0.3, 0.0, 2.0), duration=20.0, rtol=1e-12)
    expected = np.arctan2(3.0 * 0.3, 4.1 * 2.0)  # the wheel rotates with the spacecraft at first
    np.testing.assert_allclose(run.values("nutation"), expected, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(run.values("nutation"), nutation(body, run.x, start=run.x[0]))


def test_rates_are_slopes_of_coordinates():
    run = sim.simulate(craft((3.0, 3.2, 4.0)), rate=(0.3, 0.1, 2.0), duration=1.0, output_step=1e-3, rtol=1e-12)
    slope = (run.values("internal")[2:] - run.values("internal")[:-2]) / 2e-3
    np.testing.assert_allclose(run.values("internal_rate")[1:-1], slope, rtol=0, atol=1e-6)  # 1e-6 of third derivatives
    assert run.components("internal") == (("ring_angle",), "rad")
    assert run.components("internal_rate") == (("ring_angle",), "rad/s")
    assert run.components("internal_momentum") == (("ring_angle",), "N m s")
    assert run["internal_rate"].attrs["units"] == "rad/s"


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", ["free", "pivoted under gravity", "translating"])
def test_rates_of_many_rows_are_those_of_each(name):
    body = CRAFTS[name]()
    states = np.array([somewhere(body, seed=seed) for seed in range(20)])
    one_by_one = np.array([body.internal_rates(state) for state in states])
    np.testing.assert_allclose(internal_rates(body, states), one_by_one, rtol=0, atol=1e-13 * np.abs(one_by_one).max())


def test_nutation_is_absent_without_elements():
    run = sim.simulate(plant.Spacecraft(plant.RigidBody((3, 2, 1))), rate=(0, 0, 1), duration=1.0)
    with pytest.raises(plant.InputError, match=r"needs Spacecraft\(\.\.\., elements=\.\.\.\)"):
        run.values("nutation")
