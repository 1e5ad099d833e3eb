"""Run a spacecraft, with or without a law, from one call."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from ..controllers import Block, Law, Reference
from ..plant import InputError, Spacecraft, TorquePulse
from ..plant.formulations.view import View
from .planned import planned, require_finite_start

if TYPE_CHECKING:
    from .results.recording import Recording
    from .results.run import Run

__all__ = ["simulate"]


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
    output: float | None = None,
    at: ArrayLike | None = None,
    ledger: bool = True,
    compiled: bool = True,
    max_steps: int = 100_000_000,
    amplification_limit: float = 1e4,
    progress: Callable[[float], None] | None = None,
    stream: "str | Path | Recording | None" = None,
    formulation: str | View | None = None,
    seed: int | None = None,
    run: int = 0,
    real_time: float | None = None,
) -> "Run":
    """Return the motion of a craft from t = 0, closed by a sampled law if there is one.

    Parameters
    ----------
    craft : Spacecraft
        The plant.
    law : Law, optional
        A sampled law. Its command acts `law.delay` after each sample, held until the next; zero before the
        first. Each component is cut off at the limit of `craft.torques`.
    duration : float
        s.
    state : array_like, shape (7,) or (13,), optional
        The state at t = 0; or give its parts. A row of `Run.states` goes on from there: what stands behind the state,
        its ledger, is left out; a law begins anew, with the memory and the first sample of its own start.
    attitude : array_like, shape (4,), optional
        Euler parameters at t = 0, scalar first; (1, 0, 0, 0) if left out.
    rate : array_like, shape (3,), optional
        Body rate at t = 0, rad/s; or give the momentum.
    momentum : array_like, shape (3,), optional
        Angular momentum at t = 0, body components, N m s.
    position : array_like, shape (3,), optional
        Position at t = 0, m; with translation.
    velocity : array_like, shape (3,), optional
        Velocity at t = 0, m/s; with translation.
    reference : Reference, optional
        What the law follows; if left out, the operating point a linear law was designed about, or rest in
        (1, 0, 0, 0).
    torques : sequence of TorquePulse
        Scheduled torques; they add to each other and to the law's.
    blocks : sequence of Block
        What runs on the clock between plant and law, or between law and plant, in this order; see
        `polhode.controllers.Block`. What they write is in the rows of the run: a signal of your own under its name;
        under a name that the plant shows, such as "rate", the truth keeps the name, and what the law is shown is
        "rate_seen" ("rate_after_x": what a block x wrote before the last). What the law answered is "command_asked".
    integrator : str, optional
        One of `INTEGRATORS` by name; see `Scheme`. If left out, dop853; gauss4 for a craft with flexible arms where no
        rtol is given.
    step : float, optional
        Fixed step, largest step of dop853, s. Of the implicit methods (gauss4 and its like) it may be left out where
        the craft has flexible arms. It is then a twentieth of the shortest of these periods: the slowest vibration of
        the arms, the vibrations of the other elements, and the motion of hub and elements at t = 0, nutation included.
        An implicit step that finds no solution is halved and tried again (`Run.counters`: "rejected_steps").
    rtol : float, optional
        Tolerance of dop853, 1e-10 if left out; see `Scheme`.
    output : float, optional
        Period of the results, s; a five-hundredth of the duration if neither this nor `at` is given.
    at : array_like, shape (n,), optional
        Times (s) at which results are wanted, besides the periodic ones. Outputs never change the steps.
    ledger : bool
        Whether work and angular impulse are integrated beside the state, so that energy and momentum can be
        balanced in any run. They do not influence the state.
    compiled : bool
        False runs the same source as plain Python: slow, but needs no compiling and takes any function.
    max_steps : int
        Where the run gives up; earlier, where it is plain that it will not come to its end within them, or that the
        plant is stiff.
    amplification_limit : float
        The run ends before a torque in a dual Euler basis is amplified beyond this (1/c of its singular pose), and
        before the Euler rates of a formulation are; at fixed steps also before the next step could pass its gimbal
        lock unseen.
    progress : callable, optional
        Called now and then with the share of the duration done.
    stream : str, path or Recording, optional
        A NetCDF file for the rows, which then are never all in memory: the run reads them from there. It is the file
        that `Run.save` writes, and is put in its place at the end. When the disk is full the run stops.
    formulation : str or View, optional
        In whose states the craft is integrated, by name (see `polhode.plant.formulations.FORMULATIONS`) or with options
        (`polhode.plant.formulations.RotationIn`, `PublishedRing`). Momentum and Euler parameters are read from them.
    seed : int, optional
        Of the random numbers of all blocks that draw any (`Block(random=True)`), from 0 to 2^64 - 1; these want one.
    run : int
        Which of many runs with that seed it is; each draws numbers of its own. A run that goes on from the state of
        another begins to count anew: give it another number, or it draws what the first one drew.
    real_time : float, optional
        Seconds of the run in a second on the wall: whatever is asked outside the compiled engine, such as hardware
        behind a process, is not asked before its time. Answers that come too late are counted (`Run.counters`:
        "real_time_overruns"), and told. What is computed is the same as without.

    Returns
    -------
    Run
        Everything computed, with how the run ended and warnings: near singular poses, limits of motors, the error of
        attitude to be expected where it matters, efforts that may have been stepped over.

    Raises
    ------
    InputError
        When something given is out of range or does not fit the craft, or the step is too long for the mesh of its
        arms.
    DesignError
        When the law cannot follow the reference.
    SaveError
        When no file can be made for the stream.
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
    plan = planned(
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
        output=output,
        at=at,
        ledger=ledger,
        compiled=compiled,
        max_steps=max_steps,
        amplification_limit=amplification_limit,
        formulation=formulation,
        seed=seed,
        run=run,
    )
    require_finite_start(craft, plan.x)
    clock = None
    if real_time is not None:
        from .engine.real_time import RealTime

        clock = RealTime(real_time)
        if all(getattr(part, "compiled", True) for part in (law, *blocks)):
            raise InputError(
                "real_time holds what is asked outside the compiled engine (a process, or a law or block in plain "
                "Python) to the clock, and this run asks nothing; leave it out"
            )
    return _flying()(plan, progress=progress, stream=stream, real_time=clock)


@cache
def _flying() -> "Callable[..., Run]":
    from .flight import fly  # not before there is something to fly: importing this room is light

    return fly
