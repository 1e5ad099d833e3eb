"""One rule for all loads: a load that depends on the position needs a spacecraft that defines the position."""

import numpy as np
import pytest

from polhode import plant

FREE = plant.RigidBody((4, 3, 2), mass=1.5)
PIVOTED = plant.RigidBody((4, 3, 2), mass=1.5, pivot=(0, 0, 0))
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
def test_position_dependent_load_needs_pivot_or_translation(name):
    potential = DEPENDING[name]
    message = name.removesuffix(" of gradient")
    with pytest.raises(
        plant.InputError,
        match=rf"^{message} depends on the position or velocity of the mass centre.*pivot=.*translation=True",
    ):
        plant.Spacecraft(FREE, potentials=[potential])
    plant.Spacecraft(FREE, potentials=[potential], translation=True)
    if message != "uniform gravity":  # has no effect on a body pivoted at its mass centre, which is rejected
        plant.Spacecraft(PIVOTED, potentials=[potential])


def test_attitude_dependent_load_needs_no_position():
    for potential in (
        plant.Potential(lambda c, e: e[0] ** 2),
        plant.GravityGradient(mu=1.0, position=(1, 0, 0), velocity=(0, 1, 0)),
    ):
        craft = plant.Spacecraft(FREE, potentials=[potential])
        assert np.isfinite(craft.derivative(0.0, craft.at_rest())).all()
        assert np.isfinite(craft.energy(craft.at_rest()))


def test_hub_without_mass_does_not_define_the_total_mass_centre():
    body = plant.RigidBody((4, 3, 2), pivot=(0, 0, 0))
    with pytest.raises(
        plant.InputError,
        match=r"the potential 'hill' depends on the position of the total mass centre, .* mass of the hub",
    ):
        plant.Spacecraft(body, elements=[SLIDER], potentials=[plant.Potential(hill)])
    drag = plant.UserForce(lambda t, e, omega, c, v: (0, 0, 0, *(-v)))
    plant.Spacecraft(body, elements=[SLIDER], user_forces=[drag])
    plant.Spacecraft(body, elements=[SLIDER], potentials=[plant.UniformGravity((0, 0, -9.81))])  # on the slider only


def test_spring_force_moves_only_a_translating_spacecraft():
    """The torque about the mass centre is the same; the spring force translating it only with translation."""
    spring = plant.Spring(body_point=(0, 0, 1), inertial_point=(1, 0, 1), stiffness=5.0)
    pivoted = plant.Spacecraft(PIVOTED, potentials=[spring])
    translating = plant.Spacecraft(FREE, potentials=[spring], translation=True)
    np.testing.assert_allclose(pivoted.derivative(0.0, pivoted.at_rest())[:3], (0, 5, 0), rtol=0, atol=1e-15)
    np.testing.assert_allclose(
        translating.derivative(0.0, translating.at_rest())[[0, 1, 2, 10]], (0, 5, 0, 5), rtol=0, atol=1e-15
    )
