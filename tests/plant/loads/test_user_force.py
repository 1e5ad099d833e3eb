"""User-defined torques and forces."""

import math

import numpy as np
import pytest

from polhode import plant
from polhode.plant.attitude import rotation_matrix

E = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)


def test_user_load_receives_time_state_and_position():
    seen = {}

    def f(t, e, omega, c, v):
        seen.update(t=t, e=e, omega=omega, c=c, v=v)
        return (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)

    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2), mass=2.0), user_forces=[plant.UserForce(f)], translation=True)
    x = craft.state(attitude=E, rate=(0.1, 0.2, 0.3), position=(1, 2, 3), velocity=(4, 5, 6))
    dx = craft.derivative(1.5, x)
    assert seen["t"] == 1.5
    np.testing.assert_array_equal(seen["e"], E)
    np.testing.assert_allclose(seen["omega"], (0.1, 0.2, 0.3), rtol=4e-16)
    np.testing.assert_array_equal(seen["c"], (1, 2, 3))
    np.testing.assert_array_equal(seen["v"], (4, 5, 6))
    np.testing.assert_allclose(dx[:3] - np.cross(x[:3], (0.1, 0.2, 0.3)), (1, 2, 3), rtol=1e-15)  # body
    np.testing.assert_array_equal(dx[10:], (4, 5, 6))  # inertial


B = np.array((0.3, -0.7, 1.0))  # from the pivot to the mass centre


def test_user_force_on_a_pivoted_body_matches_independent_model():
    """theta'' = F l cos(theta) / (J + m l^2), integrated by scipy: 0.59464 rad/s after 1 s."""
    from scipy.integrate import solve_ivp

    def push(t, e, omega, c, v):
        return (0.0, 0.0, 0.0, 3.0, 0.0, 0.0)

    expected = solve_ivp(lambda t, y: (y[1], 3.0 * np.cos(y[0]) / 5.0), (0, 1), (0, 0), rtol=1e-12, atol=1e-14).y[1, -1]
    assert expected == pytest.approx(0.59464, abs=1e-5)
    craft = plant.Spacecraft(
        plant.RigidBody((2, 2, 1), mass=3.0, pivot=(0, 0, -1.0)), user_forces=[plant.UserForce(push)]
    )
    final = solve_ivp(craft.derivative, (0, 1), craft.at_rest(), rtol=1e-12, atol=1e-14).y[:, -1]
    np.testing.assert_allclose(craft.rate(final), (0, expected, 0), rtol=0, atol=1e-11)


def test_user_load_on_a_pivoted_body_gets_position_and_velocity():
    seen = {}

    def drag(t, e, omega, c, v):
        seen.update(c=c, v=v)
        return (0.1, 0.2, 0.3, *(-2.0 * v))

    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2), mass=2.0, pivot=-B), user_forces=[plant.UserForce(drag)])
    omega = np.array((0.5, -0.4, 0.8))
    x = craft.state(attitude=E, rate=omega)
    R = rotation_matrix(E)
    torque = craft.derivative(0, x)[:3] - np.cross(x[:3], omega)
    np.testing.assert_allclose(seen["c"], R @ B, rtol=0, atol=4e-16)
    np.testing.assert_allclose(seen["v"], R @ np.cross(omega, B), rtol=0, atol=4e-16)
    np.testing.assert_allclose(torque, (0.1, 0.2, 0.3) - 2.0 * np.cross(B, np.cross(omega, B)), rtol=0, atol=4e-15)


