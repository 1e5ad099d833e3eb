"""Ring nutation damper of Shivarama & Fahrenthold (2004), example 4, consistent model.

Reference values: a symbolic Lagrangian of rotor and arc, integrated to fifteen digits.
"""

import numpy as np
import pytest
from scipy.optimize import brentq

from polhode import plant, sim

RING = {"axis": (0, 0, 1), "mass": 0.05, "radius": 0.5, "friction": 0.2, "center": (0, 0, 0.3)}
INERTIA = np.array((1.0, 1.0, 1.6))
TILT = (np.cos(0.05), np.sin(0.05), 0.0, 0.0)


def rotor(potentials=(), **changes) -> plant.Spacecraft:
    ring = plant.RingDamper(**{**RING, "fill": 2 * np.pi / 3, "angle": 0.5, **changes})
    return plant.Spacecraft(plant.RigidBody(INERTIA, pivot=(0, 0, 0)), elements=[ring], potentials=potentials)


def values(craft, state):
    """h, beta, w_m3, E."""
    x = state[: craft.layout.size]
    model_rate = craft.derivative(0.0, x)
    omega = craft.rate(x)
    return np.array([*(INERTIA * omega), x[7], omega[2] + model_rate[7], craft.energy(x)])


def test_ring_damper_motion_matches_symbolic_reference():
    craft = rotor()
    x = craft.state(attitude=TILT, rate=(2, 0, 10))
    assert np.linalg.norm(x[:3]) == pytest.approx(16.233428487613, abs=5e-13)  # 14 digits printed
    run = sim.simulate(craft, state=x, duration=60.0, output_times=[1.0, 5.0, 60.0], rtol=1e-13)
    expected = (
        (1.75939365604163, -0.464972295424222, 15.9912364465647, 0.324728931294458, 12.3497192208141, 82.4211988350476),
        (0.727238955757275, -1.24784783983578, 16.0351584967962, 1.20316993592358, 9.86096210888949, 82.0697481701486),
        (
            0.0796175005452824,
            -0.0373359108362617,
            16.1061172219474,
            2.62234443895005,
            10.0851584721377,
            81.709762303992,
        ),
    )
    computed = [values(craft, row) for row in run.states]
    np.testing.assert_allclose(computed, expected, rtol=0, atol=1e-9)


def test_ring_damper_under_gravity_matches_symbolic_reference():
    craft = rotor([plant.UniformGravity((0, 0, -9.81))])
    run = sim.simulate(
        craft, state=craft.state(attitude=TILT, rate=(2, 0, 10)), duration=1.0, output_times=[1.0], rtol=1e-13
    )
    expected = (1.71183498855696, -0.462043757609153, 15.9919922632493, 0.339845264985846, 12.7426725654247)
    np.testing.assert_allclose(values(craft, run.states[0])[:5], expected, rtol=0, atol=1e-9)


def test_ring_damper_inertia_of_the_arc_matches_published_moments():
    """Jm1 to Jm4 of a thin arc, as published."""
    g, m, r, h = 2.0, 0.05, 0.5, 0.3
    craft = rotor(fill=g, angle=0.0)
    added = craft.locked_inertia(craft.at_rest()) - np.diag(INERTIA)
    arc = np.diag([0.5 * r**2 * (1 - np.sin(g) / g) + h**2, 0.5 * r**2 * (1 + np.sin(g) / g) + h**2, r**2])
    arc[0, 2] = arc[2, 0] = -r * h * np.sin(g / 2) / (g / 2)
    np.testing.assert_allclose(added, m * arc, rtol=0, atol=1e-15)


def test_ring_damper_slug_moves_the_mass_centre_of_a_free_craft():
    ring = plant.RingDamper(**{**RING, "fill": 2.0, "angle": 0.4})
    with pytest.raises(plant.InputError, match="requires the mass of the hub"):
        plant.Spacecraft(plant.RigidBody(INERTIA), elements=[ring])
    free = plant.Spacecraft(plant.RigidBody(INERTIA, mass=3.0), elements=[ring])
    held = rotor(fill=2.0, angle=0.4)
    x, y = free.spinning((0.1, 0.2, 3.0)), held.spinning((0.1, 0.2, 3.0))
    d = 0.05 * np.array((0.5 * np.sin(1.0) * np.cos(0.4), 0.5 * np.sin(1.0) * np.sin(0.4), 0.3))
    shift = (d @ d * np.eye(3) - np.outer(d, d)) / 3.05  # from the hub's mass centre to the total one
    np.testing.assert_allclose(held.locked_inertia(y) - free.locked_inertia(x), shift, rtol=0, atol=1e-15)
    assert free.mass == pytest.approx(3.05)


