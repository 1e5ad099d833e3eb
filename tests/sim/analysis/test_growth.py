"""The growth rate of a small error in the nonlinear simulation is the logarithm of the largest pole."""

import numpy as np
import pytest

from polhode import controllers, plant, sim

INERTIA = np.array([[400.0, 12.0, -8.0], [12.0, 307.8, 15.0], [-8.0, 15.0, 200.0]])


@pytest.fixture(scope="module")
def craft():
    return plant.Spacecraft(plant.RigidBody(INERTIA), torques=plant.TorqueBasis("body", limit=1.0))


@pytest.mark.parametrize("late", [4.0, 4.3, 4.9])
def test_rate_is_the_logarithm_of_the_largest_pole(craft, late):
    law = controllers.lqr(craft.linearize(craft.at_rest()), attitude=25.0, rate=1.0, effort=1.0, sample=0.1)
    pole = law.loop(law.model, delay=late).radius()
    found = sim.growth(craft, sim.ChangedLaw(law, late=(late,) * 3), duration=300.0)
    assert found == pytest.approx(np.log(pole) / 0.1, rel=0.1, abs=2e-5)
    assert (found > 0.0) == (pole > 1.0)


def test_vanished_error_is_decay_and_saturated_error_is_growth(craft):
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=1.0, sample=0.1)
    assert sim.growth(craft, law, duration=2000.0) < -0.005
    assert sim.growth(craft, sim.ChangedLaw(law, factor=(1, 30, 1)), duration=2000.0) > 0.005


def test_about_a_spin():
    craft = plant.Spacecraft(plant.RigidBody((400.0, 307.8, 200.0)))
    spin = craft.linearize(craft.spinning((0.0, 0.0, 0.1)))
    law = controllers.lqr(spin, attitude=25.0, rate=1.0, effort=1.0, sample=0.1)
    found = sim.growth(craft, law, duration=100.0)
    assert found == pytest.approx(np.log(abs(law.closed_loop_poles()[0])) / 0.1, rel=0.05)


def test_bad_input(craft):
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=1.0, sample=0.1)
    with pytest.raises(plant.InputError, match="duration"):
        sim.growth(craft, law, duration=0.0)


def test_growth_about_wheels_held_against_friction():
    """The error ends at an offset, due to the friction of wheels with momentum: it neither grows nor decays."""
    axes = ((1, 1, 1), (-1, 1, 1), (-1, -1, 1), (1, -1, 1))
    wheels = plant.wheel_array(axes, inertia=0.02, friction=1e-5, relative_rates=(150, -150, 100, -150))
    craft = plant.Spacecraft(plant.RigidBody((60.0, 50.0, 40.0)), elements=wheels)
    law = controllers.lqr(craft.linearize(craft.at_rest()), attitude=25.0, rate=1.0, effort=1.0, sample=0.1)
    assert sim.growth(craft, law, duration=500.0, state=craft.at_rest()) < -0.01
