"""On-off thrusters that move the spacecraft and use the propellant of a tank."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import ThrusterAllocation, blocks

POSITIONS = np.array([side * np.eye(3)[k] for k in range(3) for side in (1, 1, -1, -1)])
DIRECTIONS = np.array([push * np.eye(3)[(k + 1) % 3] for k in range(3) for push in (1, -1, 1, -1)])
FREE = ThrusterAllocation(POSITIONS, DIRECTIONS, limit=0.5)
ISP, G0 = 220.0, 9.80665
HEAVY = np.diag((4e9, 3e9, 2e9))  # the attitude hardly changes
DEMAND = np.array((0.11, -0.07, 0.23))


def propulsion(**more):
    return plant.Propulsion(POSITIONS, DIRECTIONS, applies_torque=False, **more)


def constant_torque():
    return controllers.CustomLaw(lambda t, y, r: DEMAND, sample=0.5, compiled=False)


def fired(element, *, duration=20.0, inertia=HEAVY, law=None, **more):
    craft = plant.Spacecraft(plant.RigidBody(inertia, mass=100.0), elements=[element], translation=True)
    given = {} if element.specific_impulse is None else {"specific_impulse": element.specific_impulse}
    block = blocks.thruster_pulses(FREE, sample=0.5, tick=0.01, least_pulse=0.02, propulsion=element, **given)
    law = constant_torque() if law is None else law
    return sim.simulate(
        craft, law, blocks=[block], duration=duration, integrator="rk4", step=0.5, output_step=duration, **more
    )


def test_pulses_move_the_mass_centre_by_their_impulse():
    run = fired(propulsion())
    force = 0.5 * DIRECTIONS.T @ run.values("thruster_on_time")[-1]
    assert np.linalg.norm(force) > 1.0
    momentum = run.states[-1][run.craft.layout.linear_momentum]
    np.testing.assert_allclose(momentum, force, rtol=0, atol=1e-7)  # the attitude turns by 1e-8 rad
    # exact in the attitude of each instant: the impulses of the thrusters are states
    impulses = run.states[-1][run.craft.layout.levels]
    np.testing.assert_allclose(impulses, 0.5 * run.values("thruster_on_time")[-1], rtol=1e-12, atol=1e-13)
    # their torque is the command, applied once
    np.testing.assert_allclose(
        run.values("inertial_momentum")[-1], np.cross(POSITIONS, DIRECTIONS).T @ impulses, rtol=1e-7
    )


def test_pulses_reach_their_element_among_several():
    """The other element, first in the spacecraft, has no tank and stays off."""
    element, other = propulsion(), plant.Propulsion([(0, 1, 0)], [(0, 0, 1)])
    craft = plant.Spacecraft(plant.RigidBody(HEAVY, mass=100.0), elements=[other, element], translation=True)
    given = {"sample": 0.5, "tick": 0.01, "least_pulse": 0.02, "propulsion": element}
    settings = {"duration": 20.0, "integrator": "rk4", "step": 0.5, "output_step": 20.0}
    block = blocks.thruster_pulses(FREE, **given, propulsion_label="thruster_2")
    run, single = sim.simulate(craft, constant_torque(), blocks=[block], **settings), fired(element)
    impulses = run.states[-1][craft.layout.levels]
    np.testing.assert_allclose(impulses[1:], single.states[-1][single.craft.layout.levels], rtol=1e-12, atol=1e-13)
    assert impulses[0] == 0.0
    with pytest.raises(plant.InputError, match=r"'thruster_1_impulse' is unknown; .* thruster_2_1_impulse,"):
        sim.simulate(craft, constant_torque(), blocks=[blocks.thruster_pulses(FREE, **given)], **settings)


def test_block_without_element_moves_nothing():
    craft = plant.Spacecraft(plant.RigidBody(HEAVY, mass=100.0), translation=True)
    block = blocks.thruster_pulses(FREE, sample=0.5, tick=0.01)
    run = sim.simulate(craft, constant_torque(), blocks=[block], duration=5.0, integrator="rk4", step=0.5)
    assert not run.states[-1][craft.layout.linear_momentum].any()


def test_thrust_ends_when_the_tank_is_empty():
    full = 0.002
    element = propulsion(specific_impulse=ISP, propellant=full, tank=(0.3, 0.0, 0.1))
    run = fired(element, duration=60.0)
    np.testing.assert_allclose(run.states[-1][run.craft.layout.levels].sum(), full * G0 * ISP, rtol=1e-12)
    assert abs(run.values("propellant_left")[-1]) < 1e-12 * full
    assert run.values("propellant")[-1] == pytest.approx(full, rel=1e-15)
    # the demand uses 0.41 N of thrust: from the geometry, |torque| per metre of arm
    empty = full * G0 * ISP / np.abs(DEMAND).sum()
    (words,) = [words for words in run.warnings if "the tank of thruster was empty from" in words]
    assert float(words.split(" from ")[1].split()[0]) == pytest.approx(empty, abs=0.5)
    assert not any("mass and inertia are constant" in words for words in run.warnings)
    before = fired(element, duration=40.0).values("inertial_momentum")[-1]
    np.testing.assert_allclose(run.values("inertial_momentum")[-1], before, rtol=1e-12)


def test_pulses_use_the_mass_left():
    """Fixed attitude and one demanded direction of force: the rocket equation over the pulses."""
    element = propulsion(specific_impulse=2.0, propellant=40.0)  # heavy use
    run = fired(element, duration=100.0, inertia=1e6 * HEAVY)
    left, impulses = run.values("propellant_left")[-1], run.states[-1][run.craft.layout.levels]
    used = 40.0 - left
    assert used > 1.5
    direction = DIRECTIONS.T @ impulses / impulses.sum()
    # pulses of equal shares in each period: v = g0 Isp ln(m0/m) along the mean force, to the order of a period's share
    speed = run.states[-1][run.craft.layout.linear_momentum] / (100.0 + left)
    np.testing.assert_allclose(speed, G0 * 2.0 * np.log(140.0 / (100.0 + left)) * direction, rtol=2e-4)


def test_linear_model_has_the_mass_at_the_operating_point():
    part = {"mass": 12.0, "center": (0.3, -0.2, 0.1), "inertia": (1.0, 1.2, 0.9)}
    element = propulsion(specific_impulse=ISP, propellant=12.0, tank=part["center"], inertia=part["inertia"])
    hub = plant.RigidBody((40, 30, 20), mass=100.0)
    craft = plant.Spacecraft(hub, elements=[element])
    rigid = plant.Spacecraft(hub, elements=[plant.elements.RigidPart(**part)])
    model, twin = craft.linearize(craft.at_rest()), rigid.linearize(rigid.at_rest())
    assert model.states == twin.states
    np.testing.assert_allclose(model.A, twin.A, atol=1e-15)
    np.testing.assert_allclose(model.B, twin.B, rtol=1e-13)
    # half empty
    state = craft.at_rest()
    state[craft.layout.levels] = 0.5 * 12.0 * G0 * ISP / len(POSITIONS)
    half = plant.elements.RigidPart(mass=6.0, center=part["center"], inertia=np.array(part["inertia"]) / 2.0)
    other = plant.Spacecraft(hub, elements=[half])
    np.testing.assert_allclose(craft.locked_inertia(state), other.locked_inertia(other.at_rest()), rtol=1e-13)
    ahead, behind = craft.linearize(state), other.linearize(other.at_rest())
    np.testing.assert_allclose(ahead.B, behind.B, rtol=1e-13)
    np.testing.assert_allclose(ahead.C @ ahead.A, behind.C @ behind.A, atol=1e-15)
    law = controllers.lqr(model, attitude=1.0, rate=1.0, effort=1.0, sample=0.5)
    block = blocks.thruster_pulses(FREE, sample=0.5, tick=0.05, specific_impulse=ISP, propulsion=element)
    with_tank = law.margins(model, blocks=[block])
    without = law.margins(twin)
    assert with_tank.phase_deg == pytest.approx(without.phase_deg, rel=1e-9)


def test_batch_equals_single_runs():
    element = propulsion(specific_impulse=ISP, propellant=1.0, tank=(0.2, 0.1, 0.0), inertia=(0.1, 0.1, 0.1))
    craft = plant.Spacecraft(plant.RigidBody((40, 30, 20), mass=100.0), elements=[element], translation=True)
    law = controllers.lqr(craft.linearize(craft.at_rest()), attitude=1.0, rate=10.0, effort=1.0, sample=0.5)
    block = blocks.thruster_pulses(FREE, sample=0.5, tick=0.01, specific_impulse=ISP, propulsion=element)
    rates = [(0.01, 0.0, 0.0), (0.0, -0.02, 0.005), (0.002, 0.003, -0.01)]
    same = {"blocks": [block], "duration": 20.0, "integrator": "rk4", "step": 0.05, "output_step": 20.0}
    runs = sim.simulate_batch(craft, law, rate=rates, **same)
    for number, rate in enumerate(rates):
        one = sim.simulate(craft, law, rate=rate, **same)
        np.testing.assert_array_equal(runs.states[number][-1], one.states[-1])


def test_element_and_block_must_agree():
    with pytest.raises(plant.InputError, match="applies_torque=False"):
        blocks.thruster_pulses(FREE, sample=0.5, tick=0.01, propulsion=plant.Propulsion(POSITIONS, DIRECTIONS))
    with pytest.raises(plant.InputError, match="propellant per impulse"):
        blocks.thruster_pulses(FREE, sample=0.5, tick=0.01, propulsion=propulsion(specific_impulse=ISP))
    other = plant.Propulsion(2.0 * POSITIONS, DIRECTIONS, applies_torque=False)
    with pytest.raises(plant.InputError, match="arms x directions"):
        blocks.thruster_pulses(FREE, sample=0.5, tick=0.01, propulsion=other)
