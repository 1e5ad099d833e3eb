"""The allocation block computes the same motor torques as the simulated wheels."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant import InputError

A = 3**-0.5
PYRAMID = [(A, A, A), (-A, A, A), (-A, -A, A), (A, -A, A)]
BODY = plant.RigidBody((4.0, 3.0, 2.0))


@pytest.mark.parametrize("allocation", ["pseudo-inverse", "min-max"])
@pytest.mark.parametrize(("kind", "sequence"), [("body", None), ("inertial", None), ("dual-euler", "3-2-1")])
def test_wheel_shares_equal_motor_torques_of_a_run(allocation, kind, sequence):
    wheels = plant.wheel_array(PYRAMID, inertia=0.05, torque_limit=0.2, allocation=allocation)
    craft = plant.Spacecraft(BODY, elements=wheels, torques=plant.TorqueBasis(kind, sequence, internal=True))
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    share = controllers.wheel_shares(craft, sample=0.1)
    run = sim.simulate(
        craft, law, attitude=(0.9, 0.3, -0.3, 0.1), duration=2.0, output_times=np.arange(20) * 0.1, blocks=[share],
        compiled=False,
    )  # fmt: skip
    told, flown = run.values("motor_torques"), run.values("motor_torque")
    assert told.shape == (len(run.t), 4)
    assert np.abs(flown).max() == 0.2  # the limit was met
    samples = np.searchsorted(run.t, np.arange(20) * 0.1 - 1e-9)
    assert told[samples] == pytest.approx(flown[samples], abs=1e-13)


def test_wheel_shares_with_bias_torque_and_uncommanded_motor():
    wheels = list(plant.wheel_array(np.eye(3), inertia=0.05))
    spun = plant.Wheel(axis=(0, 0, 1), inertia=0.1, relative_rate=50.0)
    craft = plant.Spacecraft(BODY, elements=[spun, *wheels], torques=plant.TorqueBasis("body", internal=True))
    share = controllers.wheel_shares(craft, sample=0.1)
    given = np.zeros(3)
    share.kernel(0.0, np.array((0.1, -0.2, 0.3)), share.parameters, share.memory, given)
    assert given.tolist() == [-0.1, 0.2, -0.3]


def test_wheel_shares_reject_craft_without_commanded_wheels():
    with pytest.raises(InputError, match="no wheels that a law can command"):
        controllers.wheel_shares(plant.Spacecraft(BODY), sample=0.1)
