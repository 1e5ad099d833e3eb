"""A user's own torque and force."""

import numpy as np
import pytest

from polhode import plant

E = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)


def test_what_the_function_is_given():
    seen = {}

    def f(t, e, omega, c, v):
        seen.update(t=t, e=e, omega=omega, c=c, v=v)
        return (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)

    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2), mass=2.0), efforts=[plant.Effort(f)], translation=True)
    x = craft.state(attitude=E, rate=(0.1, 0.2, 0.3), position=(1, 2, 3), velocity=(4, 5, 6))
    dx = craft.derivative(1.5, x)
    assert seen["t"] == 1.5
    np.testing.assert_array_equal(seen["e"], E)
    np.testing.assert_allclose(seen["omega"], (0.1, 0.2, 0.3), rtol=4e-16)
    np.testing.assert_array_equal(seen["c"], (1, 2, 3))
    np.testing.assert_array_equal(seen["v"], (4, 5, 6))
    np.testing.assert_allclose(dx[:3] - np.cross(x[:3], (0.1, 0.2, 0.3)), (1, 2, 3), rtol=1e-15)  # body
    np.testing.assert_array_equal(dx[10:], (4, 5, 6))  # inertial


def test_without_translation_place_and_velocity_are_zero():
    effort = plant.Effort(lambda t, e, omega, c, v: (*(c + v), 0, 0, 0))
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)), efforts=[effort])
    np.testing.assert_array_equal(craft.derivative(0, craft.at_rest())[:3], 0.0)


def test_efforts_add_up():
    one = plant.Effort(lambda t, e, omega, c, v: (1, 0, 0, 0, 0, 0))
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)), efforts=[one, one])
    np.testing.assert_array_equal(craft.derivative(0, craft.at_rest(), u=(0.5, 0, 0))[:3], (2.5, 0, 0))


def test_breakpoints_are_sorted():
    effort = plant.Effort(lambda t, e, omega, c, v: (0.0,) * 6, breakpoints=(3, 1, 2))
    np.testing.assert_array_equal(effort.breakpoints, (1, 2, 3))


@pytest.mark.parametrize(
    ("function", "breakpoints", "message"),
    [
        (lambda t, e, w, c, v: (1, 2), (), r"an effort must return 6 numbers, torque and force; got shape \(2,\)"),
        (lambda t, e, w, c, v: 1.0, (), r"got shape \(\)"),
        (lambda t, e, w, c, v: (1, 2, 3, None, 5, 6), (), r"6 numbers, torque and force; got \(1, 2, 3, None"),
        (lambda t, e, w, c, v: tuple("abcdef"), (), "6 numbers, torque and force; got"),
        (lambda t, e: (0,) * 6, (), "the effort failed at t = 0 .TypeError"),
        (lambda t, e, w, c, v: 1 / 0, (), "the effort failed at t = 0 .ZeroDivisionError"),
        (lambda t, e, w, c, v: (0,) * 6, (np.nan,), r"breakpoint must be finite \(s\); got nan"),
        (lambda t, e, w, c, v: (0,) * 6, ("noon",), r"breakpoint must be numbers \(s\); got"),
    ],
)
def test_bad_input(function, breakpoints, message):
    with pytest.raises(plant.InputError, match=message):
        plant.Effort(function, breakpoints=breakpoints)
