"""Exudyn: explicit Lie-group integrators for one body, generalized alpha where joints or beams need it."""

import importlib
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import exudyn
import numpy as np

ut = importlib.import_module("exudyn.utilities")
KIND = exudyn.DynamicSolverType
SEEN = exudyn.OutputVariableType

HOW = (
    "a body on a rotation-vector Lie-group node with explicit integrators; the torque of the slew set by the user "
    "function before each step; wheels as bodies on joints with dampers and beams as geometrically exact ones, by "
    "generalized alpha (spectral radius 0.9); nothing written to files"
)
FIXED = (0.1, 0.05, 0.02, 0.01, 0.005, 0.002)
ALPHA = [{"step": step} for step in (0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005)]
LADDERS = {
    "free": {
        "RK67": [{"kind": "RK67", "step": step} for step in FIXED],
        "RK44": [{"kind": "RK44", "step": step} for step in FIXED],
    },
    "slew": {"RK44": [{"kind": "RK44", "step": step} for step in (0.1, 0.05, 0.02)]},
    "wheels": {"generalized alpha": ALPHA},
    "arm": {
        "generalized alpha": [
            {"elements": n, "step": step} for n, step in ((2, 4e-3), (2, 2e-3), (4, 2e-3), (2, 1e-3), (4, 1e-3))
        ]
    },
}


def version() -> str:
    return exudyn.__version__


def settings_of(step: float, kind: str = "") -> tuple[Any, Any]:
    """Settings without files, and the solver; adaptive DOPRI5 halts at tolerances below 1e-11."""
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = 1e9
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.timeIntegration.numberOfSteps = 1
    settings.timeIntegration.automaticStepSize = False
    if kind:
        settings.timeIntegration.explicitIntegration.useLieGroupIntegration = True
        settings.timeIntegration.explicitIntegration.computeEndOfStepAccelerations = False
        return settings, getattr(KIND, kind)
    return settings, KIND.GeneralizedAlpha


