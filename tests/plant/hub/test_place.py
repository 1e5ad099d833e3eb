"""Points of application of user-defined loads on pivoted and translating spacecraft with moving mass."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant.attitude import rotation_matrix
from polhode.plant.hub.dynamics import body_rate, derivative, energy
from polhode.plant.hub.place import hub_centre, whole_centre

TINY = 1e-40
E = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)
RATE = np.array((0.8, -0.5, 1.1))
G = np.array((0.4, -0.2, -9.81))
PIVOT = np.array((0.1, -0.3, -1.0))
TENSOR = np.array([[4.0, -0.5, 0.3], [-0.5, 3.1, 0.2], [0.3, 0.2, 2.0]])
ELEMENTS = (
    plant.Pendulum(
        hinge=(0.1, 0.2, 0.3), length=0.4, mass=0.7, direction=(0, 0.6, 0.8), angle=(0.3, -0.2), rate=(1, 2)
    ),
    plant.MassSpringDamper(
        point=(0.4, 0, 0.1), axis=(0, 0, 1), mass=0.5, stiffness=3.0, damping=0.2, displacement=0.1, rate=-0.4
    ),
    plant.Wheel(axis=(0, 1, 0), inertia=0.1, relative_rate=30.0),
)
SUPPORTS = {"pivoted": {"pivot": PIVOT}, "translating": {}}


def crafted(support, *, mass=3.0, elements=ELEMENTS, **more):
    body = plant.RigidBody(TENSOR, mass=mass, **SUPPORTS[support])
    return plant.Spacecraft(body, elements=elements, translation=support == "translating", **more)


def moving(craft):
    place = {"position": (1.2, -0.8, 0.9), "velocity": (0.4, 0.7, -0.2)} if craft.translation else {}
    return craft.state(attitude=E, rate=RATE, **place)


def rates(craft, x):
    full = np.concatenate([x, np.zeros(4)])
    dx = np.zeros_like(full)
    w = craft.work_space(dtype=full.dtype)
    derivative(0.0, full, np.zeros(3), craft.pack(ledger=True), dx, craft.user_loads(), w)
    return dx


def total(craft, x):
    p, w = craft.pack(), craft.work_space(dtype=x.dtype)
    value = energy(0.0, x, np.zeros(3), p, w)
    c = np.array(whole_centre(x, p, w))
    return value + sum(potential.function(c, x[3:7]) for potential in craft.user_potentials)


@pytest.mark.parametrize("support", SUPPORTS)
def test_user_potential_of_weight_matches_uniform_gravity(support):
    """The force of a potential acts at the total mass centre: it swings pendulums, as gravity does."""
    mass = crafted(support).mass
    built_in = crafted(support, potentials=[plant.UniformGravity(G)])
    own = crafted(support, potentials=[plant.Potential(lambda c, e: -mass * (c @ G))])
    x = moving(own)
    expected = built_in.derivative(0.0, x)
    np.testing.assert_allclose(own.derivative(0.0, x), expected, rtol=0, atol=1e-14 * np.abs(expected).max())
    assert own.energy(x) == pytest.approx(built_in.energy(x), rel=1e-14)
    tilted = {"outputs": ("energy", "attitude"), "allow_nonequilibrium": True}
    ours, theirs = own.linearize(x, **tilted), built_in.linearize(x, **tilted)
    for name in "ABCD":
        expected = getattr(theirs, name)
        np.testing.assert_allclose(getattr(ours, name), expected, rtol=0, atol=1e-12 * max(1.0, np.abs(expected).max()))


@pytest.mark.parametrize("support", SUPPORTS)
def test_effort_receives_hub_position_and_acts_there(support):
    seen = {}

    def drag(t, e, omega, c, v):
        seen.update(c=c, v=v)
        return (*(-0.1 * omega), *(-2.0 * v))

    craft = crafted(support, user_forces=[plant.UserForce(drag)], potentials=[plant.UniformGravity(G)])
    x = moving(craft)
    dx = rates(craft, x)
    c, v = seen["c"], seen["v"]
    p, w = craft.pack(), craft.work_space(dtype=complex)
    z = x + 1j * TINY * dx[:-4]
    body_rate(0.0, z, np.zeros(3), p, w)
    place = np.array(hub_centre(z, p, w)[:3])
    np.testing.assert_allclose(place.real, c, rtol=0, atol=1e-14)
    np.testing.assert_allclose(place.imag / TINY, v, rtol=0, atol=1e-13)  # the velocity is the rate of the position
    if support == "pivoted":
        np.testing.assert_allclose(c, -rotation_matrix(E) @ PIVOT, rtol=0, atol=1e-15)
    else:
        assert np.linalg.norm(c - x[craft.layout.position]) > 0.01  # the total mass centre is elsewhere
    # the power is that of the drag at this point, plus the damper's
    omega = craft.rate(x)
    damper = -0.2 * craft.internal_rates(x)[2] ** 2
    assert dx[-4] == pytest.approx(-0.1 * omega @ omega - 2.0 * v @ v + damper, rel=1e-13)
    along = total(craft, z).imag / TINY
    assert along == pytest.approx(dx[-4], rel=0, abs=1e-11)


def test_hub_and_total_mass_centre_coincide_without_elements():
    for support in SUPPORTS:
        craft = crafted(support, elements=())
        x, p, w = moving(craft), craft.pack(), craft.work_space()
        body_rate(0.0, x, np.zeros(3), p, w)
        np.testing.assert_allclose(hub_centre(x, p, w)[:3], whole_centre(x, p, w), rtol=0, atol=1e-15)


def test_wheel_does_not_move_the_mass_centre():
    craft = crafted("pivoted", elements=ELEMENTS[2:])
    x, p, w = moving(craft), craft.pack(), craft.work_space()
    body_rate(0.0, x, np.zeros(3), p, w)
    np.testing.assert_allclose(whole_centre(x, p, w), -rotation_matrix(E) @ PIVOT, rtol=0, atol=1e-15)


def test_user_loads_on_pivoted_craft_allow_complex_steps():
    def load(t, e, omega, c, v):
        return (*(-0.3 * omega), *(-0.5 * v * np.sqrt(v @ v) - 0.2 * c))

    craft = crafted(
        "pivoted",
        user_forces=[plant.UserForce(load)],
        potentials=[plant.Potential(lambda c, e: np.exp(c[0]) * c[1] + e[1] * c[2])],
    )
    x = moving(craft)
    h = 1e-3
    for d in np.eye(len(x)):
        exact = rates(craft, x + 1j * TINY * d).imag / TINY
        near, far = (rates(craft, x + n * h * d) - rates(craft, x - n * h * d) for n in (1, 2))
        # fourth-order differences: h^4 = 1e-12 times a fifth derivative, and round-off eps/h
        np.testing.assert_allclose((8 * near - far) / (12 * h), exact, rtol=0, atol=1e-8 * max(1, np.abs(exact).max()))


def test_drag_on_pivoted_craft_acts_in_python_control_system():
    effort = plant.UserForce(lambda t, e, omega, c, v: (0.0, 0.0, 0.0, *(-2.0 * v)))
    craft = plant.Spacecraft(plant.RigidBody((2, 2, 1), mass=3.0, pivot=(0, 0, -1.0)), user_forces=[effort])
    x = craft.spinning((0, 0.5, 0))
    expected = np.array((0, -2.0 * 0.5, 0))  # -2 v at an arm of 1 m
    np.testing.assert_allclose(craft.derivative(0, x)[:3], expected, rtol=0, atol=1e-15)
    np.testing.assert_allclose(craft.to_nlsys().dynamics(0.0, x, np.zeros(3))[:3], expected, rtol=0, atol=1e-15)
    model = craft.linearize(craft.at_rest())
    np.testing.assert_allclose(model.A[3:, 3:], np.diag((-0.4, -0.4, 0.0)), rtol=0, atol=1e-15)  # -2 l^2 / 5