def test_full_ring_damper_is_equivalent_to_viscous_wheel():
    """A wheel of inertia m R^2, with the transverse inertia m R^2/2 in the hub; axis normal to the spin."""
    inertia = 0.05 * 0.25
    ring = plant.RingDamper(**{**RING, "axis": (1, 0, 0), "center": (0, 0, 0), "relative_rate": 3.0})
    wheel = plant.Wheel(axis=(1, 0, 0), inertia=inertia, friction=0.2 * 0.25, relative_rate=3.0)
    for hub, sign in (((1.6, 1.5, 1.0), 1), ((1.0, 1.1, 1.6), -1)):
        ringed = plant.Spacecraft(plant.RigidBody(hub), elements=[ring])
        wheeled = plant.Spacecraft(plant.RigidBody(np.add(hub, (0, inertia / 2, inertia / 2))), elements=[wheel])
        runs = [sim.simulate(c, rate=(0.5, 0.0, 10.0), duration=20.0, rtol=1e-13) for c in (ringed, wheeled)]
        np.testing.assert_allclose(runs[0].states, runs[1].states, rtol=0, atol=1e-9)
        tilt = [np.arctan2(np.hypot(*x[:2]), x[2]) for x in runs[0].states]
        assert sign * (max(tilt[-50:]) - max(tilt[:50])) > 0.003  # nutation grows about the axis of least inertia only


def test_ring_damper_eigenvalues_about_steady_spin():
    """The slug tilts the axis of the steady spin; it is found first, with the slug at beta = 0."""
    craft = rotor(angle=0.0)

    def leaning(lean):
        omega = np.array((np.sin(lean), 0.0, np.cos(lean))) * 10.0
        x = craft.spinning(omega)
        return np.cross(x[:3], omega)[1], x

    lean = brentq(lambda lean: leaning(lean)[0], -1.0, 1.0, xtol=1e-15)
    values = craft.linearize(leaning(lean)[1]).eigenvalues()
    assert np.abs(values - (-0.07861464 + 6.07334705j)).min() < 1e-8


def test_full_ring_damper_has_weight_about_an_offset_pivot():
    """A full ring about the hub's mass centre leaves M unchanged, but not the torque of gravity."""
    body = plant.RigidBody((1.0, 1.0, 1.6), mass=2.0, pivot=(0.3, 0, 0))
    ring = plant.RingDamper(axis=(0, 0, 1), mass=0.5, radius=0.4, friction=0.1)
    craft = plant.Spacecraft(body, elements=[ring], potentials=[plant.UniformGravity((0, 0, -10.0))])
    rates = craft.derivative(0.0, craft.at_rest())
    np.testing.assert_allclose(rates[:3], np.cross((-0.3, 0, 0), (0, 0, -25.0)), rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"friction": -0.1}, r"friction of ring must not be negative \(kg/s\); got -0.1"),
        ({"fill": 0.0}, r"fill of ring must be greater than 0 \(rad\); got 0"),
        ({"fill": -1.0}, r"fill of ring must be greater than 0 \(rad\); got -1"),
        ({"fill": 6.3}, r"fill of ring must be at most 6.283 rad; got 6.3 rad"),
        ({"mass": 0.0}, "mass of ring must be greater than 0"),
        ({"radius": -0.5}, "radius of ring must be greater than 0"),
        ({"axis": (0, 0, 0)}, "axis of ring must have a direction"),
        ({"center": (0, 0)}, "center of ring must be 3 numbers"),
        ({"angle": np.nan}, "angle of ring must be finite"),
    ],
)
def test_ring_damper_rejects_bad_input(change, message):
    with pytest.raises(plant.InputError, match=message):
        plant.RingDamper(**{**RING, **change})
