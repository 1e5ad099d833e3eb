"""Rigid equivalent of a mesh: its inertia, momentum and energy are those of the undeformed mesh, and of rods."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant.flexible import Arm, BeamSection, rigid_twin

RATE = (0.3, -0.2, 0.4)
INERTIA = np.array(((14.0, 0.5, 0.2), (0.5, 11.0, -0.3), (0.2, -0.3, 9.0)))
SECTION = BeamSection(
    area=1e-3,
    second_moment_m=8e-7,
    second_moment_n=2e-6,
    youngs_modulus=7e9,
    shear_modulus=2.6e9,
    density=2700.0,
)


def elements():
    return [
        Arm(section=SECTION, length=2.0, elements=2, direction=(1, 0.2, 0.1), root=(0.4, 0, 0.1), tip_mass=0.5),
        plant.Pendulum(mass=4.0, length=0.5, hinge=(0.1, 0.2, -0.3), direction=(0, 0, -1)),
        Arm(section=SECTION, length=1.5, elements=3, direction=(-1, 0.3, 0.2), root=(-0.3, 0.1, 0)),
        plant.Wheel(axis=(1, 0, 0), inertia=0.06, friction=0.01, relative_rate=200.0),
        Arm(section=SECTION, length=0.5, elements=1, direction=(0, 1, 0.2), section_axis=(1, 0, 1)),
    ]


HUBS = {
    "free": ({}, {}),
    "pivoted under gravity": (
        {"pivot": (0.1, -0.2, 0.3)},
        {"potentials": [plant.UniformGravity((0.0, 1.0, -9.81))]},
    ),
    "translating": ({}, {"translation": True}),
}


@pytest.mark.parametrize("hub", HUBS)
def test_rigid_equivalent_matches_the_undeformed_mesh(hub):
    body, more = HUBS[hub]
    craft = plant.Spacecraft(plant.RigidBody(INERTIA, mass=60.0, **body), elements=elements(), **more)
    twin = rigid_twin(craft)
    assert twin.layout.coordinates == craft.layout.coordinates
    assert not twin.layout.own_names
    assert twin.mass == pytest.approx(craft.mass, rel=1e-14)
    at, its = (each.state(attitude=(0.7, 0.1, 0.5, 0.5), rate=RATE) for each in (craft, twin))
    np.testing.assert_allclose(its, at[: its.size], rtol=0, atol=1e-13)
    np.testing.assert_allclose(twin.locked_inertia(its), craft.locked_inertia(at), rtol=0, atol=1e-13)
    assert twin.energy(its) == pytest.approx(craft.energy(at), rel=1e-13)


def test_rigid_equivalent_of_arms_is_rods():
    """Explicit parallel-axis theorem: sections rotated about their own axes, beams and tip masses."""
    twin = rigid_twin(plant.Spacecraft(plant.RigidBody(INERTIA, mass=60.0, pivot=(0, 0, 0)), elements=[elements()[0]]))
    along = np.array((1, 0.2, 0.1)) / np.linalg.norm((1, 0.2, 0.1))
    m = np.array((0.0, 1.0, 0.0)) - along[1] * along
    m /= np.linalg.norm(m)
    n = np.cross(along, m)
    expected = INERTIA.copy()
    s = (np.arange(20_000) + 0.5) / 20_000 * 2.0
    places = np.array((0.4, 0, 0.1)) + s[:, None] * along
    for r, dm in ((places, 2.7 * 2.0 / 20_000), (np.array((0.4, 0, 0.1)) + 2.0 * along[None], 0.5)):
        expected += dm * (np.eye(3) * np.sum(r * r) - r.T @ r)
    turned = 2700.0 * 2.0 * (8e-7 * np.outer(m, m) + 2e-6 * np.outer(n, n) + 2.8e-6 * np.outer(along, along))
    np.testing.assert_allclose(twin.locked_inertia(twin.at_rest()), expected + turned, rtol=1e-7)


def test_rigid_equivalent_without_arms_is_the_spacecraft():
    craft = plant.Spacecraft(plant.RigidBody(INERTIA))
    assert rigid_twin(craft) is craft


def test_rigid_part_without_mass_is_rejected():
    from polhode.plant.elements import RigidPart

    with pytest.raises(plant.InputError, match="mass of a rigid part must be greater than 0"):
        RigidPart(mass=0.0, center=(0, 0, 0), inertia=(1, 1, 1))