@pytest.mark.parametrize(
    "function",
    [
        lambda t, e, omega, c, v: (*(c + v), 0, 0, 0),
        lambda t, e, omega, c, v: (0, 0, 0, *(-v)),
        lambda t, e, omega, c, v: (float(f"{c[0]:.0f}"), 0, 0, 0, 0, 0),
        lambda t, e, omega, c, v: (0, 0, 0, 0, 0, float(round(c[0]))),  # round(nan) raises
    ],
    ids=["torque", "force", "formatted", "raises"],
)
def test_user_load_depending_on_an_undefined_position_is_rejected(function):
    effort = plant.UserForce(function)
    with pytest.raises(
        plant.InputError, match=r"the user force '<lambda>' depends on the position .* pivot=.* translation=True"
    ):
        plant.Spacecraft(plant.RigidBody((4, 3, 2)), user_forces=[effort])
    plant.Spacecraft(plant.RigidBody((4, 3, 2), pivot=(0, 0, 0)), user_forces=[effort])
    plant.Spacecraft(plant.RigidBody((4, 3, 2), mass=1.0), user_forces=[effort], translation=True)


def test_constant_user_force_does_not_affect_free_rotation():
    thrust = plant.UserForce(lambda t, e, omega, c, v: (1.0, 2.0, 3.0, 4.0, 5.0, 6.0))
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)), user_forces=[thrust])
    np.testing.assert_array_equal(craft.derivative(0, craft.at_rest())[:3], (1.0, 2.0, 3.0))


def test_user_load_that_writes_into_its_arguments_is_rejected():
    def scribbler(t, e, omega, c, v):
        e /= np.sqrt(e @ e)
        return (0.0,) * 6

    with pytest.raises(plant.InputError, match=r"the user force failed at t = 0 .ValueError: .*read-only"):
        plant.UserForce(scribbler)


def test_user_load_failing_in_a_run_is_named_in_the_message():
    def short(t, e, omega, c, v):
        return (0.0,) * (6 if t == 0.0 else 5)

    def broken(t, e, omega, c, v):
        return (1.0 / (t - 2.0) if t < 2.0 else math.sqrt(-t), 0, 0, 0, 0, 0)

    for function, message in (
        (short, r"the user force 'short' raised ValueError at t = 3 s: the result has 5 values instead of 6"),
        (broken, r"the user force 'broken' raised ValueError at t = 3 s: .*"),
    ):
        craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)), user_forces=[plant.UserForce(function)])
        with pytest.raises(plant.InputError, match=message):
            craft.derivative(3.0, craft.at_rest())


def test_user_loads_are_summed():
    one = plant.UserForce(lambda t, e, omega, c, v: (1, 0, 0, 0, 0, 0))
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)), user_forces=[one, one])
    np.testing.assert_array_equal(craft.derivative(0, craft.at_rest(), u=(0.5, 0, 0))[:3], (2.5, 0, 0))


def test_user_load_breakpoints_are_sorted():
    effort = plant.UserForce(lambda t, e, omega, c, v: (0.0,) * 6, breakpoints=(3, 1, 2))
    np.testing.assert_array_equal(effort.breakpoints, (1, 2, 3))


@pytest.mark.parametrize(
    ("function", "breakpoints", "message"),
    [
        (lambda t, e, w, c, v: (1, 2), (), r"a user force must return 6 numbers, torque and force; got shape \(2,\)"),
        (lambda t, e, w, c, v: 1.0, (), r"got shape \(\)"),
        (lambda t, e, w, c, v: (1, 2, 3, None, 5, 6), (), r"6 numbers, torque and force; got \(1, 2, 3, None"),
        (lambda t, e, w, c, v: tuple("abcdef"), (), "6 numbers, torque and force; got"),
        (lambda t, e: (0,) * 6, (), "the user force failed at t = 0 .TypeError"),
        (lambda t, e, w, c, v: 1 / 0, (), "the user force failed at t = 0 .ZeroDivisionError"),
        (lambda t, e, w, c, v: (0,) * 6, (np.nan,), r"breakpoint must be finite \(s\); got nan"),
        (lambda t, e, w, c, v: (0,) * 6, ("noon",), r"breakpoint must be numbers \(s\); got"),
    ],
)
def test_user_load_rejects_bad_input(function, breakpoints, message):
    with pytest.raises(plant.InputError, match=message):
        plant.UserForce(function, breakpoints=breakpoints)
