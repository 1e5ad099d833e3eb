"""Uniform gravity on pivoted and free bodies."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant.attitude import rotation_matrix

E = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)
G = np.array((0.4, -0.2, -9.81))


def test_uniform_gravity_torque_about_a_pivot():
    pivot = np.array((0.1, -0.3, -1.0))
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2), mass=1.7, pivot=pivot), potentials=[plant.UniformGravity(G)])
    x = craft.at_rest(E)
    R = rotation_matrix(E)
    # the weight acts at the mass centre, at -pivot from the fixed point; 16 eps of a torque of 20 N m
    np.testing.assert_allclose(craft.derivative(0, x)[:3], R.T @ np.cross(R @ -pivot, 1.7 * G), rtol=0, atol=1e-13)
    assert craft.energy(x) == pytest.approx(-1.7 * G @ (R @ -pivot), rel=1e-15)


def test_uniform_gravity_exerts_no_torque_on_a_free_body():
    craft = plant.Spacecraft(
        plant.RigidBody((4, 3, 2), mass=1.7), potentials=[plant.UniformGravity(G)], translation=True
    )
    x = craft.state(attitude=E, position=(1, 2, 3), velocity=(0.1, 0.2, 0.3))
    dx = craft.derivative(0, x)
    np.testing.assert_array_equal(dx[:3], 0.0)
    np.testing.assert_allclose(dx[7:], [0.1, 0.2, 0.3, *(1.7 * G)], rtol=1e-15)
    assert craft.energy(x) == pytest.approx(0.5 * 1.7 * 0.14 - 1.7 * G @ (1, 2, 3), rel=1e-15)


def test_uniform_gravity_rejects_bad_input():
    for value, message in (
        ((1, 2), r"g of gravity must be 3 numbers \(m/s\^2\); got shape \(2,\)"),
        ((1, 2, np.nan), "g of gravity must be finite"),
    ):
        with pytest.raises(plant.InputError, match=message):
            plant.UniformGravity(value)
    gravity = [plant.UniformGravity(G)]
    for body, message in (
        (plant.RigidBody((4, 3, 2)), "uniform gravity depends on the position or velocity of the mass centre"),
        (plant.RigidBody((4, 3, 2), mass=1.0), "which a spacecraft without pivot or translation does not define"),
        (plant.RigidBody((4, 3, 2), mass=1.0, pivot=(0, 0, 0)), "uniform gravity has no effect on a body held at"),
    ):
        with pytest.raises(plant.InputError, match=message):
            plant.Spacecraft(body, potentials=gravity)
