"""Springs and dampers between a body point and an inertial point."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant.attitude import rotation_matrix

E = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)
OMEGA = np.array((0.8, -0.5, 1.1))
B, A = np.array((0.4, -0.2, 0.7)), np.array((1.3, 0.4, -0.6))
C, V = np.array((0.2, 0.9, -0.3)), np.array((0.4, 0.7, -0.2))


def expected(k: float, l0: float, d: float, b=B, c=C, v=V):
    """Torque (body) and force (inertial) from plain vectors."""
    R = rotation_matrix(E)
    line = c + R @ b - A
    length = np.linalg.norm(line)
    along = line / length
    speed = along @ (v + R @ np.cross(OMEGA, b))
    force = -(k * (length - l0) + d * speed) * along
    return np.cross(b, R.T @ force), force


@pytest.mark.parametrize(("k", "l0", "d"), [(2.3, 0.0, 0.0), (2.3, 0.8, 0.0), (2.3, 0.8, 1.4), (2.3, 0.0, 1.4)])
def test_spring_loads_on_a_free_body(k, l0, d):
    spring = plant.Spring(body_point=B, inertial_point=A, stiffness=k, natural_length=l0, damping=d)
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2), mass=1.7), potentials=[spring], translation=True)
    x = craft.state(attitude=E, rate=OMEGA, position=C, velocity=V)
    dx = craft.derivative(0, x)
    torque, force = expected(k, l0, d)
    # 32 eps of loads of about 3 N m
    np.testing.assert_allclose(dx[:3] - np.cross(x[:3], OMEGA), torque, rtol=0, atol=3e-14)
    np.testing.assert_allclose(dx[10:], force, rtol=0, atol=3e-14)
    R = rotation_matrix(E)
    potential = 0.5 * k * (np.linalg.norm(C + R @ B - A) - l0) ** 2
    kinetic = 0.5 * OMEGA @ ((4, 3, 2) * OMEGA) + 0.5 * 1.7 * V @ V
    assert craft.energy(x) == pytest.approx(potential + kinetic, rel=1e-14)


def test_spring_body_point_is_relative_to_the_mass_centre():
    pivot = np.array((0.1, -0.3, -1.0))
    spring = plant.Spring(body_point=B, inertial_point=A, stiffness=2.3, natural_length=0.8, damping=1.4)
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2), mass=1.7, pivot=pivot), potentials=[spring])
    x = craft.state(attitude=E, rate=OMEGA)
    torque, _ = expected(2.3, 0.8, 1.4, b=B - pivot, c=np.zeros(3), v=np.zeros(3))
    np.testing.assert_allclose(craft.derivative(0, x)[:3] - np.cross(x[:3], OMEGA), torque, rtol=0, atol=6e-14)


def test_spring_without_natural_length_is_defined_at_zero_length():
    spring = plant.Spring(body_point=B, inertial_point=B, stiffness=2.3)
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2), pivot=(0, 0, 0)), potentials=[spring])
    np.testing.assert_array_equal(craft.derivative(0, craft.at_rest()), 0.0)
    assert craft.energy(craft.at_rest()) == 0.0


@pytest.mark.parametrize("more", [{"natural_length": 0.8}, {"damping": 1.0}])
def test_spring_of_zero_length_has_no_linear_model(more):
    spring = plant.Spring(body_point=B, inertial_point=B, stiffness=2.3, **more)
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2), pivot=(0, 0, 0)), potentials=[spring])
    with pytest.raises(
        plant.InputError, match=r"no finite derivative at this state: a spring .* whose two points coincide"
    ):
        craft.linearize(craft.at_rest())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"body_point": (1, 2)}, r"body point of spring must be 3 numbers \(m\); got shape \(2,\)"),
        ({"inertial_point": (1, 2, np.inf)}, "inertial point of spring must be finite"),
        ({"stiffness": 0.0}, r"stiffness of spring must be greater than 0 \(N/m\); got 0"),
        ({"stiffness": np.nan}, "stiffness of spring must be finite"),
        ({"natural_length": -1.0}, r"natural length of spring must not be negative \(m\); got -1"),
        ({"damping": -1.0}, r"damping of spring must not be negative \(N s/m\); got -1"),
    ],
)
def test_spring_rejects_bad_input(arguments, message):
    with pytest.raises(plant.InputError, match=message):
        plant.Spring(**({"body_point": B, "inertial_point": A, "stiffness": 1.0} | arguments))