def attitude_of(matrix: Any) -> list[float]:
    """Euler parameters of a matrix from body to inertial, with the largest component computed first."""
    R = np.asarray(matrix).reshape(3, 3)
    K = np.array(
        [
            [R[0, 0] + R[1, 1] + R[2, 2], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
            [R[2, 1] - R[1, 2], R[0, 0] - R[1, 1] - R[2, 2], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
            [R[0, 2] - R[2, 0], R[0, 1] + R[1, 0], R[1, 1] - R[0, 0] - R[2, 2], R[1, 2] + R[2, 1]],
            [R[1, 0] - R[0, 1], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], R[2, 2] - R[0, 0] - R[1, 1]],
        ]
    )
    return np.linalg.eigh(K)[1][:, -1].tolist()


def flown(system: Any, node: Any, at: list[float], settings: Any, kind: Any, step: float) -> Callable[[], Any]:
    """The run, in one part for each output time, each continued from the end of the previous part."""

    def fly() -> list[list[float]]:
        rows, begun = [], 0.0
        for t in at:
            settings.timeIntegration.startTime, settings.timeIntegration.endTime = begun, t
            settings.timeIntegration.numberOfSteps = round((t - begun) / step)
            system.SolveDynamic(settings, solverType=kind)
            state = system.systemData.GetSystemState()
            system.systemData.SetSystemState(state, configuration=exudyn.ConfigurationType.Initial)
            turn, rate = (system.GetNodeOutput(node, what) for what in (SEEN.RotationMatrix, SEEN.AngularVelocityLocal))
            rows.append([*attitude_of(turn), *np.asarray(rate).tolist()])
            begun = t
        return rows

    return fly


def vector_of(e: list[float]) -> Any:
    """The rotation vector of Euler parameters."""
    along = np.asarray(e[1:])
    size = float(np.linalg.norm(along))
    return along * 0.0 if size == 0.0 else 2.0 * np.arctan2(size, e[0]) * along / size


def six(tensor: Any) -> list[float]:
    t = np.asarray(tensor)
    return [t[0, 0], t[1, 1], t[2, 2], t[1, 2], t[0, 2], t[0, 1]]


def lie_body(given: dict[str, Any]) -> tuple[Any, Any, Any]:
    """A system with one body; its node and the object."""
    system = exudyn.SystemContainer().AddSystem()
    turn, rate = vector_of(given["attitude"]), given["rate"]
    node = system.AddNode(
        ut.NodeRigidBodyRotVecLG(referenceCoordinates=[0, 0, 0, *turn], initialVelocities=[0, 0, 0, *rate])
    )
    body = ut.ObjectRigidBody(mass=given.get("mass", 100.0), inertia=six(given["inertia"]), nodeNumber=node)
    return system, node, system.AddObject(body)


def free(given: dict[str, Any], *, kind: str, step: float) -> Any:
    system, node, _ = lie_body(given)
    system.Assemble()
    return flown(system, node, given["at"], *settings_of(step, kind), step)


def slew(given: dict[str, Any], *, kind: str, step: float) -> Any:
    system, node, _ = lie_body(given)
    marker = system.AddMarker(ut.MarkerNodeRigid(nodeNumber=node))
    load = system.AddLoad(ut.LoadTorqueVector(markerNumber=marker, bodyFixed=True, loadVector=[0, 0, 0]))
    each, stiffness, damping = round(given["sample"] / step), given["stiffness"], given["damping"]

    def look(mbs: Any, t: float) -> bool:
        if round(t / step) % each:
            return True
        # modified Rodrigues parameters are tan(angle / 4) along the axis
        turn = mbs.GetNodeOutput(node, SEEN.RotationMatrix)
        rate = mbs.GetNodeOutput(node, SEEN.AngularVelocityLocal)
        e = np.sqrt(max(0.0, 1.0 + turn[0] + turn[4] + turn[8])) / 2.0
        k = stiffness / (1.0 + e) / (4.0 * e)
        torque = [
            -k * (turn[7] - turn[5]) - damping * rate[0],
            -k * (turn[2] - turn[6]) - damping * rate[1],
            -k * (turn[3] - turn[1]) - damping * rate[2],
        ]
        mbs.SetLoadParameter(load, "loadVector", torque)
        return True

    system.SetPreStepUserFunction(look)
    system.Assemble()
    return flown(system, node, given["at"], *settings_of(step, kind), step)


def euler_node(system: Any, place: Any, e: Any, rate: Any, speed: Any) -> Any:
    a, b, c, d = e
    x, y, z = rate
    turned = [-b * x - c * y - d * z, a * x - d * y + c * z, d * x + a * y - b * z, -c * x + b * y + a * z]
    return system.AddNode(
        ut.NodeRigidBodyEP(referenceCoordinates=[*place, *e], initialVelocities=[*speed, *(0.5 * x for x in turned)])
    )


def newton(settings: Any, tolerance: float) -> None:
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.newton.relativeTolerance = tolerance
    settings.timeIntegration.newton.absoluteTolerance = tolerance


def wheels(given: dict[str, Any], *, step: float) -> Any:
    system = exudyn.SystemContainer().AddSystem()
    e, rate = given["attitude"], np.array(given["rate"])
    hub_node = euler_node(system, (0, 0, 0), e, rate, (0, 0, 0))
    inertia = np.array(given["inertia"])
    parts = []
    for axis, friction, speed in zip(given["axes"], given["friction"], given["wheel_rates"], strict=True):
        along = np.outer(axis, axis)
        across = given["transverse"] * (np.eye(3) - along)
        inertia -= across
        parts.append((np.array(axis), friction, speed, across + given["axial"] * along))
    hub = system.AddObject(ut.ObjectRigidBody(mass=given["mass"], inertia=six(inertia), nodeNumber=hub_node))
    for axis, friction, speed, tensor in parts:
        node = euler_node(system, (0, 0, 0), e, rate + speed * axis, (0, 0, 0))
        wheel = system.AddObject(ut.ObjectRigidBody(mass=given["wheel_mass"], inertia=six(tensor), nodeNumber=node))
        places = [ut.MarkerBodyRigid(bodyNumber=body, localPosition=[0, 0, 0]) for body in (hub, wheel)]
        markers = [system.AddMarker(place) for place in places]
        frame = np.linalg.svd(axis.reshape(1, 3))[2].T[:, [1, 2, 0]]  # z along the axis
        frame[:, 2] = axis
        frame[:, 0] *= np.sign(np.linalg.det(frame))
        system.AddObject(
            ut.GenericJoint(
                markerNumbers=markers, constrainedAxes=[1, 1, 1, 1, 1, 0], rotationMarker0=frame, rotationMarker1=frame
            )
        )
        system.AddObject(
            ut.TorsionalSpringDamper(
                markerNumbers=markers, stiffness=0.0, damping=friction, rotationMarker0=frame, rotationMarker1=frame
            )
        )
    system.Assemble()
    settings, kind = settings_of(step)
    newton(settings, 1e-10)
    return flown(system, hub_node, given["at"], settings, kind, step)


def arm(given: dict[str, Any], *, elements: int, step: float) -> Any:
    system = exudyn.SystemContainer().AddSystem()
    omega = np.array(given["rate"])
    level = (1.0, 0.0, 0.0, 0.0)
    hub_node = euler_node(system, (0, 0, 0), level, omega, (0, 0, 0))
    inertia = [given["inertia"]] * 3 + [0.0] * 3
    hub = system.AddObject(ut.ObjectRigidBody(mass=given["mass"], inertia=inertia, nodeNumber=hub_node))
    s = given["section"]
    E, G, A, m, n = (s[k] for k in ("youngs_modulus", "shear_modulus", "area", "second_moment_m", "second_moment_n"))
    data = exudyn.BeamSection()
    data.stiffnessMatrix = np.diag((E * A, G * A, G * A, G * (m + n), E * m, E * n))
    data.massPerLength = s["density"] * A
    data.inertia = s["density"] * np.diag((m + n, m, n))
    for side in (1, -1):
        nodes = []
        for k in range(elements + 1):
            place = (side * (given["root"] + given["length"] * k / elements), 0.0, 0.0)
            nodes.append(euler_node(system, place, level, omega, np.cross(omega, place)))
        for a, b in pairwise(nodes):
            pair = [a, b] if side == 1 else [b, a]
            beam = {"nodeNumbers": pair, "length": given["length"] / elements, "sectionData": data}
            system.AddObject(ut.ObjectBeamGeometricallyExact(**beam))
        on_hub = system.AddMarker(ut.MarkerBodyRigid(bodyNumber=hub, localPosition=[given["root"] * side, 0, 0]))
        on_arm = system.AddMarker(ut.MarkerNodeRigid(nodeNumber=nodes[0]))
        system.AddObject(ut.GenericJoint(markerNumbers=[on_hub, on_arm], constrainedAxes=[1] * 6))
    centre = system.AddMarker(ut.MarkerNodeRigid(nodeNumber=hub_node))
    load = system.AddLoad(ut.LoadTorqueVector(markerNumber=centre, loadVector=[0, 0, 0], bodyFixed=True))
    half = 0.5 * given["torque"]

    def push(mbs: Any, t: float) -> bool:
        if t <= 1.0 + step:  # t is the end of the step; the torque is held at its value in the middle
            now = min(t - 0.5 * step, 1.0)
            mbs.SetLoadParameter(load, "loadVector", [0.0, half * (1.0 - np.cos(2.0 * np.pi * now)), 0.0])
        return True

    system.SetPreStepUserFunction(push)
    system.Assemble()
    settings, kind = settings_of(step)
    newton(settings, 1e-6)  # these beams do not reach its default of 1e-8
    return flown(system, hub_node, given["at"], settings, kind, step)


PROBLEMS = {"free": free, "slew": slew, "wheels": wheels, "arm": arm}
