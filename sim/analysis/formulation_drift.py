"""Drift of an integrated formulation from its constraint and invariants, and the cost of a step.

With the same integrator and step, the formulations differ in the effect of truncation. A first-order form in e
conserves |e| except for truncation errors, which accumulate like t. A second-order form only satisfies
e.e'' + e'.e' = 0: an error in e.e' persists, and the resulting error in |e|^2 grows like t^2 (the drift of
differential-algebraic equations after index reduction).
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...controllers import FixedReference
from ...plant import InputError, RigidBody, Spacecraft
from ...plant.brief import brief
from ...plant.checks import positive
from ...plant.formulations import Load, RotationIn
from ...plant.frozen import frozen_arrays
from ..codegen.library import has_library
from ..engine.loop import Loop
from ..engine.steppers.scheme import Scheme
from ..results.run import Run
from ..runs.simulate import simulate

Array = NDArray[np.float64]

TIMED_STEPS = 4_000
REPEATS = 25  # number of short measurements; their minimum is least affected by other load on the machine


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class FormulationDrift:
    """Drift and cost of one formulation.

    Attributes
    ----------
    name : str
        Name of the formulation.
    projected : bool
        Whether the state was projected onto its constraints after each step.
    run : Run
        The trajectory.
    norm : numpy.ndarray, shape (n,)
        | |e|^2 - 1 |.
    energy : numpy.ndarray, shape (n,)
        |E - E(0)| / T(0), T the kinetic energy.
    momentum : numpy.ndarray, shape (n,)
        |H - H(0)| / |H(0)|, inertial; under a force, only the component of H along the force.
    cost : float
        Computing time of a step, s: the shortest of several measurements on this machine; NaN if not measured.
    """

    name: str
    projected: bool
    run: Run
    norm: Array
    energy: Array
    momentum: Array
    cost: float

    __repr__ = brief

    def growth(self, quantity: str) -> tuple[float, float]:
        """Return the largest drift, and the power of t with which the drift grew.

        Parameters
        ----------
        quantity : str
            "norm", "energy" or "momentum".

        Returns
        -------
        tuple of float
            The largest drift, and the exponent over the last nine tenths of the run: 1 for a steady drift rate; NaN if
            there is only round-off.
        """
        values = np.maximum.accumulate(getattr(self, quantity))
        last = values[-1]
        late = (self.run.t >= 0.1 * self.run.t[-1]) & (values > 0.0)
        if last < 1e-13 or late.sum() < 3:
            return float(last), np.nan
        slope = np.polyfit(np.log(self.run.t[late]), np.log(values[late]), 1)[0]
        return float(last), float(slope)


def formulation_drift(
    name: str,
    body: RigidBody | ArrayLike,
    *,
    rate: ArrayLike,
    duration: float,
    step: float,
    attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0),
    sequence: str | None = None,
    load: Load | None = None,
    integrator: str = "rk4",
    project: bool = False,
    timed: bool = True,
    compiled: bool = True,
) -> FormulationDrift:
    """Return the drift of a formulation in torque-free motion, or under a constant force at a body point.

    Parameters
    ----------
    name : str
        A key of `polhode.plant.formulations.FORMULATIONS`.
    body : RigidBody or array_like, shape (3,) or (3, 3)
        The body, or its inertia, kg m^2.
    rate : array_like, shape (3,)
        Body rate at t = 0, rad/s; not zero.
    duration : float
        Length of the run, s.
    step : float
        Step of the integrator, s.
    attitude : array_like, shape (4,)
        Euler parameters at t = 0, scalar first.
    sequence : str, optional
        The Euler sequence, for formulations in Euler angles.
    load : Load, optional
        A force and its point of application. The force has a potential, so that the energy and the momentum component
        along the force are constant.
    integrator : str
        A fixed-step integrator; see `polhode.sim.Scheme`.
    project : bool
        Whether to project the state onto its constraints after each step.
    timed : bool
        Whether to measure the cost of a step.
    compiled : bool
        False runs the same source as plain Python.

    Returns
    -------
    FormulationDrift
        Drift over time, and cost of a step.

    Raises
    ------
    InputError
        When a torque changes energy or momentum, the body is at rest, or an argument is invalid for
        `polhode.sim.runs.simulate`.
    """
    acting = Load() if load is None else load
    if acting.body_torque.any() or acting.inertial_torque.any():
        raise InputError("under a torque energy and momentum are not constant: give Load(force=..., point=...) only")
    craft = Spacecraft(body if isinstance(body, RigidBody) else RigidBody(body))
    formulation = RotationIn(name, sequence=sequence, project=project, load=acting)
    run = simulate(
        craft,
        rate=rate,
        attitude=attitude,
        duration=duration,
        step=step,
        integrator=integrator,
        formulation=formulation,
        compiled=compiled,
    )
    kinetic = 0.5 * float(run.values("rate")[0] @ run.values("momentum")[0])
    if kinetic == 0.0:
        raise InputError(
            "the drift is relative to energy and momentum, which are zero at rest: give a nonzero rate (rad/s)"
        )
    energy, momentum = _invariants(run, acting)
    change = momentum - momentum[0]
    pull = float(np.linalg.norm(acting.force))
    moved = np.abs(change @ acting.force) / pull if pull > 0.0 else np.linalg.norm(change, axis=1)
    return FormulationDrift(
        name=name,
        projected=project,
        run=run,
        norm=np.abs(run.values("norm_error")),
        energy=np.abs(energy - energy[0]) / kinetic,
        momentum=moved / float(np.linalg.norm(momentum[0])),
        cost=_cost(run, formulation, positive("step", step, "s")) if timed and compiled and has_library() else np.nan,
    )


def _invariants(run: Run, load: Load) -> tuple[Array, Array]:
    """Return kinetic energy minus f.(R u), J, and inertial momentum R J omega, N m s; R is R(e / |e|)."""
    e = run.values("attitude") / np.sqrt(1.0 + run.values("norm_error"))[:, np.newaxis]
    rate, momentum = run.values("rate"), run.values("momentum")
    pivot = run.craft.body.pivot
    point = np.broadcast_to(load.point if pivot is None else load.point - pivot, rate.shape)
    energy = 0.5 * (rate * momentum).sum(axis=1) - _to_inertial(e, point) @ load.force
    return energy, _to_inertial(e, momentum)


def _to_inertial(e: Array, a: Array) -> Array:
    s, v = e[:, :1], e[:, 1:]
    turned = np.cross(v, a)
    return a + 2.0 * (s * turned + np.cross(v, turned))


def _cost(run: Run, formulation: RotationIn, step: float) -> float:
    """Return the computing time per step, s, at the start of a run, which may later reach gimbal lock."""
    best = np.inf
    steps = min(TIMED_STEPS, max(1, round(run.t[-1] / step)))
    for _ in range(REPEATS):
        loop = Loop(
            run.craft,
            run.start[:7],
            None,
            FixedReference(),
            pulses=(),
            scheme=Scheme(run.scheme.integrator, step=step),
            duration=steps * step,
            times=np.array([steps * step]),
            ledger=False,
            compiled=True,
            max_steps=2 * steps,
            pose_limit=1e-4,
            view=formulation,
        )
        began = time.perf_counter()
        loop.advance(2 * steps)
        best = min(best, time.perf_counter() - began)
    return best / steps
