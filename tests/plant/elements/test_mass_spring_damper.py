"""Sliding mass on a spring: closed forms, and rejected input."""

import numpy as np
import pytest

from polhode import plant, sim

BALL = {"point": (0.4, 0, 0), "axis": (0, 0, 1), "mass": 0.5, "stiffness": 3.0, "damping": 0.1}


def test_slider_vibration_includes_hub_recoil():
    """Along a line through the hub's mass centre: reduced mass m M/(m + M), no rotation."""
    slider = plant.MassSpringDamper(**{**BALL, "point": (0, 0, 0.7), "displacement": 0.2})
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1), mass=2.0), elements=[slider])
    run = sim.simulate(craft, duration=3.0, output_times=[3.0], rtol=1e-13)
    mass = 0.5 * 2.0 / 2.5
    fade = 0.1 / (2 * mass)
    w = np.sqrt(3.0 / mass - fade**2)
    expected = 0.2 * np.exp(-3 * fade) * (np.cos(3 * w) + fade / w * np.sin(3 * w))
    assert run.states[0][7] == pytest.approx(expected, abs=1e-12)
    np.testing.assert_allclose(run.states[0][:3], 0.0, atol=1e-15)


def test_slider_in_rotating_tube_matches_closed_form():
    """On a heavy rotating hub: s'' = (W^2 - k/m) s - c/m s' from the axis, unstable if W^2 > k/m."""
    tube = plant.MassSpringDamper(point=(0, 0, 0), axis=(1, 0, 0), mass=0.5, stiffness=1.0, displacement=0.1)
    craft = plant.Spacecraft(plant.RigidBody((1e13, 1e13, 1e13), pivot=(0, 0, 0)), elements=[tube])
    run = sim.simulate(craft, rate=(0, 0, 3.0), duration=1.0, output_times=[1.0], rtol=1e-13)
    assert run.states[0][7] == pytest.approx(0.1 * np.cosh(np.sqrt(7.0)), rel=1e-11)


def test_slider_craft_position_is_that_of_the_total_mass_centre():
    """With translation the hub recoils, and the total mass centre moves uniformly."""
    slider = plant.MassSpringDamper(**{**BALL, "rate": 2.0})
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1), mass=2.0), elements=[slider], translation=True)
    x = craft.state(rate=(0.1, 0.2, 0.3), position=(1, 2, 3), velocity=(0.1, 0, -0.2))
    np.testing.assert_allclose(x[craft.layout.linear_momentum], 2.5 * np.array((0.1, 0, -0.2)), rtol=1e-15)
    run = sim.simulate(craft, state=x, duration=4.0, output_times=[4.0])
    np.testing.assert_allclose(run.states[0][craft.layout.position], (1.4, 2, 2.2), rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mass": 0.0}, "mass of slider must be greater than 0"),
        ({"stiffness": -1.0}, "stiffness of slider must not be negative"),
        ({"damping": -1.0}, "damping of slider must not be negative"),
        ({"axis": (0, 0, 0)}, "axis of slider must have a direction"),
        ({"point": (0, 0)}, "point of slider must be 3 numbers"),
        ({"rate": np.nan}, "rate of slider must be finite"),
        ({"displacement": "a"}, "displacement of slider must be numbers"),
    ],
)
def test_slider_rejects_bad_input(change, message):
    with pytest.raises(plant.InputError, match=message):
        plant.MassSpringDamper(**{**BALL, **change})
