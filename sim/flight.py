"""Fly what `simulate` was asked for: the loop driven to its end, its rows made into a run."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..controllers import Block, Law, Reference
from ..controllers.files.uninterrupted import uninterrupted
from ..plant import Spacecraft, TorquePulse
from ..plant.formulations.view import View
from .engine import indices
from .engine.loop import Loop
from .engine.pace import Pace
from .engine.seeding import seeded
from .results.block_quantities import block_quantities
from .results.ending import ending
from .results.law_warnings import law_warnings
from .results.modes_flown import MODE_QUANTITY
from .results.quantities import QUANTITIES
from .results.recording import Recording
from .results.run import Run
from .results.run_warnings import run_warnings
from .results.signal_quantities import signal_quantities
from .results.streaming import ROOM, Streaming
from .steppers.scheme import Scheme

__all__ = ["fly"]

Array = NDArray[np.float64]

STEPS_PER_CALL = 50_000  # some tens of milliseconds between looks at the keyboard, the progress bar and the pace
SMALL = 13  # states: what those steps are counted for; the work of a step grows about as the square of the states
FEWEST = 1000  # steps, however large the craft: a look costs something too
STEPS_PER_PLAIN_CALL = 500


def fly(
    craft: Spacecraft,
    x: Array,
    law: Law | None,
    reference: Reference,
    *,
    follows: bool,
    torques: tuple[TorquePulse, ...],
    scheme: Scheme,
    duration: float,
    times: Array,
    ledger: bool,
    compiled: bool,
    max_steps: int,
    pose_limit: float,
    blocks: Sequence[Block],
    seed: int | None,
    number: int,
    view: View | None,
    progress: Callable[[float], None] | None,
    stream: str | Path | Recording | None,
) -> Run:
    """Return the run; arguments as `Loop` and `simulate`, checked.

    follows: whether there is a reference to compare with.
    """
    loop = Loop(
        craft,
        x,
        law,
        reference,
        pulses=torques,
        scheme=scheme,
        duration=duration,
        times=times,
        ledger=ledger,
        compiled=compiled,
        max_steps=max_steps,
        pose_limit=pose_limit,
        room=None if stream is None else ROOM,
        blocks=seeded(blocks, seed=seed, run=number),
        view=view,
    )
    # a signal with the name of another quantity is refused before it flies
    written = block_quantities(craft, blocks, taken=(*QUANTITIES, *signal_quantities(craft.elements)))
    turns = written[MODE_QUANTITY] if hasattr(law, "followed") else None
    size = x.size
    own = slice(size, size if view is None else size + len(view.states))
    start = np.delete(loop.arrays.x, own)

    def rows(status: int) -> Run:
        t, rows_x, rows_u, rows_s = _rows(loop, status)
        mode = None if turns is None else turns.of(rows_s)
        ended = ending(loop, status, torques)  # before the rows are looked at, which leaves other notes behind
        observables = loop.with_spread(loop.observe(t, rows_x, rows_u, follows=follows, mode=mode))
        if ended.status == "completed" and loop.unseen:
            ended = replace(ended, status="failed", reason=loop.unseen)
        return Run(
            craft=craft,
            law=law,
            reference=reference if follows else None,
            scheme=scheme,
            t=t,
            states=rows_x if view is None else np.delete(rows_x, own, axis=1),
            inputs=loop.acting(t, rows_u),
            observables=observables,
            start=start,
            ledger=ledger,
            ended=ended,
            blocks=tuple(blocks),
            seed=seed,
            number=number,
            formulation=view,
            own=None if view is None else rows_x[:, own],
            beside=rows_s if blocks else None,
        )

    if stream is None:
        return _warned(rows(_drive(loop, duration, progress, craft, torques)))
    with Streaming(stream) as streaming:

        def take() -> bool:
            streaming.append(rows(indices.DONE))
            loop.make_room()
            return streaming.failure is None

        status = _drive(loop, duration, progress, craft, torques, take)
        return streaming.close(_warned(streaming.gather(rows(status), loop.arrays.out_t)))


def _warned(run: Run) -> Run:
    """The run with what is to be said of it now that it is finished."""
    told = [] if run.formulation is None or not run.formulation.words() else [run.formulation.words()]
    warnings = (*told, *run.warnings, *run_warnings(run), *([] if run.law is None else law_warnings(run)))
    return replace(run, ended=replace(run.ended, warnings=warnings))


def _drive(
    loop: Loop,
    duration: float,
    progress: Callable[[float], None] | None,
    craft: Spacecraft,
    torques: tuple[TorquePulse, ...],
    take: Callable[[], bool] | None = None,
) -> int:
    steps = STEPS_PER_CALL if loop.compiled else STEPS_PER_PLAIN_CALL
    call = max(min(steps, FEWEST), int(steps / max(1.0, craft.layout.size / SMALL) ** 2))
    pace = Pace(craft, torques, loop, duration=duration, steps=steps)
    try:
        while True:
            status = loop.advance(call)
            if progress is not None:
                progress(min(float(loop.arrays.clock[indices.T]) / duration, 1.0))
            if status == indices.ROWS_FULL and take is not None:
                with uninterrupted():
                    taken = take()
                if not taken:
                    return indices.PAUSED
            elif status != indices.PAUSED:
                return status
            loop.complaint = pace.verdict()
            if loop.complaint:
                return indices.TOO_SLOW
    except KeyboardInterrupt:
        return indices.PAUSED


def _rows(loop: Loop, status: int) -> tuple[Array, Array, Array, Array]:
    """The rows recorded and not taken out yet; of a run that ended early, its last state too."""
    b = loop.arrays
    n, taken = int(b.count[indices.KOUT]), int(b.count[indices.TAKEN])
    t, x, u, s = b.out_t[taken:n], b.out_x[: n - taken], b.out_u[: n - taken], b.out_s[: n - taken]
    now = float(b.clock[indices.T])
    if status != indices.DONE and (n == 0 or b.out_t[n - 1] < now):
        t, x, u = np.append(t, now), np.vstack([x, b.x]), np.vstack([u, b.u])
        s = np.vstack([s, b.signals[b.signals.size - b.out_s.shape[1] :]])
    return t, x, u, s
