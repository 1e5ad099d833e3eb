"""One rule for all loads: what depends on where the mass centre is needs a craft that follows it."""

import numpy as np
import pytest

from polhode import plant

FREE = plant.RigidBody((4, 3, 2), mass=1.5)
NAILED = plant.RigidBody((4, 3, 2), mass=1.5, pivot=(0, 0, 0))
SLIDER = plant.MassSpringDamper(point=(0.4, 0, 0), axis=(0, 0, 1), mass=0.5, stiffness=1.0)


def hill(c, e):
    return c[0] ** 2 + e[1]


DEPENDING = {
    "uniform gravity": plant.UniformGravity((0, 0, -9.81)),
    "a spring": plant.Spring(body_point=(0, 0, 1), inertial_point=(0, 1, 2), stiffness=5.0),
    "a guided spring": plant.GuidedSpring(body_point=(0, 0, 1), direction=(0, 1, 0), stiffness=5.0),
    "the potential 'hill'": plant.Potential(hill),
    "the potential 'hill' of gradient": plant.Potential(hill, lambda c, e: (2 * c[0], 0, 0, 0, 1, 0, 0)),
}


@pytest.mark.parametrize("name", DEPENDING)
def test_what_depends_on_the_place_needs_a_pivot_or_translation(name):
    potential = DEPENDING[name]
    words = name.removesuffix(" of gradient")
    with pytest.raises(
        plant.InputError, match=rf"^{words} depends on where the mass centre is.*pivot=.*translation=True"
    ):
        plant.Spacecraft(FREE, potentials=[potential])
    plant.Spacecraft(FREE, potentials=[potential], translation=True)
    if words != "uniform gravity":  # which does nothing to a body held at its mass centre, and says so
        plant.Spacecraft(NAILED, potentials=[potential])


def test_what_does_not_depend_on_it_is_free():
    for potential in (
        plant.Potential(lambda c, e: e[0] ** 2),
        plant.GravityGradient(mu=1.0, position=(1, 0, 0), velocity=(0, 1, 0)),
    ):
        craft = plant.Spacecraft(FREE, potentials=[potential])
        assert np.isfinite(craft.derivative(0.0, craft.at_rest())).all()
        assert np.isfinite(craft.energy(craft.at_rest()))


def test_a_hub_without_mass_has_a_place_of_its_own_but_not_of_the_whole():
    body = plant.RigidBody((4, 3, 2), pivot=(0, 0, 0))
    with pytest.raises(
        plant.InputError, match=r"the potential 'hill' depends on .* hub and elements .* mass of the hub"
    ):
        plant.Spacecraft(body, elements=[SLIDER], potentials=[plant.Potential(hill)])
    drag = plant.Effort(lambda t, e, omega, c, v: (0, 0, 0, *(-v)))
    plant.Spacecraft(body, elements=[SLIDER], efforts=[drag])
    plant.Spacecraft(body, elements=[SLIDER], potentials=[plant.UniformGravity((0, 0, -9.81))])  # on the slider alone


def test_a_spring_at_the_mass_centre_of_a_nailed_craft_does_nothing_and_a_translating_one_recoils():
    """The torque about the mass centre is the same; only with translation does the anchor's pull move it."""
    spring = plant.Spring(body_point=(0, 0, 1), inertial_point=(1, 0, 1), stiffness=5.0)
    nailed = plant.Spacecraft(NAILED, potentials=[spring])
    moves = plant.Spacecraft(FREE, potentials=[spring], translation=True)
    np.testing.assert_allclose(nailed.derivative(0.0, nailed.at_rest())[:3], (0, 5, 0), rtol=0, atol=1e-15)
    np.testing.assert_allclose(moves.derivative(0.0, moves.at_rest())[[0, 1, 2, 10]], (0, 5, 0, 5), rtol=0, atol=1e-15)
