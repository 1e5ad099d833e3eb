"""polhode: public calls of `sim.simulate` and `sim.campaign`; checks and packing are included in the time."""

from importlib.metadata import version as version_of
from typing import Any

import numpy as np

from polhode import controllers, plant, sim
from polhode.plant.flexible import Arm, BeamSection
from polhode.sim.runs.campaigns import BatchRunner, Componentwise, Inertia, Normal

HOW = (
    "sim.simulate as called, with its checks and its rows, without the ledger of work that no other keeps; the law of "
    "the slew a compiled CustomLaw; the campaign sim.campaign on BatchRunner, whose runs fly side by side"
)
RK4 = [{"integrator": "rk4", "step": step} for step in (0.1, 0.05, 0.02, 0.01, 0.005)]
RK8 = [{"integrator": "rk8", "step": step} for step in (0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.125, 0.1, 0.05)]
DOP = [{"integrator": "dop853", "rtol": 10.0 ** (-n / 2)} for n in range(14, 28)]
LADDERS = {
    "free": {"rk8": RK8[3:], "dop853": DOP},
    "slew": {"rk4": RK4},
    "wheels": {"rk8": RK8, "dop853": DOP, "rk4": RK4},
    "arm": {
        "gauss4": [{"elements": n, "step": step} for n, step in ((2, 8e-3), (2, 4e-3), (2, 2e-3), (4, 2e-3), (4, 1e-3))]
    },
}


def version() -> str:
    return version_of("polhode")


def rodrigues_kernel(t, y, r, q, z, u):
    """u = -K sigma - P omega, sigma the modified Rodrigues parameters of the attitude; q: K, P."""
    share = q[0] / (1.0 + abs(y[3]))
    if y[3] < 0.0:
        share = -share
    for n in range(3):
        u[n] = -share * y[4 + n] - q[1] * y[7 + n]


def rows_of(run: Any) -> Any:
    return lambda: np.hstack([run.values("attitude"), run.values("rate")]).tolist()


def flown(craft: Any, given: dict[str, Any], law: Any = None, **how: Any) -> Any:
    start = {"rate": given["rate"], "attitude": given.get("attitude", (1, 0, 0, 0))}
    at = np.array(given["at"])

    def fly() -> Any:
        return rows_of(sim.simulate(craft, law, **start, duration=at[-1], output_times=at, ledger=False, **how))

    return fly


def free(given: dict[str, Any], **how: Any) -> Any:
    return flown(plant.Spacecraft(plant.RigidBody(given["inertia"])), given, **how)


def slew(given: dict[str, Any], **how: Any) -> Any:
    craft = plant.Spacecraft(plant.RigidBody(given["inertia"]), torques=plant.TorqueBasis("body", limit=1.0))
    numbers = (given["stiffness"], given["damping"])
    law = controllers.CustomLaw(rodrigues_kernel, sample=given["sample"], parameters=numbers)
    return flown(craft, given, law, **how)


def wheels(given: dict[str, Any], **how: Any) -> Any:
    elements = [
        plant.Wheel(axis=axis, inertia=given["axial"], friction=friction, relative_rate=rate)
        for axis, friction, rate in zip(given["axes"], given["friction"], given["wheel_rates"], strict=True)
    ]
    return flown(plant.Spacecraft(plant.RigidBody(given["inertia"]), elements=elements), given, **how)


def arm(given: dict[str, Any], *, elements: int, step: float) -> Any:
    section = BeamSection(**given["section"])
    alike = {"section": section, "length": given["length"], "elements": elements}
    arms = [Arm(**alike, direction=(s, 0, 0), root=(s * given["root"], 0, 0)) for s in (1, -1)]
    craft = plant.Spacecraft(plant.RigidBody(given["inertia"] * np.eye(3), mass=given["mass"]), elements=arms)
    pulse = plant.TorquePulse((0, given["torque"], 0), start=0.0, stop=1.0, shape="raised-cosine")
    return flown(craft, given, torques=[pulse], integrator="gauss4", step=step)


def campaign(given: dict[str, Any], *, runs: int, workers: int = 1) -> Any:
    """Dispersed inertia and start; the result is the parameters of the runs and their final states."""
    basis = plant.TorqueBasis("body", limit=given["limit"])
    nominal = plant.Spacecraft(plant.RigidBody(given["inertia"]), torques=basis)
    law = controllers.lqr(
        nominal.linearize(nominal.at_rest()), attitude=25.0, rate=1.0, effort=1.0, sample=given["sample"]
    )
    names = [f"e{n}" for n in range(4)] + [f"w{n}" for n in range(3)]
    start, duration = given["attitude"], given["at"][-1]

    def fly(draws: Any) -> Any:
        runs = sim.simulate_batch(
            nominal, law, inertia=draws.values["inertia"], attitude=start, rate=draws.values["rate"], duration=duration,
            output_times=[duration], integrator="rk4", step=given["sample"], ledger=False, workers=1,
        )  # fmt: skip
        ends = np.hstack([runs.values("attitude")[:, -1], runs.values("rate")[:, -1]])
        return runs.outcomes(dict(zip(names, ends.T, strict=True)))

    scatter = {
        "inertia": Inertia(tensor=given["inertia"], relative_sigma=0.05),
        "rate": Componentwise([Normal(mean=x, sigma=1e-3) for x in given["rate"]]),
    }

    def run() -> Any:
        found = sim.campaign(BatchRunner(fly), scatter, runs=runs, workers=workers, engine="threads")
        return lambda: {
            "gain": np.hstack([law.gain[:, :3], law.gain[:, 3:] @ given["inertia"]]).tolist(),
            "dispersed": {name: column.tolist() for name, column in found.dispersed.items()},
            "ends": np.array([found.metrics[name] for name in names]).T.tolist(),
        }

    return run


PROBLEMS = {"free": free, "slew": slew, "wheels": wheels, "arm": arm, "campaign": campaign}
