"""Default step and integrator of a run of a spacecraft with flexible arms."""

import math

import pytest

from polhode import plant, sim
from polhode.plant import InputError
from polhode.sim.engine.steppers.resolving_step import default_integrator, resolving_step

from ....crafts import FREE, arms

SLOWEST = 2.0 * math.pi * plant.flexible.modes_of(plant.Spacecraft(FREE, elements=arms())).hertz[0]


def craft_of(*elements):
    return plant.Spacecraft(FREE, elements=[*elements, *arms()])


def period_share(craft, **start):
    """The angular frequency whose period is twenty steps of a run."""
    step = resolving_step(craft, craft.state(**start))
    assert step is not None
    return 0.1 * math.pi / step


def test_step_follows_the_slowest_vibration_of_arms():
    assert period_share(craft_of()) == pytest.approx(SLOWEST)


def test_step_follows_the_vibration_of_an_element():
    spring = plant.MassSpringDamper(mass=1.0, point=(0, 0, 0), axis=(1, 0, 0), stiffness=900.0)
    assert period_share(craft_of(spring)) == pytest.approx(30.0 * math.sqrt(61.0 / 60.0), rel=1e-6)  # the hub recoils


def test_step_follows_vibration_in_a_field_without_value_at_the_origin():
    spring = plant.MassSpringDamper(mass=1.0, point=(0, 0, 0), axis=(1, 0, 0), stiffness=900.0)
    field = plant.GravityGradient(mu=3.986e14)
    craft = plant.Spacecraft(FREE, elements=[spring, *arms()], potentials=[field], translation=True)
    share = period_share(craft, position=(7e6, 0, 0), velocity=(0, 7.5e3, 0))
    assert share == pytest.approx(30.0 * math.sqrt(61.0 / 60.0), rel=1e-6)


def test_step_follows_spin_nutation_and_swings():
    assert period_share(craft_of(), rate=(0, 0, 20.0)) == pytest.approx(20.0)
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.5, relative_rate=600.0)
    least = 8.9  # kg m^2, of the hub
    assert period_share(craft_of(wheel)) == pytest.approx(0.5 * 600.0 / least, rel=0.02)
    pendulum = plant.Pendulum(mass=1.0, length=0.3, hinge=(0, 0, 0), direction=(0, 0, 1), axis=(1, 0, 0), rate=25.0)
    assert period_share(craft_of(pendulum), rate=(0, 0, 0)) >= 25.0


@pytest.mark.parametrize("elements", [(), (plant.Wheel(axis=(0, 0, 1), inertia=0.1),)])
def test_resolving_step_is_unset_without_arms(elements):
    craft = plant.Spacecraft(FREE, elements=elements)
    assert resolving_step(craft) is None
    assert default_integrator(craft) == "dop853"
    with pytest.raises(InputError, match="'gauss4' needs a step"):
        sim.simulate(craft, duration=1.0, integrator="gauss4")


def test_arms_take_the_implicit_integrator_unless_a_tolerance_is_given():
    craft = craft_of()
    run = sim.simulate(craft, rate=(0.01, 0, 0), duration=1.0)
    assert (run.scheme.integrator, run.status) == ("gauss4", "completed")
    assert run.scheme.step == pytest.approx(0.1 * math.pi / SLOWEST)
    assert default_integrator(craft, rtol=1e-9) == "dop853"
