"""Gravity gradient against the field of point masses, and on its prescribed orbit."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant.attitude import rotation_matrix

E = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)
MU = 1.3


def dumbbell(size: float):
    """Three pairs of point masses: their positions in the body, masses, and inertia."""
    places = size * np.array([s * row for row in np.diag((1.0, 0.7, 0.4)) for s in (1, -1)])
    turn = rotation_matrix((0.9, 0.3, -0.1, np.sqrt(1 - 0.91)))
    places = places @ turn.T
    masses = np.array((0.3, 0.3, 0.5, 0.5, 0.2, 0.2))
    inertia = sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, places, strict=True))
    return places, masses, np.asarray(inertia)


def test_gravity_gradient_matches_point_masses():
    c, R = np.array((1.2, -0.8, 0.9)), rotation_matrix(E)
    size = 1e-3
    places, masses, inertia = dumbbell(size)
    arms = places @ R.T
    pulls = np.array([-MU * m * (c + r) / np.linalg.norm(c + r) ** 3 for m, r in zip(masses, arms, strict=True)])
    craft = plant.Spacecraft(
        plant.RigidBody(inertia, mass=masses.sum()), potentials=[plant.GravityGradient(mu=MU)], translation=True
    )
    dx = craft.derivative(0, craft.state(attitude=E, position=c))
    torque = R.T @ np.cross(arms, pulls).sum(axis=0)
    # the pairs have no third-order term: the truncation error is (size/r)^2 = 4e-7 of the torque, times about ten
    np.testing.assert_allclose(dx[:3], torque, rtol=0, atol=1e-5 * np.linalg.norm(torque))
    force = pulls.sum(axis=0)
    point = -MU * masses.sum() * c / np.linalg.norm(c) ** 3
    extra = np.linalg.norm(force - point)  # the force due to the size of the body
    np.testing.assert_allclose(dx[10:], force, rtol=0, atol=1e-5 * extra + 8e-16)  # and eps times the total force


def test_gravity_gradient_on_a_prescribed_orbit():
    r, v, t = np.array((1.1, 0.4, -0.7)), np.array((0.3, 0.9, 0.2)), 0.0
    body = plant.RigidBody((4.0, 3.0, 2.0), mass=1.0)
    prescribed = plant.Spacecraft(body, potentials=[plant.GravityGradient(mu=MU, position=r, velocity=v)])
    integrated = plant.Spacecraft(body, potentials=[plant.GravityGradient(mu=MU)], translation=True)
    assert prescribed.time_dependent
    assert not integrated.time_dependent
    one = prescribed.derivative(t, prescribed.at_rest(E))[:3]
    two = integrated.derivative(t, integrated.state(attitude=E, position=r))[:3]
    np.testing.assert_allclose(one, two, rtol=0, atol=1e-15)
    assert np.abs(one - prescribed.derivative(0.5, prescribed.at_rest(E))[:3]).max() > 0.1  # the position has changed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"mu": 0.0}, r"mu of gravity gradient must be greater than 0 \(m\^3/s\^2\)"),
        ({"mu": 1.0, "position": (1, 0, 0)}, "give position .* and velocity .* together"),
        ({"mu": 1.0, "velocity": (1, 0, 0)}, "give position .* and velocity .* together"),
        ({"mu": 1.0, "position": (0, 0, 0), "velocity": (1, 0, 0)}, "position must be away from the centre"),
        ({"mu": 1.0, "position": (1, 0), "velocity": (1, 0, 0)}, "position of gravity gradient must be 3 numbers"),
        ({"mu": 1.0, "position": (1, 0, 0), "velocity": (1, 0, np.nan)}, "velocity of gravity gradient must be finite"),
    ],
)
def test_gravity_gradient_rejects_bad_input(arguments, message):
    with pytest.raises(plant.InputError, match=message):
        plant.GravityGradient(**arguments)


def test_gravity_gradient_rejects_unsuitable_spacecraft():
    orbit = plant.GravityGradient(mu=1.0, position=(1, 0, 0), velocity=(0, 1, 0))
    for body, potential, translation, message in (
        (plant.RigidBody((4, 3, 2)), plant.GravityGradient(mu=1.0), False, "gravity gradient needs the orbit"),
        (plant.RigidBody((4, 3, 2), mass=1.0), orbit, True, "omit position and velocity here"),
        (plant.RigidBody((4, 3, 2), mass=1.0, pivot=(0, 0, 1)), orbit, False, "cannot act on a pivoted body"),
    ):
        with pytest.raises(plant.InputError, match=message):
            plant.Spacecraft(body, potentials=[potential], translation=translation)
