"""MuJoCo: a ball joint (no translation), the compiled loop of steps, all unused features switched off."""

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
from mujoco import rollout

HOW = (
    "ball joint, RK4 at a fixed step, mj_step(nstep) as the loop; contacts, constraints and gravity disabled; the law "
    "of the slew in plain Python once a sample"
)
STEPS = [{"step": step} for step in (0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002)]
LADDERS = {"free": {"RK4": STEPS}, "slew": {"RK4": STEPS}, "wheels": {"RK4": STEPS}}


def version() -> str:
    return mujoco.__version__


def words(numbers: Any) -> str:
    return " ".join(repr(float(x)) for x in numbers)


def inertial(tensor: Any, mass: float) -> str:
    t = np.asarray(tensor)
    six = (t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2])
    return f'<inertial pos="0 0 0" mass="{mass!r}" fullinertia="{words(six)}"/>'


def ready(given: dict[str, Any], step: float, inside: str = "", *, inertia: Any = None) -> tuple[Any, Any]:
    """The model and its data at the start."""
    hub = inertial(given["inertia"] if inertia is None else inertia, given.get("mass", 100.0))
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option timestep="{step!r}" integrator="RK4" gravity="0 0 0">
        <flag contact="disable" constraint="disable" gravity="disable" frictionloss="disable" limit="disable"/></option>
        <worldbody><body><joint type="ball"/>{hub}{inside}</body></worldbody></mujoco>"""
    )
    data = mujoco.MjData(model)
    data.qpos[:4], data.qvel[:3] = given["attitude"], given["rate"]
    return model, data


def stretches(given: dict[str, Any], step: float) -> list[int]:
    """Steps between two output times."""
    ends = [round(t / step) for t in given["at"]]
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]


def row(data: Any) -> list[float]:
    return [*data.qpos[:4].tolist(), *data.qvel[:3].tolist()]


def stepped(given: dict[str, Any], model: Any, data: Any, step: float) -> Callable[[], list[list[float]]]:
    counts = stretches(given, step)

    def fly() -> list[list[float]]:
        rows = []
        for count in counts:
            mujoco.mj_step(model, data, nstep=count)
            rows.append(row(data))
        return rows

    return fly


def free(given: dict[str, Any], *, step: float) -> Any:
    return stepped(given, *ready(given, step), step)


def slew(given: dict[str, Any], *, step: float) -> Any:
    model, data = ready(given, step)
    each = round(given["sample"] / step)
    counts, stiffness, damping = stretches(given, given["sample"]), given["stiffness"], given["damping"]
    q, v, torque, mj_step = data.qpos, data.qvel, data.qfrc_applied, mujoco.mj_step

    def fly() -> list[list[float]]:
        rows = []
        for count in counts:
            for _ in range(count):
                a, b, c, d = q.tolist()
                share = stiffness / (1.0 + a) if a >= 0.0 else -stiffness / (1.0 - a)
                x, y, z = v.tolist()
                torque[:] = (-share * b - damping * x, -share * c - damping * y, -share * d - damping * z)
                mj_step(model, data, each)
            rows.append(row(data))
        return rows

    return fly


def wheels(given: dict[str, Any], *, step: float) -> Any:
    hub, inside = np.array(given["inertia"]), ""
    for axis, friction in zip(given["axes"], given["friction"], strict=True):
        along = np.outer(axis, axis)
        across = given["transverse"] * (np.eye(3) - along)
        hub -= across
        joint = f'<joint type="hinge" axis="{words(axis)}" damping="{friction!r}"/>'
        inside += f"<body>{joint}{inertial(across + given['axial'] * along, given['wheel_mass'])}</body>"
    model, data = ready(given, step, inside, inertia=hub)
    data.qvel[3:] = given["wheel_rates"]
    return stepped(given, model, data, step)


def campaign(given: dict[str, Any], *, runs: int, threads: int) -> Any:
    """All runs simultaneously by `rollout`, one sample per call; the law of all runs in numpy between calls."""
    inertia = np.array(given["inertias"])[:runs]
    models, states = [], []
    for tensor, rate in zip(inertia, given["rates"], strict=False):
        model, data = ready(given | {"inertia": tensor, "rate": rate}, given["sample"])
        state = np.empty(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
        mujoco.mj_getState(model, data, state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
        models.append(model)
        states.append(state)
    datas = [mujoco.MjData(models[0]) for _ in range(threads)]
    start, gain, limit = np.array(states), np.array(given["gain"]), given["limit"]
    count = round(given["at"][-1] / given["sample"])
    held = int(mujoco.mjtState.mjSTATE_QFRC_APPLIED)

    def fly() -> Any:
        x = start
        reached, seen = np.empty((runs, 1, x.shape[1])), np.empty((runs, 1, 0))
        with rollout.Rollout(nthread=threads if threads > 1 else 0) as pool:
            for _ in range(count):
                e, w = x[:, 1:5], x[:, 5:8]
                error = np.where(e[:, :1] >= 0.0, 2.0, -2.0) * e[:, 1:]
                torque = np.clip(-error @ gain[:, :3].T - w @ gain[:, 3:].T, -limit, limit)
                pool.rollout(
                    models, datas, x, torque[:, None, :], control_spec=held, state=reached, sensordata=seen,
                    skip_checks=True, nstep=1,
                )  # fmt: skip
                x = reached[:, 0]
        return x[:, 1:8].tolist

    return fly


PROBLEMS = {"free": free, "slew": slew, "wheels": wheels, "campaign": campaign}
