# pyright: reportMissingImports=none
# (the library need not be installed where types are checked)
"""Basilisk: C and C++ modules only, no recorders, one task at the control rate if the integrator allows it."""

from importlib.metadata import version as version_of
from typing import Any

from Basilisk.architecture import bskLogging, messaging
from Basilisk.fswAlgorithms import attTrackingError, mrpPD
from Basilisk.simulation import extForceTorque, reactionWheelStateEffector, simpleNav, spacecraft, svIntegrators
from Basilisk.utilities import SimulationBaseClass, macros

HOW = (
    "spacecraft with the integrator named, in one task; simpleNav, attTrackingError, mrpPD, extForceTorque for the "
    "slew; reactionWheelStateEffector for the wheels; no recorders, no Python module"
)
RK4 = [{"step": step} for step in (0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)]


def adaptive(task: float) -> list[dict[str, Any]]:
    return [{"step": task, "method": "RKF78", "rtol": 10.0**-n} for n in range(8, 15)]


LADDERS = {
    "free": {"RK4": RK4, "RKF78": adaptive(0.5)},
    "slew": {"RK4": RK4, "RKF78": adaptive(0.1)},
    "wheels": {"RK4": RK4, "RKF78": adaptive(0.1)},
}

bskLogging.setDefaultLogLevel(bskLogging.BSK_ERROR)


def version() -> str:
    return version_of("bsk")


def craft(given: dict[str, Any], method: str, rtol: float) -> Any:
    """The hub, its integrator, and the attitude as modified Rodrigues parameters."""
    body = spacecraft.Spacecraft()
    body.ModelTag = "craft"
    body.hub.mHub = given.get("mass", 100.0)
    body.hub.r_BcB_B = [[0.0], [0.0], [0.0]]
    body.hub.IHubPntBc_B = given["inertia"]
    e = given["attitude"]
    body.hub.sigma_BNInit = [[x / (1.0 + e[0])] for x in e[1:]]
    body.hub.omega_BN_BInit = [[x] for x in given["rate"]]
    integrator = getattr(svIntegrators, f"svIntegrator{method}")(body)
    if method != "RK4":
        integrator.relTol, integrator.absTol = rtol, rtol
    body.setIntegrator(integrator)
    return body, integrator


def flown(simulation: Any, body: Any, at: list[float], *keep: Any) -> Any:
    """The run, in one part for each output time."""
    simulation.InitializeSimulation()

    def fly() -> list[list[float]]:
        rows = []
        for t in at:
            simulation.ConfigureStopTime(macros.sec2nano(t))
            simulation.ExecuteSimulation()
            now = body.scStateOutMsg.read()
            s = now.sigma_BN
            square = sum(x * x for x in s)
            rows.append([(1 - square) / (1 + square), *(2 * x / (1 + square) for x in s), *now.omega_BN_B])
        assert keep is not None  # the owner of the simulation keeps the modules alive
        return rows

    return fly


def begun(step: float, sample: float) -> Any:
    """A simulation with the task of the dynamics and, if slower, that of the law; and the names of both tasks."""
    simulation = SimulationBaseClass.SimBaseClass()
    process = simulation.CreateNewProcess("process")
    process.addTask(simulation.CreateNewTask("dynamics", macros.sec2nano(step)), 2)
    if sample == step:
        return simulation, "dynamics"
    process.addTask(simulation.CreateNewTask("law", macros.sec2nano(sample)), 1)
    return simulation, "law"


def free(given: dict[str, Any], *, step: float, method: str = "RK4", rtol: float = 0.0) -> Any:
    simulation, _ = begun(step, step)
    body, integrator = craft(given, method, rtol)
    simulation.AddModelToTask("dynamics", body)
    return flown(simulation, body, given["at"], integrator)


def slew(given: dict[str, Any], *, step: float, method: str = "RK4", rtol: float = 0.0) -> Any:
    simulation, task = begun(step, given["sample"])
    body, integrator = craft(given, method, rtol)
    navigation, error, law = simpleNav.SimpleNav(), attTrackingError.attTrackingError(), mrpPD.mrpPD()
    torque = extForceTorque.ExtForceTorque()
    body.addDynamicEffector(torque)
    navigation.scStateInMsg.subscribeTo(body.scStateOutMsg)
    target = messaging.AttRefMsg().write(messaging.AttRefMsgPayload())
    error.attNavInMsg.subscribeTo(navigation.attOutMsg)
    error.attRefInMsg.subscribeTo(target)
    law.K, law.P = given["stiffness"], given["damping"]
    nothing = messaging.VehicleConfigMsg().write(messaging.VehicleConfigMsgPayload())  # no inertia: no torque cancelled
    law.guidInMsg.subscribeTo(error.attGuidOutMsg)
    law.vehConfigInMsg.subscribeTo(nothing)
    torque.cmdTorqueInMsg.subscribeTo(law.cmdTorqueOutMsg)
    simulation.AddModelToTask("dynamics", body, 10)  # the dynamics reach the sample before the law is evaluated
    for place, module in enumerate((navigation, error, law, torque)):
        simulation.AddModelToTask(task, module, 9 - place)
    return flown(simulation, body, given["at"], integrator, navigation, error, law, torque, target, nothing)


def wheels(given: dict[str, Any], *, step: float, method: str = "RK4", rtol: float = 0.0) -> Any:
    simulation, _ = begun(step, step)
    whole = [
        [given["inertia"][i][j] + sum(given["axial"] * a[i] * a[j] for a in given["axes"]) for j in range(3)]
        for i in range(3)
    ]  # a balanced wheel here is part of the hub's inertia
    body, integrator = craft(given | {"inertia": whole}, method, rtol)
    effector = reactionWheelStateEffector.ReactionWheelStateEffector()
    kept = []
    for axis, friction, rate in zip(given["axes"], given["friction"], given["wheel_rates"], strict=True):
        wheel = reactionWheelStateEffector.RWConfigPayload()
        wheel.gsHat_B = axis
        wheel.rWB_B = [0.0, 0.0, 0.0]
        wheel.Js, wheel.Omega, wheel.cViscous = given["axial"], rate, friction
        wheel.u_max = wheel.Omega_max = -1.0
        wheel.RWModel = reactionWheelStateEffector.BalancedWheels
        effector.addReactionWheel(wheel)
        kept.append(wheel)
    body.addStateEffector(effector)
    simulation.AddModelToTask("dynamics", effector, 9)
    simulation.AddModelToTask("dynamics", body, 10)
    return flown(simulation, body, given["at"], integrator, effector, kept)


PROBLEMS = {"free": free, "slew": slew, "wheels": wheels}
