"""Integrate the rotation of a body in a formulation chosen by name."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import InputError, RigidBody, Spacecraft, TorquePulse
from ...plant.checks import choice, finite, positive, vector
from ...plant.formulations import Load, RotationModel
from .advance import LOCKED, NOT_FINITE, RK4, RK8
from .run import FormulationRun
from .stretch import Outcome, Runner

__all__ = ["METHODS", "bodies", "read", "simulate_formulation"]

Array = NDArray[np.float64]

METHODS = {"rk4": RK4, "rk8": RK8}
MAX_STEPS = 1_000_000_000
MAX_ROWS = 20_000_000


def simulate_formulation(
    name: str,
    body: Spacecraft | RigidBody | ArrayLike,
    *,
    rate: ArrayLike,
    duration: float,
    step: float,
    attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0),
    sequence: str | None = None,
    load: Load | None = None,
    torques: Sequence[TorquePulse] = (),
    integrator: str = "rk4",
    project: bool = True,
    output: float | None = None,
    at: ArrayLike | None = None,
    amplification_limit: float = 1e4,
    compiled: bool = True,
) -> FormulationRun:
    """Return the rotation of a body from t = 0, integrated in one formulation with fixed steps.

    Parameters
    ----------
    name : str
        A key of `polhode.plant.formulations.FORMULATIONS`.
    body : Spacecraft, RigidBody or array_like, shape (3,) or (3, 3)
        The body; or its inertia, kg m^2. Built-in potentials of a craft act; it must not translate, and potentials
        and efforts of the user's own are for `simulate`.
    rate : array_like, shape (3,)
        Body rate at t = 0, rad/s.
    duration : float
        s.
    step : float
        The longest step, s. Each stretch between breakpoints (pulse edges, times of `at`) is divided evenly.
    attitude : array_like, shape (4,)
        Euler parameters at t = 0, scalar first.
    sequence : str, optional
        The Euler sequence; for the formulations in Euler angles.
    load : Load, optional
        A torque, or a force at a body point, that acts all the time. The point is from the mass centre also where the
        body is held at a pivot, about which the force then turns it.
    torques : sequence of TorquePulse
        Scheduled torques; they add to each other and to the load.
    integrator : str
        "rk4" or "rk8".
    project : bool
        Whether the state is put back on its constraints after each step (coordinate projection).
    output : float, optional
        Period of the rows, s, rounded to whole steps; a five-hundredth of the duration if left out.
    at : array_like, shape (n,), optional
        Times (s) at which rows are wanted too; steps are fitted to end there.
    amplification_limit : float
        In Euler angles the run ends where 1/|sin a2| or 1/|cos a2| exceeds this, or where a step of this length
        could pass gimbal lock unseen.
    compiled : bool
        False runs the same source as plain Python.

    Returns
    -------
    FormulationRun
        The trajectory, with how it ended.

    Raises
    ------
    InputError
        When something given is out of range, unknown or does not fit the formulation.
    SingularBasisError
        When an Euler-angle formulation would start at gimbal lock.

    Examples
    --------
    >>> run = simulate_formulation("schwab-42", (3, 2, 1), rate=(0.1, 2, 0.1), duration=1.0, step=0.01, compiled=False)
    >>> run.status, run.multiplier[:1].round(12)  # omega'J omega
    ('completed', array([8.04]))
    """
    craft, inertia = bodies(body)
    model = RotationModel(name, inertia, sequence=sequence)
    span, h = positive("duration", duration, "s"), positive("step", step, "s")
    if finite("amplification limit", amplification_limit) <= 1.0:
        raise InputError(f"the amplification limit must be greater than 1; got {amplification_limit:g}")
    if craft is None and torques:
        craft = Spacecraft(RigidBody(inertia))
    times = np.zeros(0) if at is None else vector("output times", at, int(np.size(at)), "s")
    stretches = _stretches(span, h, times, torques)
    acting = _about_fixed_point(Load() if load is None else load, body)
    runner = Runner(
        model,
        craft,
        load=acting,
        pulses=torques,
        method=METHODS[choice("integrator", integrator, METHODS)],
        project=project,
        closest=1.0 / amplification_limit,
        compiled=compiled,
    )
    period = span / 500.0 if output is None else positive("output", output, "s")
    every = max(1, round(period / h))
    if span / h / every > MAX_ROWS:
        raise InputError(f"an output every {period:g} s makes more than {MAX_ROWS:,} rows; take a longer period")
    outcome = runner.run(model.state(attitude, rate), stretches, every=every)
    return read(model, outcome, craft=craft, load=acting, limit=amplification_limit)


def bodies(body: Spacecraft | RigidBody | ArrayLike) -> tuple[Spacecraft | None, Array | ArrayLike]:
    """Return the craft, if it is one, and the inertia of what was given; raise InputError where it does not fit."""
    if isinstance(body, RigidBody):
        return None, body.inertia
    if not isinstance(body, Spacecraft):
        return None, body
    if body.translation:
        raise InputError("formulations describe rotation only: give a craft without translation")
    if body.elements:
        raise InputError("formulations describe one rigid body: give a craft without elements, or use sim.simulate")
    if body.user_potentials or body.efforts:
        raise InputError("potentials and efforts of the user's own do not act in formulations: use simulate")
    return body, body.body.inertia


def _about_fixed_point(load: Load, body: Spacecraft | RigidBody | ArrayLike) -> Load:
    """The load with its point counted from the pivot, about which a held body turns."""
    rigid = body.body if isinstance(body, Spacecraft) else body
    if not isinstance(rigid, RigidBody) or rigid.pivot is None:
        return load
    return replace(load, point=load.point - rigid.pivot)


def _stretches(
    duration: float, step: float, times: Array, torques: Sequence[TorquePulse]
) -> list[tuple[float, float, int]]:
    if times.size and (times.min() < 0.0 or times.max() > duration):
        raise InputError(f"output times must lie within 0 and the duration of {duration:g} s")
    edges = [edge for pulse in torques for edge in (pulse.start, pulse.stop) if 0.0 < edge < duration]
    points = np.unique(np.concatenate((edges, times, (0.0, duration))))
    steps = np.ceil(np.diff(points) / step * (1.0 - 1e-12))
    if steps.sum() > MAX_STEPS:
        raise InputError(f"a step of {step:g} s makes more than {MAX_STEPS:,} steps; take a longer one")
    return [(float(a), float(b), max(1, int(n))) for a, b, n in zip(points[:-1], points[1:], steps, strict=True)]


def read(
    model: RotationModel, outcome: Outcome, *, craft: Spacecraft | None, load: Load, limit: float
) -> FormulationRun:
    """Return a run from what the loop left behind."""
    common = np.zeros((7, outcome.t.size))
    model.formulation.leave(outcome.x.T, model.parameters, common)
    status, reason = "completed", ""
    closest = float(np.arcsin(outcome.nearest)) if model.formulation.has_angles else np.inf
    if outcome.status == LOCKED:
        status = "singular"
        reason = (
            f"at t = {outcome.now:.9g} s formulation {model.name!r} came to gimbal lock of {model.sequence!r}: its "
            f"Euler rates are amplified {limit:g} times (the limit set), or the next step could pass the pose unseen; "
            "Euler parameters have no such pose, and another sequence has it elsewhere"
        )
    elif outcome.status == NOT_FINITE:
        status = "failed"
        reason = f"the state was no longer finite after t = {outcome.now:.9g} s: the step is too large for the motion"
    return FormulationRun(
        model=model,
        craft=craft,
        load=load,
        t=outcome.t,
        x=outcome.x,
        attitude=common[0:4].T.copy(),
        rate=common[4:7].T.copy(),
        multiplier=outcome.multiplier if model.formulation.multiplier else None,
        status=status,
        reason=reason,
        closest=closest,
    )
