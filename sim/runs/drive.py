"""Drive the loop of one run to its end and collect its rows in a `Run`."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...controllers.laws.files.uninterrupted import uninterrupted
from ...controllers.loop.routes import commands_of
from ...plant import Spacecraft
from ..engine import indices
from ..engine.external_resources import external_resources, stays_as_it_is
from ..engine.loop import Loop
from ..engine.observed import observed
from ..engine.real_time import RealTime
from ..engine.seeding import seeded
from ..engine.stall_guard import StallGuard
from ..results.block_quantities import BlockQuantity, block_quantities
from ..results.ending import ending
from ..results.mode_intervals import MODE_QUANTITY, SINCE
from ..results.quantities import QUANTITIES
from ..results.recording import Recording
from ..results.run import Run
from ..results.signal_quantities import signal_quantities
from ..results.streaming import ROOM, Streaming
from .run_spec import RunSpec

Array = NDArray[np.float64]

STEPS_PER_CALL = 50_000  # tens of milliseconds between checks of Ctrl-C, progress and the stall guard
SMALL = 13  # number of states up to which STEPS_PER_CALL applies; the work per step grows roughly quadratically
FEWEST = 1000  # smallest number of steps per call: checks take time too
STEPS_PER_PLAIN_CALL = 500


def fly(
    plan: RunSpec,
    *,
    progress: Callable[[float], None] | None = None,
    stream: str | Path | Recording | None = None,
    real_time: RealTime | None = None,
) -> Run:
    """Simulate a specified run and return it; other arguments as in `simulate`.

    External resources of its law and blocks, such as programs, are opened for the run and closed at its end.
    """
    if stays_as_it_is(plan.law, plan.blocks):
        return _simulated(plan, progress=progress, stream=stream, real_time=real_time)
    with external_resources(plan.law, plan.blocks, seed=plan.seed, run_index=plan.number) as (law, blocks):
        ready = plan._replace(law=law, blocks=blocks)
        run = _simulated(ready, progress=progress, stream=stream, real_time=real_time)
    return replace(run, law=plan.law, blocks=plan.blocks)


def _simulated(
    plan: RunSpec,
    *,
    progress: Callable[[float], None] | None,
    stream: str | Path | Recording | None,
    real_time: RealTime | None,
) -> Run:
    loop = loop_of(plan, room=None if stream is None else ROOM, real_time=real_time)
    rows = gatherer(loop, plan)
    if stream is None:
        return rows(_drive(loop, plan, progress))
    with Streaming(stream) as streaming:

        def take() -> bool:
            streaming.append(rows(indices.DONE))
            loop.make_room()
            return streaming.failure is None

        status = _drive(loop, plan, progress, take)
        run = streaming.gather(rows(status), plan.times)
        return streaming.close(replace(run, end_report=replace(run.ended, warnings=run.warnings, looked=True)))


def gatherer(loop: Loop, plan: RunSpec) -> Callable[[int], Run]:
    """Return a function that maps the last engine status to a `Run`; call this before the loop starts."""
    craft, law, reference, view, blocks = plan.craft, plan.law, plan.reference, plan.view, plan.blocks
    written = written_by(plan) if blocks else {}
    turns = [written[each] for each in (MODE_QUANTITY, SINCE)] if hasattr(law, "followed") else None
    size = plan.x.size
    own = slice(size, size if view is None else size + len(view.states))
    if view is not None:
        start = np.delete(loop.arrays.x, own)
    else:
        start = loop.arrays.x.copy() if plan.ledger else plan.x

    def rows(status: int) -> Run:
        t, rows_x, rows_u, rows_s = _rows(loop, status)
        mode = None if turns is None else (turns[0].of(rows_s), turns[1].of(rows_s))
        ended = ending(
            loop, status, plan.torques
        )  # evaluated now, because the evaluation of the rows overwrites the records of the loop
        found = observed(loop, t, rows_x, rows_u, follows=plan.follows, mode=mode)
        return Run(
            craft=craft,
            law=law,
            reference=reference if plan.follows else None,
            scheme=plan.scheme,
            t=t,
            states=rows_x if view is None else np.delete(rows_x, own, axis=1),
            inputs=loop.acting(t, rows_u),
            observed=found,
            start=start,
            ledger=plan.ledger,
            end_report=ended,
            blocks=blocks,
            seed=plan.seed,
            number=plan.number,
            formulation=view,
            own=None if view is None else rows_x[:, own],
            block_signals=rows_s if blocks else None,
        )

    return rows


def written_by(plan: RunSpec) -> dict[str, BlockQuantity]:
    """Return the quantities that the blocks of a run write. Raises InputError if a name is already taken."""
    if not plan.blocks:
        return {}
    taken = (*QUANTITIES, *signal_quantities(plan.craft.elements))
    return block_quantities(plan.craft, plan.blocks, commands=commands_of(plan.law), taken=taken)


def loop_of(plan: RunSpec, *, room: int | None = None, real_time: RealTime | None = None) -> Loop:
    """Return the loop of a specified run. room, real_time: as in `Loop`."""
    return Loop(
        plan.craft,
        plan.x,
        plan.law,
        plan.reference,
        pulses=plan.torques,
        scheme=plan.scheme,
        duration=plan.duration,
        times=plan.times,
        ledger=plan.ledger,
        compiled=plan.compiled,
        max_steps=plan.max_steps,
        pose_limit=plan.pose_limit,
        room=room,
        blocks=seeded(plan.blocks, seed=plan.seed, run_index=plan.number) if plan.blocks else (),
        view=plan.view,
        real_time=real_time,
    )


def steps_per_call(craft: Spacecraft, *, steps: int = STEPS_PER_CALL) -> int:
    """Return the number of steps per call of the engine; larger spacecraft take fewer than `steps`."""
    size = craft.layout.size
    return steps if size <= SMALL else max(min(steps, FEWEST), int(steps / (size / SMALL) ** 2))


def _drive(
    loop: Loop, plan: RunSpec, progress: Callable[[float], None] | None, take: Callable[[], bool] | None = None
) -> int:
    steps, duration = STEPS_PER_CALL if loop.compiled else STEPS_PER_PLAIN_CALL, plan.duration
    call = steps_per_call(plan.craft, steps=steps)
    pace: StallGuard | None = None
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
            if pace is None:
                pace = StallGuard(plan.craft, plan.torques, loop.arrays, duration=duration, steps=steps)
            loop.complaint = pace.verdict()
            if loop.complaint:
                return indices.TOO_SLOW
    except KeyboardInterrupt:
        return indices.PAUSED


def _rows(loop: Loop, status: int) -> tuple[Array, Array, Array, Array]:
    """Return the recorded rows not taken out yet, and the last state of a run that ended early."""
    b = loop.arrays
    n, taken = b.count.item(indices.KOUT), b.count.item(indices.TAKEN)
    t, x, u, s = b.out_t, b.out_x, b.out_u, b.out_s
    if taken or n < len(t):
        t, x, u, s = t[taken:n], x[: n - taken], u[: n - taken], s[: n - taken]
    now = b.clock.item(indices.T)
    if status != indices.DONE and (n == 0 or b.out_t[n - 1] < now):
        t, x, u = np.append(t, now), np.vstack([x, b.x]), np.vstack([u, b.u])
        s = np.vstack([s, b.signals[b.signals.size - b.out_s.shape[1] :]])
    return t, x, u, s
