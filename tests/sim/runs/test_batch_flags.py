"""A compiled batch flags the same runs as single runs, for every warning of the engine, and refuses the same runs."""

import math

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import blocks
from polhode.plant import TorqueBasis, WheelFault

AXES = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
BODY = plant.RigidBody((4.0, 3.0, 2.0))
WHEELS = plant.Spacecraft(BODY, elements=plant.wheel_array(AXES, inertia=0.05))
ROWS = {"output_step": 0.5, "integrator": "rk4", "step": 0.05}
RATES = [(0.0, 0.0, 0.0), (0.02, 0.0, 0.0), (0.3, -0.2, 0.1)]


def flags(craft, law=None, **given):
    """Return the flagged runs of a compiled batch and of the runs one by one."""
    many = sim.simulate_batch(craft, law, workers=1, **given)
    assert (many.status == "completed").all(), many.reasons
    return many.flagged.tolist(), [n for n in range(len(many)) if many[n].ended.warnings]


def law_of(craft):
    return controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)


@pytest.mark.parametrize("start", [0.3, 5.0])
def test_wheel_fault_flags_every_run_in_which_it_begins(start):
    fault = WheelFault("weak", wheel="wheel_1", start=start, share=0.5)
    many, single = flags(WHEELS, law_of(WHEELS), rate=RATES, torques=[fault], duration=2.0, **ROWS)
    assert many == single == ([0, 1, 2] if start < 2.0 else [])


@pytest.mark.parametrize("laws", [1, 3])
def test_signal_fault_flags_every_run(laws):
    fault = blocks.signal_fault("frozen", reads="rate", start=0.3, sample=0.1, name="fault")
    law = law_of(WHEELS) if laws == 1 else [law_of(WHEELS) for _ in range(laws)]
    many, single = flags(WHEELS, law, rate=RATES, blocks=[fault], duration=2.0, **ROWS)
    assert many == single == [0, 1, 2]


def test_runs_near_a_gyro_singularity_are_flagged():
    """A pyramid at gimbal angles (90, 0, -90, 0) deg is singular: only the run that starts there comes near."""
    gyros = [
        plant.gyro_array(
            *plant.pyramid_axes(math.radians(54.73)), momentum=10.0, rotor_inertia=0.02, gimbal_inertia=0.03,
            time_constant=0.02, angles=np.radians(angles).tolist(),
        )
        for angles in ((0, 0, 0, 0), (90, 0, -90, 0), (20, 0, 0, 0))
    ]  # fmt: skip
    crafts = [plant.Spacecraft(plant.RigidBody((30, 40, 50)), elements=g, torques=TorqueBasis("body")) for g in gyros]
    steering = blocks.gyro_steering(crafts[0], sample=0.1)
    many, single = flags(crafts, law_of(crafts[0]), blocks=[steering], duration=1.0, output_step=0.5, step=0.005)
    assert many == single == [1]


def test_rare_halved_steps_are_flagged_only_when_frequent():
    craft = plant.Spacecraft(BODY)
    for step in (0.5, 4.0, 9.0):
        many, single = flags(
            craft, rate=[(0.1, 0.02, 0.3), (2.0, 1.0, 3.0)], duration=36.0, integrator="gauss4", step=step
        )
        assert many == single


def test_too_long_step_for_a_seizing_wheel_is_refused_in_the_batch():
    """The wheel slows down at (1 + Iw/J)/0.045 1/s: 22.5 1/s with J = 4, 41 1/s with J = 0.06 kg m^2."""
    fault = WheelFault("stuck", wheel="wheel_1", start=0.1, seizing_time=0.045)
    inertia = np.array([np.diag((4.0, 3.0, 2.0)), np.diag((0.06, 0.06, 0.06))])
    given = {"duration": 0.5, "integrator": "rk4", "step": 0.04, "output_step": 0.5, "torques": [fault]}
    many = sim.simulate_batch(WHEELS, law_of(WHEELS), inertia=inertia, **given)
    assert many.status.tolist() == ["completed", "refused"]
    light = plant.Spacecraft(plant.RigidBody(inertia[1]), elements=WHEELS.elements)
    with pytest.raises(plant.InputError) as refusal:
        sim.simulate(light, law_of(WHEELS), **given)
    assert many.reasons[1] == str(refusal.value)
