"""The ring damper as published: its own terms; its motion is compared in tests/sim/test_compare_rings.py."""

import numpy as np
import pytest

from polhode import plant

RING = {"axis": (0, 0, 1), "mass": 0.05, "radius": 0.5, "friction": 0.2, "center": (0, 0, 0.3), "angle": 0.5}
G = np.array((1.0, -2.0, -9.81))
TINY = 1e-40


def model(gravity=G, **changes) -> plant.PublishedRing:
    ring = plant.RingDamper(**{**RING, "fill": 2.0, **changes})
    return plant.PublishedRing(body=plant.RigidBody((1.0, 1.2, 1.6)), ring=ring, gravity=gravity)


def test_potential_terms_are_gradients_of_the_energy():
    """(63), (66) at rest: -1/2 G dV/de + dV/dbeta c on the rotor, -dV/dbeta on the ring."""
    ring = model()
    e = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)
    x = ring.state(rate=(0, 0, 0), attitude=e)
    slope = np.array([ring.energy(x + h) - ring.energy(x - h) for h in 1e-5 * np.eye(9)]) / 2e-5  # V is quadratic in e
    rates = ring.derivative(x)
    a, b, c, d = e
    grid = np.array([[-b, a, d, -c], [-c, -d, a, b], [-d, c, -b, a]])
    torque = -0.5 * grid @ slope[3:7] + (0, 0, slope[7])
    np.testing.assert_allclose(rates[:3], torque, rtol=0, atol=1e-9)
    held = model(gravity=(0, 0, 0)).derivative(x)
    assert not held.any()
    g, m, r, height = 2.0, 0.05, 0.5, 0.3
    arc = np.diag([0.5 * r**2 * (1 - np.sin(g) / g) + height**2, 0.5 * r**2 * (1 + np.sin(g) / g) + height**2, r**2])
    arc[0, 2] = arc[2, 0] = -r * height * np.sin(g / 2) / (g / 2)
    assert rates[8] == pytest.approx(-slope[7] * np.linalg.inv(m * arc)[2, 2], abs=1e-8)


def test_at_the_start_it_is_the_consistent_one():
    """Momentum and energy of rotor and ring are the same functions in both."""
    ring = plant.RingDamper(**RING, fill=2.0, relative_rate=3.0)
    body = plant.RigidBody((1.0, 1.2, 1.6), pivot=(0, 0, 0))
    craft = plant.Spacecraft(body, elements=[ring], potentials=[plant.UniformGravity(G)])
    published = plant.PublishedRing(body=body, ring=ring, gravity=G)
    e, rate = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99), (0.3, -2.0, 5.0)
    x, y = craft.state(attitude=e, rate=rate), published.state(attitude=e, rate=rate)
    np.testing.assert_allclose(published.momentum(y), craft.inertial_momentum(x), rtol=0, atol=1e-13)
    assert published.energy(y) == pytest.approx(craft.energy(x), rel=1e-14)


def test_what_it_was_not_written_for():
    ring = plant.RingDamper(**RING)
    with pytest.raises(plant.InputError, match="principal axes"):
        plant.PublishedRing(body=plant.RigidBody(((2, 0.1, 0), (0.1, 2, 0), (0, 0, 2))), ring=ring)
    with pytest.raises(plant.InputError, match="leave out the pivot"):
        plant.PublishedRing(body=plant.RigidBody((2, 2, 2), mass=1.0, pivot=(0, 0, 1)), ring=ring)
    for change in ({"axis": (1, 0, 0)}, {"center": (0.1, 0, 0)}):
        with pytest.raises(plant.InputError, match="ring about body z"):
            model(**change)
    with pytest.raises(plant.InputError, match="gravity must be 3 numbers"):
        model(gravity=9.81)
