"""Simulation of a spacecraft, in open or closed loop, in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from ...controllers import Block, Law, Reference
from ...plant import InputError, Spacecraft, TorquePulse
from ...plant.formulations.view import View
from .run_spec import require_finite_start, run_spec

if TYPE_CHECKING:
    from ..results.recording import Recording
    from ..results.run import Run


def simulate(
    craft: Spacecraft,
    law: Law | None = None,
    *,
    duration: float,
    state: ArrayLike | None = None,
    attitude: ArrayLike | None = None,
    rate: ArrayLike | None = None,
    momentum: ArrayLike | None = None,
    position: ArrayLike | None = None,
    velocity: ArrayLike | None = None,
    reference: Reference | None = None,
    torques: Sequence[TorquePulse] = (),
    blocks: Sequence[Block] = (),
    integrator: str | None = None,
    step: float | None = None,
    rtol: float | None = None,
    output_step: float | None = None,
    output_times: ArrayLike | None = None,
    ledger: bool = True,
    compiled: bool = True,
    max_steps: int = 100_000_000,
    amplification_limit: float = 1e4,
    progress: Callable[[float], None] | None = None,
    stream: str | Path | Recording | None = None,
    formulation: str | View | None = None,
    seed: int | None = None,
    run_index: int = 0,
    real_time: float | None = None,
) -> Run:
    """Simulate a spacecraft from t = 0, in closed loop if a sampled law is given.

    Parameters
    ----------
    craft : Spacecraft
        The plant.
    law : Law, optional
        A sampled law. Its command acts from `law.delay` after each sample until the next command. It is zero before
        the first one. Each component saturates at the limit of `craft.torques`.
    duration : float
        Simulated time, s.
    state : array_like, shape (7,) or (13,), optional
        State at t = 0; alternatively give its parts. A row of `Run.states` continues that run; the ledger in the last
        columns of the row is ignored. The law restarts with its initial memory and takes its first sample at t = 0. A
        prescribed orbit with its environment, pulses and moving references also restart at t = 0.
    attitude : array_like, shape (4,), optional
        Euler parameters at t = 0, scalar first; (1, 0, 0, 0) by default.
    rate : array_like, shape (3,), optional
        Body rate at t = 0, rad/s; alternatively give `momentum`.
    momentum : array_like, shape (3,), optional
        Angular momentum at t = 0, body components, N m s.
    position : array_like, shape (3,), optional
        Position at t = 0, m; only with translation.
    velocity : array_like, shape (3,), optional
        Velocity at t = 0, m/s; only with translation.
    reference : Reference, optional
        Reference of the law; by default the operating point for which a linear law was designed, otherwise rest in
        (1, 0, 0, 0).
    torques : sequence of TorquePulse
        Scheduled torques, which are added to the torque of the law, and wheel faults (`WheelFault`).
    blocks : sequence of Block
        Sampled blocks between plant and law, or between law and plant, in this order; see
        `polhode.controllers.Block`. The rows of the run contain their outputs; a custom signal has its own name. A
        plant signal such as "rate" keeps its name for the true value. The value that the law reads is "rate_for_law",
        the output of an earlier block x is "rate_after_x", and the output of the law is "command_of_law".
    integrator : str, optional
        One of `INTEGRATORS`; see `Scheme`. By default dop853; gauss4 for a spacecraft with flexible arms if no
        rtol is given.
    step : float, optional
        Fixed step, or largest step of dop853, s. For a spacecraft with flexible arms, implicit methods such as gauss4
        have a default step: a twentieth of the shortest period among the slowest vibration of the arms, the
        vibrations of the other elements, and the motion of hub and elements (with nutation) at t = 0. An implicit step
        that has no solution is halved and repeated (`Run.counters`: "rejected_steps").
    rtol : float, optional
        Tolerance of dop853, 1e-10 by default; see `Scheme`.
    output_step : float, optional
        Output period, s. Without `output_step` and `output_times`, a 500th of the duration.
    output_times : array_like, shape (n,), optional
        Additional output times, s. Outputs never change the steps.
    ledger : bool
        Whether to integrate work and angular impulse with the state, so that energy and momentum balances can be
        checked. The ledger does not influence the state.
    compiled : bool
        Whether to use the compiled engine. Plain Python is slow, but accepts any Python function.
    max_steps : int
        Largest number of steps. The run ends early if it cannot finish within them, or if the plant is stiff.
    amplification_limit : float
        Largest amplification (1/c near a singular pose) of a torque in a dual Euler basis, or of the Euler rates of a
        formulation. The run ends before exceeding this value. With fixed steps, it also ends before a step could cross
        gimbal lock undetected.
    progress : callable, optional
        Called repeatedly with the completed fraction of the duration.
    stream : str, path or Recording, optional
        NetCDF file to which the rows are written during the run; memory never holds all rows, and the returned run
        reads the file. The format is that of `Run.save`. The file appears under its name at the end. The run stops when
        the disk is full.
    formulation : str or View, optional
        States in which the spacecraft is integrated, as a name (see `polhode.plant.formulations.FORMULATIONS`) or with
        options (`polhode.plant.formulations.RotationIn`, `PublishedRing`). The rows hold momentum and Euler parameters.
    seed : int, optional
        Seed, from 0 to 2^64 - 1, of all blocks that draw random numbers (`Block(random=True)`); required for these.
    run_index : int
        Number of the run among those with the same seed; different numbers give different random numbers. A run that
        continues from the state of another run needs a different number to avoid repeating its random numbers.
    real_time : float, optional
        Simulated seconds per second of wall-clock time. Code outside the compiled engine, such as hardware behind a
        process, is never called early. Late answers are counted (`Run.counters`: "real_time_overruns") and reported.
        The results do not change.

    Returns
    -------
    Run
        All results, with the reason for the end and the warnings: proximity to singular poses, motor limits, a large
        expected attitude error, torques that a step may have missed.

    Raises
    ------
    InputError
        When an argument is out of range or does not match the spacecraft, or the step is too long for the mesh of its
        arms.
    DesignError
        When the law cannot follow the reference.
    SaveError
        When the file of the stream cannot be created.
    SingularBasisError
        When a formulation in Euler angles would start at gimbal lock.

    Examples
    --------
    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> run = simulate(craft, rate=(0.1, 2.0, 0.1), duration=10.0, compiled=False)
    >>> run.status
    'completed'
    """
    plan = run_spec(
        craft,
        law,
        duration=duration,
        state=state,
        attitude=attitude,
        rate=rate,
        momentum=momentum,
        position=position,
        velocity=velocity,
        reference=reference,
        torques=torques,
        blocks=blocks,
        integrator=integrator,
        step=step,
        rtol=rtol,
        output_step=output_step,
        output_times=output_times,
        ledger=ledger,
        compiled=compiled,
        max_steps=max_steps,
        amplification_limit=amplification_limit,
        formulation=formulation,
        seed=seed,
        run_index=run_index,
    )
    require_finite_start(craft, plan.x)
    clock = None
    if real_time is not None:
        from ..engine.real_time import RealTime

        clock = RealTime(real_time)
        if all(getattr(part, "compiled", True) for part in (law, *blocks)):
            raise InputError(
                "real_time synchronises parts outside the compiled engine (a process, or a law or block in plain "
                "Python), but this run has none; omit it"
            )
    return _flying()(plan, progress=progress, stream=stream, real_time=clock)


@cache
def _flying() -> Callable[..., Run]:
    from .drive import fly  # imported by the first run: keeps the import of this package fast

    return fly
