"""The blocks of the error norm: one for each run of coordinates of one element and one unit."""

import numpy as np

from polhode import plant
from polhode.sim.engine.steppers.error_floors import error_floors

HUB = plant.RigidBody((10.0, 20.0, 30.0), mass=100.0)


def test_error_floors_are_three_without_elements():
    np.testing.assert_allclose(error_floors(plant.Spacecraft(HUB)), (20e-6, 1e-3, 100e-6), rtol=1e-15)


def test_each_element_and_what_is_cyclic():
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.1)
    modes = plant.FlexibleModes(frequencies=(1.0, 2.0), damping_ratios=0.01, rotation=np.ones((3, 2)))
    found = error_floors(plant.Spacecraft(HUB, elements=[wheel, modes]))
    # the wheel's angle takes no part; a generalised mass of 1 for each mode
    np.testing.assert_allclose(found[3:], (0, 1, 0.0, 1e-7, 1, 3, 1e-3, 1e-6), rtol=1e-15)
