# pyright: reportMissingImports=none, reportUntypedBaseClass=none
# (the library need not be installed where types are checked)
"""Drake: a continuous MultibodyPlant under its Simulator, in C++ blocks except for the law at each sample."""

from importlib.metadata import version as version_of
from typing import Any

import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import MultibodyPlant, Propeller, PropellerInfo
from pydrake.multibody.tree import RevoluteJoint, RotationalInertia, SpatialInertia
from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator
from pydrake.systems.framework import DiagramBuilder, LeafSystem

HOW = (
    "MultibodyPlant in continuous time, Simulator with the integrator named, nothing published; torques by Propeller "
    "blocks; the law of the slew a LeafSystem in Python with a periodic update"
)


def tolerances(method: str) -> list[dict[str, Any]]:
    return [{"method": method, "accuracy": 10.0**-n} for n in range(7, 14)]


def fixed(method: str) -> list[dict[str, Any]]:
    return [{"method": method, "step": step} for step in (0.1, 0.05, 0.02, 0.01, 0.005, 0.002)]


BOTH = {
    "runge_kutta5, tolerance": tolerances("runge_kutta5"),
    "runge_kutta5, fixed step": fixed("runge_kutta5"),
    "runge_kutta3, tolerance": tolerances("runge_kutta3"),
}
LADDERS = {"free": BOTH, "slew": BOTH, "wheels": BOTH}


def version() -> str:
    return version_of("drake")


def solid(tensor: Any, mass: float) -> SpatialInertia:
    t = np.asarray(tensor)
    about = RotationalInertia(t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2])
    return SpatialInertia.MakeFromCentralInertia(mass, np.zeros(3), about)


class Law(LeafSystem):
    """Law from modified Rodrigues parameters and rates to a torque, held between samples."""

    def __init__(self, given: dict[str, Any]) -> None:
        super().__init__()
        self.gains = given["stiffness"], given["damping"]
        self.DeclareVectorInputPort("state", 13)
        held = self.DeclareDiscreteState(3)
        self.DeclarePeriodicDiscreteUpdateEvent(given["sample"], 0.0, self.look)
        self.DeclareStateOutputPort("torque", held)

    def look(self, context: Any, state: Any) -> None:
        x = self.get_input_port(0).Eval(context)
        a, b, c, d = x[:4].tolist()
        wx, wy, wz = x[7:10].tolist()  # inertial components
        stiffness, damping = self.gains
        k = stiffness / (1.0 + a) if a >= 0.0 else -stiffness / (1.0 - a)
        u, v, w = 2 * (d * wy - c * wz), 2 * (b * wz - d * wx), 2 * (c * wx - b * wy)
        rate = (wx + a * u - (c * w - d * v), wy + a * v - (d * u - b * w), wz + a * w - (b * v - c * u))
        state.set_value([-k * b - damping * rate[0], -k * c - damping * rate[1], -k * d - damping * rate[2]])


def begun(given: dict[str, Any], inertia: Any) -> tuple[Any, Any, Any]:
    builder = DiagramBuilder()
    plant = builder.AddSystem(MultibodyPlant(0.0))
    plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, 0.0])
    return builder, plant, plant.AddRigidBody("hub", solid(inertia, given.get("mass", 100.0)))


def flown(given: dict[str, Any], builder: Any, plant: Any, hub: Any, setting: dict[str, Any], rates: Any = ()) -> Any:
    diagram = builder.Build()
    simulator = Simulator(diagram)
    longest = setting.get("step", 0.1 if "sample" in given else 10.0)
    integrator = ResetIntegratorFromFlags(simulator, setting["method"], longest)
    if "step" in setting:
        integrator.set_fixed_step_mode(True)
    else:
        integrator.set_target_accuracy(setting["accuracy"])
    inside = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    e = np.array(given["attitude"])
    turn = RotationMatrix(Quaternion(e))
    start = plant.GetPositionsAndVelocities(inside)
    place = plant.num_positions()
    start[:4] = e
    start[place : place + 3] = turn.matrix() @ given["rate"]
    start[place + 6 :] = rates
    plant.SetPositionsAndVelocities(inside, start)
    simulator.Initialize()

    def fly() -> list[list[float]]:
        rows = []
        for t in given["at"]:
            simulator.AdvanceTo(t)
            x = plant.GetPositionsAndVelocities(inside)
            q = x[:4] / np.linalg.norm(x[:4])
            rate = RotationMatrix(Quaternion(q)).matrix().T @ x[place : place + 3]
            rows.append([*q.tolist(), *rate.tolist()])
        return rows

    return fly


def free(given: dict[str, Any], **setting: Any) -> Any:
    builder, plant, hub = begun(given, given["inertia"])
    plant.Finalize()
    return flown(given, builder, plant, hub, setting)


def slew(given: dict[str, Any], **setting: Any) -> Any:
    builder, plant, hub = begun(given, given["inertia"])
    plant.Finalize()
    law = builder.AddSystem(Law(given))
    turns = (RotationMatrix.MakeYRotation(np.pi / 2), RotationMatrix.MakeXRotation(-np.pi / 2), RotationMatrix())
    frames = [RigidTransform(turn, [0.0, 0.0, 0.0]) for turn in turns]  # their z axis along x, y and z of the hub
    thrusters = [PropellerInfo(hub.index(), frame, 0.0, 1.0) for frame in frames]
    motors = builder.AddSystem(Propeller(thrusters))
    builder.Connect(plant.get_state_output_port(), law.get_input_port(0))
    builder.Connect(law.get_output_port(0), motors.get_command_input_port())
    builder.Connect(plant.get_body_poses_output_port(), motors.get_body_poses_input_port())
    builder.Connect(motors.get_spatial_forces_output_port(), plant.get_applied_spatial_force_input_port())
    return flown(given, builder, plant, hub, setting)


def wheels(given: dict[str, Any], **setting: Any) -> Any:
    inertia, parts = np.array(given["inertia"]), []
    for axis in given["axes"]:
        along = np.outer(axis, axis)
        across = given["transverse"] * (np.eye(3) - along)
        inertia -= across
        parts.append(across + given["axial"] * along)
    builder, plant, hub = begun(given, inertia)
    for n, (axis, friction) in enumerate(zip(given["axes"], given["friction"], strict=True)):
        wheel = plant.AddRigidBody(f"wheel {n}", solid(parts[n], given["wheel_mass"]))
        plant.AddJoint(RevoluteJoint(f"axle {n}", hub.body_frame(), wheel.body_frame(), axis, friction))
    plant.Finalize()
    return flown(given, builder, plant, hub, setting, given["wheel_rates"])


PROBLEMS = {"free": free, "slew": slew, "wheels": wheels}
