"""Default control torque of a spacecraft: through its motors if a law can command them."""

import numpy as np
import pytest

from polhode import controllers, plant, sim

A = 3**-0.5
PYRAMID = [(A, A, A), (-A, A, A), (-A, -A, A), (A, -A, A)]
BODY = plant.RigidBody((4.0, 3.1, 2.0))
ARRAY = plant.wheel_array(PYRAMID, inertia=0.01, torque_limit=0.002)
MIN_MAX = plant.wheel_array(PYRAMID, inertia=0.01, torque_limit=0.002, allocation="min-max")
BY_HAND = tuple(plant.Wheel(axis=axis, inertia=0.01, torque_limit=0.002, command=axis) for axis in np.eye(3))
NO_COMMAND = tuple(plant.Wheel(axis=axis, inertia=0.01, torque_limit=0.002) for axis in np.eye(3))
START = {"attitude": (0.98, 0.16, -0.08, 0.0871779788708135), "duration": 2.0, "integrator": "rk4", "step": 0.1}


def damping(craft):
    return controllers.lqr(craft.linearize(craft.at_rest()), attitude=1.0, rate=1.0, effort=30.0, sample=0.1)


@pytest.mark.parametrize("wheels", [ARRAY, MIN_MAX, BY_HAND], ids=["array", "min-max", "by hand"])
def test_default_torque_acts_through_commanded_motors(wheels):
    craft = plant.Spacecraft(BODY, elements=wheels)
    stated = plant.Spacecraft(BODY, elements=wheels, torques=plant.TorqueBasis(internal=True))
    assert craft.ports == {"wheels": craft.torques}
    runs = [sim.simulate(each, damping(each), **START) for each in (craft, stated)]
    np.testing.assert_array_equal(runs[0].states, runs[1].states)
    assert np.abs(runs[0].values("motor_torque")).max() == 0.002  # their limit
    momentum = runs[0].values("inertial_momentum")
    np.testing.assert_allclose(momentum, np.zeros_like(momentum), atol=1e-14)  # no external torque


@pytest.mark.parametrize("elements", [(), NO_COMMAND, ARRAY], ids=["none", "no command", "array"])
def test_default_torque_port_is_the_same_in_all_models(elements):
    """Plant, linear model, python-control system and sampled plant apply the torque through the same port."""
    craft = plant.Spacecraft(BODY, elements=elements)
    through = elements is ARRAY
    u = np.array((1e-4, 0.0, 0.0))
    torque = 0.0 if through else 1e-4
    assert craft.torques.port == ("wheels" if through else "external")
    assert craft.derivative(0.0, craft.at_rest(), u=u)[0] == torque
    model = craft.linearize(craft.at_rest())
    assert model.torques is craft.torques
    system = craft.to_nlsys()
    assert system.dynamics(0.0, craft.at_rest(), u)[0] == torque
    sampled = sim.sampled_craft(craft, sample=0.1, integrator="rk4", step=0.1, compiled=False)
    assert sampled.dynamics(0.0, craft.at_rest(), u)[0] == pytest.approx(0.1 * torque, abs=1e-18)
    run = sim.simulate(craft, damping(craft), **START)
    many = sim.simulate_batch(craft, damping(craft), rate=[(0, 0, 0), (0, 0, 1e-3)], **START)
    for each in (run, many[1]):
        assert (np.abs(each.values("inertial_momentum")[-1]).max() < 3e-3) == through


def test_external_torque_with_default_motors_uses_its_basis():
    thrusters = plant.TorqueBasis("euler", "3-2-1", limit=0.1)
    craft = plant.Spacecraft(BODY, elements=ARRAY, external=thrusters)
    assert list(craft.ports) == ["wheels", "external"]
    assert (craft.torques.name, craft.torques.sequence, craft.torques.limit) == ("euler", "3-2-1", None)
    for elements in ((), NO_COMMAND):
        with pytest.raises(plant.InputError, match="in addition to one through wheels: give wheels with a command"):
            plant.Spacecraft(BODY, elements=elements, external=thrusters)


def test_default_motors_that_do_not_span_space_are_rejected():
    with pytest.raises(plant.InputError, match=r"default of a spacecraft.*TorqueBasis\(..., internal=False\)"):
        plant.Spacecraft(BODY, elements=ARRAY[:2])
    craft = plant.Spacecraft(BODY, elements=ARRAY[:2], torques=plant.TorqueBasis(internal=False))
    assert list(craft.ports) == ["external"]


def test_idle_motors_under_external_torque_give_a_warning():
    law = damping(plant.Spacecraft(BODY))
    stated = plant.TorqueBasis(limit=0.1)
    for elements, torques in ((ARRAY, stated), (NO_COMMAND, None)):
        run = sim.simulate(plant.Spacecraft(BODY, elements=elements, torques=torques), law, **START)
        (sentence,) = [each for each in run.warnings if "produced no torque" in each]
        assert "commands an external torque, and the motors of wheel 1, wheel 2, wheel 3" in sentence
        assert "TorqueBasis(..., internal=True)" in sentence


def test_idle_motor_warning_is_absent_if_intended():
    law = damping(plant.Spacecraft(BODY))
    outside = plant.TorqueBasis(internal=False)
    push = [plant.TorquePulse(1e-4, start=0.0, stop=1.0, coordinate=f"wheel_{n}_angle") for n in (1, 2, 3)]
    constant = tuple(plant.Wheel(axis=axis, inertia=0.01, motor_torque=1e-4) for axis in np.eye(3))
    bare = [plant.Wheel(axis=(0, 0, 1), inertia=0.01, relative_rate=10.0)]  # a rotor without a motor
    for craft, more in (
        (plant.Spacecraft(BODY, elements=ARRAY, torques=outside), {}),
        (plant.Spacecraft(BODY, elements=NO_COMMAND), {"torques": push}),
        (plant.Spacecraft(BODY, elements=constant), {}),
        (plant.Spacecraft(BODY, elements=bare), {}),
    ):
        run = sim.simulate(craft, law, **START, **more)
        assert not any("produced no torque" in each for each in run.warnings)
    idle = sim.simulate(plant.Spacecraft(BODY, elements=NO_COMMAND), duration=1.0, rate=(0.01, 0, 0))
    assert idle.warnings == ()  # no law
