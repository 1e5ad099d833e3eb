"""Warnings of torques on coordinates whose elements have no motor."""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.controllers import Block, Clock, Signal

HOW = {"duration": 1.0, "integrator": "rk4", "step": 0.1}
WHEELS = (
    plant.Wheel(axis=(0, 0, 1), inertia=0.05),
    plant.Wheel(axis=(1, 0, 0), inertia=0.05, torque_limit=0.5),
)


def craft_of(*elements):
    return plant.Spacecraft(plant.RigidBody((4, 3, 2), mass=10.0), elements=elements)


def pulse(coordinate):
    return plant.TorquePulse(0.02, start=0.0, stop=1.0, coordinate=coordinate)


def motor(coordinates):
    return Block(
        lambda t, y: 0.02,
        reads="rate",
        writes={"m": Signal(role="torque", coordinates=coordinates)},
        clock=Clock(0.5),
        compiled=False,
    )


@pytest.mark.parametrize("by", ["pulse", "block"])
@pytest.mark.parametrize("on", ["wheel_1_angle", "wheel_2_angle"])
def test_hub_torque_is_whole_or_says_that_it_is_not(on, by):
    run = sim.simulate(
        craft_of(*WHEELS), **({"torques": [pulse(on)]} if by == "pulse" else {"blocks": [motor(on)]}), **HOW
    )
    if on == "wheel_2_angle":
        assert run.warnings == ()
        np.testing.assert_array_equal(run.values("hub_torque"), [(-0.02, 0.0, 0.0)] * len(run.t))
    else:
        assert not run.values("hub_torque").any()
        assert any("do not include the torque on 'wheel_1_angle'" in told for told in run.warnings)


def test_every_run_of_many_says_so():
    many = sim.simulate_batch(
        craft_of(*WHEELS), rate=[(0.1, 0, 0), (0, 0.1, 0)], torques=[pulse("wheel_1_angle")], **HOW
    )
    assert many.flagged.tolist() == [0, 1]
    assert "wheel_1_angle" in many[1].warnings[0]


def test_motor_warning_is_absent_where_motors_are_monitored():
    alone = sim.simulate(craft_of(WHEELS[0]), torques=[pulse("wheel_angle")], **HOW)
    assert alone.warnings == ()
    assert "hub_torque" not in alone.names  # and no sum over motors
    slider = plant.MassSpringDamper(point=(0.1, 0, 0), axis=(0, 1, 0), mass=0.3)
    pushed = sim.simulate(craft_of(WHEELS[1], slider), torques=[pulse("slider_displacement")], **HOW)
    assert pushed.warnings == ()  # a force, not a motor torque
