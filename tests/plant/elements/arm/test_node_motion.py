"""Node positions and velocities of arms, against the equations of motion and an independent mass integral."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant import InputError
from polhode.plant.attitude import quaternion_product, rotation_matrix
from polhode.plant.flexible import (
    Arm,
    BeamSection,
    hub_position,
    mass_centre,
    node_attitudes,
    node_positions,
    node_rates,
    node_strains,
    node_velocities,
    strain_energy,
    tip_deflection,
)

INERTIA = np.array(((14.0, 0.5, 0.2), (0.5, 11.0, -0.3), (0.2, -0.3, 9.0)))
FREE = plant.RigidBody(INERTIA, mass=60.0)
HELD = plant.RigidBody(INERTIA + 20.0 * np.eye(3), mass=60.0, pivot=(0.1, -0.2, 0.3))
SLIDER = plant.MassSpringDamper(mass=8.0, point=(0.1, 0.2, 0.3), axis=(1, 1, 0), stiffness=10.0, damping=0.3)
WHEEL = plant.Wheel(axis=(1, 0, 0), inertia=0.06, friction=0.01, relative_rate=200.0)
PENDULUM = plant.Pendulum(mass=4.0, length=0.5, hinge=(0.1, 0.2, -0.3), direction=(0, 0, -1))
SECTION = BeamSection(
    area=1e-3,
    second_moment_m=8e-9,
    second_moment_n=2e-8,
    youngs_modulus=7e8,
    shear_modulus=2.6e8,
    density=2700.0,
    damping_time=1e-5,
)
ARMS = [
    Arm(section=SECTION, length=2.0, elements=2, direction=(1, 0.2, 0.1), root=(0.4, 0, 0.1), tip_mass=0.5),
    Arm(section=SECTION, length=1.5, elements=3, direction=(-1, 0.3, 0.2), root=(-0.3, 0.1, 0)),
]
CRAFTS = {
    "free": plant.Spacecraft(FREE, elements=[*ARMS, PENDULUM, WHEEL, SLIDER]),
    "arms only": plant.Spacecraft(FREE, elements=ARMS),
    "an arm between others": plant.Spacecraft(FREE, elements=[WHEEL, ARMS[0], SLIDER, ARMS[1]], translation=True),
    "held": plant.Spacecraft(HELD, elements=[WHEEL, ARMS[0], SLIDER, ARMS[1]]),
    "held without a mass": plant.Spacecraft(
        plant.RigidBody(40.0 * np.eye(3), pivot=(0, 0, 0)), elements=[SLIDER, *ARMS]
    ),
}


def somewhere(craft, rows=2, *, seed=1):
    """States with deformed arms and all parts in motion."""
    rng = np.random.default_rng(seed)
    start = craft.state(attitude=np.array((0.7, 0.1, 0.5, 0.5)), rate=(0.3, -0.2, 0.4))
    sizes = [1e-4 if "spin" in name or "momentum" in name else 0.02 for name in craft.layout.names]
    states = start + np.array(sizes) * rng.standard_normal((rows, start.size))
    for at in (3, *craft.layout.own_units_at):
        states[:, at : at + 4] /= np.linalg.norm(states[:, at : at + 4], axis=1, keepdims=True)
    if craft.translation:
        states[:, craft.layout.position] += (7e3, 1.0, 3.0)
    return states


def along(craft, states, step):
    return states + step * np.array([craft.derivative(0.0, x) for x in states])


@pytest.mark.parametrize("name", CRAFTS)
def test_node_velocities_and_rates_match_differences(name):
    """Central differences along the motion, with a step in which the fastest node (200 rad/s) rotates by 2e-4 rad."""
    craft, h = CRAFTS[name], 1e-6
    states = somewhere(craft)
    before, after = along(craft, states, -h), along(craft, states, h)
    tolerance = 1e-9 if not craft.translation else 2e-6  # an ulp of 7 km is 9e-13 m, over 2e-6 s
    for a, b, v in zip(
        node_positions(craft, before), node_positions(craft, after), node_velocities(craft, states), strict=True
    ):
        np.testing.assert_allclose((b - a) / (2.0 * h), v, rtol=0, atol=tolerance)
    here = node_attitudes(craft, states)
    for a, e, b, w in zip(
        node_attitudes(craft, before), here, node_attitudes(craft, after), node_rates(craft, states), strict=True
    ):
        turning = quaternion_product((b - a) / h, e * (1.0, -1.0, -1.0, -1.0))
        fastest = np.abs(w).max()
        np.testing.assert_allclose(turning[..., 1:], w, rtol=0, atol=2e-9 + (h * fastest) ** 2 * fastest)


def beam_moment(arm, places, attitudes, strains):
    """int r dm of a beam by Gauss points on the cubic through node positions and slopes."""
    slopes = (1.0 + strains[..., None]) * rotation_matrix(attitudes)[..., 0] * arm.length / arm.elements
    total = arm.tip_mass * places[:, -1]
    points, weights = np.polynomial.legendre.leggauss(3)
    for k in range(arm.elements):
        for s, weight in zip(0.5 + 0.5 * points, 0.5 * weights, strict=True):
            r = (1 - 3 * s**2 + 2 * s**3) * places[:, k] + (3 * s**2 - 2 * s**3) * places[:, k + 1]
            r = r + (s - 2 * s**2 + s**3) * slopes[:, k] + (s**3 - s**2) * slopes[:, k + 1]
            total = total + weight * (arm.mass - arm.tip_mass) / arm.elements * r
    return total


@pytest.mark.parametrize("name", ["an arm between others", "held", "arms only"])
def test_mass_centre_of_arms_matches_mass_integral(name):
    craft = CRAFTS[name]
    states = somewhere(craft, 3)
    hub = hub_position(craft, states)
    parts = zip(
        ARMS, node_positions(craft, states), node_attitudes(craft, states), node_strains(craft, states), strict=True
    )
    total = 60.0 * hub + sum(beam_moment(*part) for part in parts)
    if any(each is SLIDER for each in craft.elements):
        slid = states[:, list(craft.layout.names).index("slider_displacement"), None]
        own = np.array((0.1, 0.2, 0.3)) + slid * np.array((1, 1, 0)) / np.sqrt(2)
        total = total + 8.0 * (hub + np.einsum("nij,nj->ni", rotation_matrix(states[:, 3:7]), own))
    computed = mass_centre(craft, states)
    np.testing.assert_allclose(computed, total / craft.mass, rtol=1e-15, atol=1e-14)
    if not craft.translation and craft.body.pivot is None:
        assert not computed.any()
    if craft.translation:
        np.testing.assert_array_equal(computed, states[:, craft.layout.position])


def test_node_positions_of_roots_are_fixed_to_the_hub():
    for craft in CRAFTS.values():
        states = somewhere(craft)
        hub, turn = hub_position(craft, states), rotation_matrix(states[:, 3:7])
        for arm, places, axes in zip(ARMS, node_positions(craft, states), node_attitudes(craft, states), strict=True):
            np.testing.assert_allclose(places[:, 0], hub + turn @ np.asarray(arm.root), rtol=1e-15, atol=1e-14)
            np.testing.assert_allclose(rotation_matrix(axes[:, 0]), turn @ arm.frame, rtol=0, atol=1e-14)
        if craft.body.pivot is not None:
            np.testing.assert_allclose(hub, turn @ -craft.body.pivot, rtol=0, atol=1e-15)


def test_tip_deflection_matches_tip_displacement():
    craft = CRAFTS["an arm between others"]
    x = craft.state(attitude=(0.7, 0.1, 0.5, 0.5), position=(1.0, 2.0, 3.0))
    np.testing.assert_allclose(tip_deflection(craft, [x]), 0.0, atol=1e-14)
    arm, at = ARMS[1], craft.layout.own_units_at[-1] - 3
    moved = np.array((0.01, -0.02, 0.03))
    x[at : at + 3] += rotation_matrix(x[3:7]) @ arm.frame @ moved
    np.testing.assert_allclose(tip_deflection(craft, [x])[0], [(0, 0, 0), moved], atol=1e-14)


@pytest.mark.parametrize("rows", [1, 20])
def test_strain_energy_is_the_total_energy_at_rest(rows):
    craft = CRAFTS["arms only"]
    states = somewhere(craft, rows)
    states[:, :3] = 0.0
    at = craft.layout.own.start
    for arm in ARMS:
        states[:, at + 1 + 8 * arm.elements : at + len(arm.states)] = 0.0
        at += len(arm.states)
    expected = [craft.energy(x) for x in states]
    np.testing.assert_allclose(strain_energy(craft, states), expected, rtol=1e-13)


def test_strain_energy_of_stretched_arm_matches_closed_form():
    """1/2 E A L strain^2."""
    craft = plant.Spacecraft(FREE, elements=ARMS[:1])
    x = craft.at_rest()
    arm, strain = ARMS[0], 1e-3
    for k, at in enumerate(craft.layout.own_units_at):
        x[at - 3 : at] = np.asarray(arm.root) + (k + 1) * (1.0 + strain) * np.asarray(arm.direction)
        x[at + 4] = strain
    x[craft.layout.own.start] = strain
    assert strain_energy(craft, [x])[0] == pytest.approx(0.5 * 7e8 * 1e-3 * 2.0 * strain**2, rel=1e-12)
    np.testing.assert_array_equal(node_strains(craft, [x])[0], [[strain] * 3])


@pytest.mark.parametrize("function", [node_positions, node_velocities, node_rates, node_attitudes])
def test_node_motion_vectorised_matches_single_states(function):
    craft = CRAFTS["free"]
    states = somewhere(craft, 40)
    for many, few in zip(function(craft, states), function(craft, states[-3:]), strict=True):
        np.testing.assert_allclose(many[-3:], few, rtol=1e-12, atol=1e-12)


def test_node_motion_rejects_wrong_states():
    craft = CRAFTS["free"]
    with pytest.raises(InputError, match=r"rows of 94 numbers each; got shape \(94,\)"):
        node_positions(craft, craft.at_rest())
    with pytest.raises(InputError, match="needs the mass of the hub"):
        mass_centre(CRAFTS["held without a mass"], [CRAFTS["held without a mass"].at_rest()])
    bare = plant.Spacecraft(FREE)
    assert node_positions(bare, [bare.at_rest()]) == []
    with pytest.raises(InputError, match="no flexible arms"):
        tip_deflection(bare, [bare.at_rest()])
