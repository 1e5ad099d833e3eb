"""Warning about wheels that creep under less torque than their friction, with the creep rate in closed form."""

import numpy as np
import pytest

from polhode import plant, sim


def turned(**wheel):
    given = {"axis": (0, 0, 1), "inertia": 1e-3, "coulomb": 2e-3, **wheel}
    craft = plant.Spacecraft(plant.RigidBody((1e6, 1e6, 1e6)), elements=[plant.Wheel(**given)])
    run = sim.simulate(craft, duration=100.0, output_step=0.5)
    return run, [each for each in run.warnings if "crept by" in each]


@pytest.mark.parametrize("smoothing", [0.1, 0.05])
def test_creep_is_that_of_the_smoothed_friction(smoothing):
    """T = tc tanh(w/w0): w = w0 artanh(T/tc), reached within I w0/tc = 0.05 s."""
    run, words = turned(motor_torque=1e-3, coulomb_rate=smoothing)
    creep = smoothing * np.arctanh(0.5)
    assert run.values("internal_rate")[-1, 0] == pytest.approx(creep, rel=1e-6)
    assert len(words) == 1
    angle = float(words[0].split("crept by ")[1].split(" rad")[0])
    assert angle == pytest.approx(run.values("internal")[-1, 0], rel=0.02)
    assert f"at up to {creep:.3g} rad/s" in words[0]
    assert "friction of 0.002 N m" in words[0]


def test_smaller_smoothing_rate_removes_creep():
    assert turned(motor_torque=1e-3, coulomb_rate=0.01)[1] == []


@pytest.mark.parametrize(
    "wheel",
    [
        {"motor_torque": 3e-3},  # drives through the friction
        {"relative_rate": 50.0, "motor_torque": 1e-3, "friction": 0.0, "inertia": 1.0},  # slows down, still turning
        {"relative_rate": 0.2, "torque_limit": 1.0},  # comes to rest without torque
        {"motor_torque": 1e-3, "coulomb": 0.0, "friction": 1e-2},  # viscous: a true steady rate
    ],
)
def test_wheel_that_turns_or_rests_does_not_creep(wheel):
    assert turned(**wheel)[1] == []


def test_wheel_below_its_static_friction_creeps():
    run, words = turned(motor_torque=3e-3, static_friction=4e-3, stribeck_rate=10.0)
    assert run.values("internal_rate")[-1, 0] < 0.5
    assert len(words) == 1
