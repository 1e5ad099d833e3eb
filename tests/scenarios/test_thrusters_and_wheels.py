"""The case `thrusters-and-wheels` in Python, bitwise equal, and the unloading by thrusters."""

import numpy as np
import pytest

from polhode import controllers, plant, scenarios, sim
from polhode.controllers import Condition, Mode, Modes, ThrusterAllocation, Transition, WheelAllocation
from polhode.plant import TorqueBasis, TorquePulse
from polhode.plant.attitude import from_euler_angles

INERTIA = [[400.0, 12.0, -8.0], [12.0, 307.8, 15.0], [-8.0, 15.0, 200.0]]
AXES = [(1, 1, 1), (-1, 1, 1), (-1, -1, 1), (1, -1, 1)]
POSITIONS = [side * np.eye(3)[k] for k in range(3) for side in (1, 1, -1, -1)]
DIRECTIONS = [push * np.eye(3)[(k + 1) % 3] for k in range(3) for push in (1, -1, 1, -1)]
STEADY = np.array((0.01, 0.006, -0.004))
DEG = np.radians(1.0)


def test_case_is_same_written_in_python():
    thrusters = ThrusterAllocation(POSITIONS, DIRECTIONS, limit=0.5, force_free=True)
    wheels = WheelAllocation(AXES, limit=0.4)
    craft = plant.Spacecraft(
        plant.RigidBody(INERTIA),
        elements=plant.wheel_array(AXES, inertia=0.05, torque_limit=0.4, speed_limit=400.0),
        torques=TorqueBasis(internal=True, envelope=wheels.envelope),
        external=TorqueBasis(envelope=thrusters.envelope),
    )
    damping = controllers.RateDamping(gain=60.0, sample=0.1, delay=0.05, torques=craft.torques)
    inside = craft.through("wheels")
    fine = controllers.lqi(
        inside.linearize(inside.at_rest()), attitude=25.0, integral=0.02, rate=1.0, effort=1.0, sample=0.1, delay=0.05
    )
    slow = Condition("rate", below=0.1 * DEG, lasting=5.0)
    full, empty = Condition("momentum", above=8.0), Condition("momentum", below=1.0)
    modes = Modes(
        [
            Mode("detumbling", damping, actuators="external", transitions=Transition("pointing", slow)),
            Mode("pointing", fine, actuators="wheels", transitions=Transition("unloading", full)),
            Mode("unloading", fine, actuators="wheels", unload=30.0, transitions=Transition("pointing", empty)),
        ]
    )
    finely = np.arange(12980, 14520) * 0.05
    steady = TorquePulse(STEADY, start=0, stop=3000, basis=TorqueBasis("inertial"))
    run = sim.simulate(
        craft, modes, blocks=[modes.block()], attitude=from_euler_angles(np.radians((50.0, -30.0, 40.0)), "3-2-1"),
        rate=np.radians((1.2, -1.2, 1.0583)), reference=controllers.FixedReference(), duration=1200.0, integrator="rk4",
        step=0.05, output_step=0.5, output_times=finely, torques=[steady],
    )  # fmt: skip
    result = scenarios.run_case("thrusters-and-wheels", overrides=["require=[]"])
    wanted = result.run
    assert sim.mode_intervals(run) == sim.mode_intervals(wanted)
    same = np.searchsorted(run.t, wanted.t - 1e-9)
    np.testing.assert_array_equal(run.t[same], wanted.t)
    np.testing.assert_array_equal(run.x[same], wanted.x)
    for name in ("command_wheels", "command_external"):
        np.testing.assert_array_equal(run.values(name)[same], wanted.values(name))
    size = np.linalg.norm(wanted.values("command_external")[:-1], axis=1) @ np.diff(wanted.t)
    assert result.metrics["external_impulse_N_m_s"].value == pytest.approx(size, rel=1e-12)
    # while the wheels are unloaded the body axes are the inertial ones: the change of momentum is the sum of the
    # thruster impulse and the steady torque
    rows = (run.t > 649.94) & (run.t < 725.04)
    H, u, t = run.values("inertial_momentum")[rows], run.values("command_external")[rows], run.t[rows]
    given = (u[:-1] * np.diff(t)[:, None]).sum(axis=0)
    assert np.linalg.norm(given) > 7.0
    np.testing.assert_allclose(H[-1] - H[0], given + STEADY * (t[-1] - t[0]), atol=1e-6)  # of 3e-6 deg off the axes
    assert run.values("attitude_error")[rows].max() < 4e-6 * DEG
