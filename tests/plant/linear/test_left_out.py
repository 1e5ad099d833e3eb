"""Sentences about what a linear model leaves out."""

import numpy as np
import pytest

from polhode import plant, sim


def spacecraft(rate: float, **friction: float) -> plant.Spacecraft:
    wheel = plant.Wheel(inertia=0.1, axis=(0.0, 0.0, 1.0), relative_rate=rate, **friction)
    return plant.Spacecraft(plant.RigidBody((8.0, 9.0, 10.0)), elements=[wheel])


def test_dry_friction_at_rest_is_named_with_its_damping_and_range():
    """Friction tanh(W/w0) C has the slope C/w0 at rest: over the inertia 0.1, 0.002/0.01/0.1 = 2 1/s."""
    craft = spacecraft(0.0, coulomb=2e-3, coulomb_rate=1e-2)
    (words,) = craft.linearize(craft.at_rest()).left_out
    assert "a damping of 2 1/s, which holds within 0.01 rad/s of rest only" in words
    run = sim.simulate(
        spacecraft(5e-2, coulomb=2e-3, coulomb_rate=1e-2), duration=0.01, rtol=1e-10
    )  # the friction is constant there
    slowed = (run.values("internal_rate")[-1, 0] - 5e-2) / 0.01
    assert slowed == pytest.approx(-2e-3 / 0.1 * (1.0 + 0.1 / 10.0), rel=1e-2)
    assert abs(slowed) < 0.5 * 2.0 * 5e-2  # far from what the damping of the model would give


@pytest.mark.parametrize(
    ("rate", "friction"),
    [
        (100.0, {"coulomb": 2e-3, "coulomb_rate": 1e-2}),
        (-0.04, {"coulomb": 2e-3, "coulomb_rate": 1e-2}),
        (0.0, {"friction": 1e-3}),
    ],
)
def test_friction_that_is_linear_is_not_named(rate: float, friction: dict[str, float]):
    craft = spacecraft(rate, **friction)
    assert craft.linearize(craft.at_rest(), allow_nonequilibrium=True).left_out == ()


def test_static_friction_at_rest_is_part_of_the_damping():
    """(C + excess)/w0: with a static friction of 3e-3 N m the slope is 0.003/w0."""
    craft = spacecraft(0.0, coulomb=2e-3, coulomb_rate=1e-2, static_friction=3e-3, stribeck_rate=0.2)
    (words,) = craft.linearize(craft.at_rest()).left_out
    assert f"a damping of {3e-3 / craft.elements[0].smoothing_rate / 0.1:.4g} 1/s" in words
    assert np.isfinite(craft.elements[0].smoothing_rate)
