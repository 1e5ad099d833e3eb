"""User-defined potentials."""

import math

import numpy as np
import pytest

from polhode import plant
from polhode.plant.attitude import matrix_G
from polhode.plant.loads.potentials.user_potential import potential_load

E = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)
A = np.array([[2.0, 0.3, -0.1, 0.4], [0.7, 1.0, 0.2, 0.5], [-0.2, 0.6, 3.0, 0.1], [0.9, -0.3, 0.8, 1.5]])
S = A + A.T


def test_potential_failing_in_a_run_is_named_in_the_message():
    def cliff(c, e):
        if e[0] < 0.0:
            raise ValueError("over the edge")
        return e[1] ** 2

    with pytest.raises(plant.InputError, match=r"cannot be differentiated .ValueError: over the edge"):
        plant.Potential(cliff)  # one of the sampled positions is there

    def late(c, e):
        if e[3] > 0.99:
            raise ValueError("over the edge")
        return e[1] ** 2

    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)), potentials=[plant.Potential(late)])
    with pytest.raises(plant.InputError, match="the potential 'late' raised ValueError at t = 2 s: over the edge"):
        craft.derivative(2.0, craft.at_rest((0, 0, 0, 1)))


def test_potential_loads_follow_from_its_gradient():
    slope = np.array((0.3, -0.8, 0.5, 1.2, 0.4, -0.7, 0.9))
    loads = potential_load(*E, *slope)
    np.testing.assert_allclose(loads[:3], -0.5 * matrix_G(E) @ slope[3:], rtol=0, atol=4e-16)
    np.testing.assert_array_equal(loads[3:], -slope[:3])


@pytest.mark.parametrize(
    "potential",
    [
        plant.Potential(lambda c, e: 0.5 * e @ S @ e + c[0] * c[1]),
        plant.Potential(
            lambda c, e: 0.5 * e @ S @ e + c[0] * c[1], gradient=lambda c, e: (c[1], c[0], 0.0 * c[0], *(S @ e))
        ),
    ],
    ids=["automatic gradient", "given gradient"],
)
def test_potential_in_a_spacecraft_matches_uniform_gravity(potential):
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2), mass=1.7), potentials=[potential], translation=True)
    x = craft.state(attitude=E, position=(1, 2, 3))
    dx = craft.derivative(0, x)
    np.testing.assert_allclose(dx[:3], -0.5 * matrix_G(E) @ S @ E, rtol=0, atol=8e-16)
    np.testing.assert_array_equal(dx[10:], (-2, -1, 0))
    assert craft.energy(x) == pytest.approx(0.5 * E @ S @ E + 2.0, rel=1e-15)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda c, e: math.sin(c[0]), "must be real number.*numpy functions of c and e, or pass gradient="),
        (lambda c, e: np.cbrt(c).sum(), "cbrt"),
        (lambda c, e: c, "cannot be differentiated"),
        (lambda c, e: None, "cannot be differentiated"),
        (lambda c, e: "1", "it returned '1'"),
        (lambda c: 1.0, "cannot be differentiated"),
        (lambda c, e: c[5], "IndexError"),
        (lambda c, e: e.__setitem__(0, 0.5) or e[1], "read-only"),  # modifies its argument
        (3, "not callable"),
    ],
)
def test_potential_that_is_not_differentiable_is_rejected(function, message):
    with pytest.raises(plant.InputError, match=message):
        plant.Potential(function)


@pytest.mark.parametrize(
    ("gradient", "message"),
    [
        (lambda c, e: (c[0], 0, 0, 0, 0, 0, 0), "component 0 is .*, differences of the potential give"),
        (lambda c, e: (2 * c[0] * (1 + 1e-5), 0, 0, 0, 0, 0, 0), "component 0 is"),
        (lambda c, e: (2 * c[0], 0, 0, 0, 0, 0, 1e-3), "component 6 is 0.001"),
        (lambda c, e: (2 * c[0], 0, 0), r"must be 7 numbers, dV/dc and dV/de; got shape \(3,\)"),
        (lambda c, e: 1 / 0, "the given gradient failed .ZeroDivisionError"),
    ],
)
def test_potential_with_a_wrong_gradient_is_rejected(gradient, message):
    with pytest.raises(plant.InputError, match=message):
        plant.Potential(lambda c, e: c[0] ** 2, gradient=gradient)


def test_potential_with_a_limited_domain_is_accepted():
    plant.Potential(lambda c, e: np.log(c[0]))  # random places reach c[0] < 0; no warning either


@pytest.mark.parametrize(
    ("function", "safe"),
    [
        (lambda c, e: e @ A @ e + np.sqrt(c @ c), True),
        (lambda c, e: 3.0, True),
        (lambda c, e: np.linalg.norm(c), False),
        (lambda c, e: abs(c[0]), False),
        (lambda c, e: np.vdot(c, c), False),
        (lambda c, e: np.arctan2(e[3], e[0]), False),
    ],
)
def test_potential_detects_complex_step_safety(function, safe):
    assert plant.Potential(function).complex_step_safe is safe
