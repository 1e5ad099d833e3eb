"""Simulate independent runs, in batches if compiled code suffices, and return a `Run` for each."""

from collections.abc import Callable, Iterator, Sequence
from threading import Event

from ...plant.errors import PolhodeError
from ..engine import indices as at
from ..engine.batch import Batch, flies_together, kind_of
from ..engine.loop import Loop
from ..engine.stall_guard import StallGuard
from ..results.run import Run
from .drive import STEPS_PER_CALL, fly, gatherer, loop_of, steps_per_call
from .run_spec import RunSpec, require_finite_start

LANES = 32  # runs per call: amortises the overhead of Python, and stays in the cache
LANE_MEMORY = 2**25  # bytes for all lanes together, unless a single lane needs more


def run_in_parallel(plans: Sequence[RunSpec]) -> Iterator[tuple[int, Run | PolhodeError]]:
    """Yield the index and the outcome of each run, in any order; the runs may differ in any argument.

    The outcome is bitwise identical to the result of `simulate`, or is the error that `simulate` raises.
    """
    kinds: dict[object, list[tuple[int, Loop]]] = {}
    for n, plan in enumerate(plans):
        try:
            loop = loop_of(plan)
        except PolhodeError as error:
            yield n, error
            continue
        if not flies_together(loop):
            yield n, _alone(plan)
            continue
        those = kinds.setdefault((kind_of(loop), plan.follows), [])
        those.append((n, loop))
        if len(those) == _lanes(loop):
            yield from _together(those, plans)
            those.clear()
    for those in kinds.values():
        if those:
            yield from _together(those, plans)


def _lanes(loop: Loop) -> int:
    """Return the number of runs of this kind that fit into one batched call."""
    return max(1, min(LANES, int(LANE_MEMORY / (8.0 * loop.arena.pattern.size))))


def fly_alone(plan: RunSpec) -> Run:
    """Simulate a single run as `simulate` does."""
    require_finite_start(plan.craft, plan.x)
    return fly(plan)


def _alone(plan: RunSpec) -> Run | PolhodeError:
    """Return a single run, or the error that it raises."""
    try:
        return fly_alone(plan)
    except PolhodeError as error:
        return error


def _together(those: Sequence[tuple[int, Loop]], plans: Sequence[RunSpec]) -> Iterator[tuple[int, Run | PolhodeError]]:
    """Simulate runs of one kind; the lane of a run is its index in `those`."""
    lanes = range(len(those))
    batch = Batch(those[0][1], len(those), follows=plans[those[0][0]].follows)
    gather = []
    for lane, (n, loop) in enumerate(those):
        batch.load(lane, loop, plans[n].x)
        gather.append(gatherer(loop, plans[n]))
        loop.arrays = batch.arrays(lane)  # from here on the loop uses its lane of the batch
    known = batch.start(lanes)
    going = [lane for lane in lanes if known[lane]]
    steps = steps_per_call(plans[those[0][0]].craft)
    done = set(to_the_end(batch, going, lambda lane: plans[those[lane][0]], steps=steps, ended=Event()))
    for lane, (n, _) in enumerate(those):
        yield n, gather[lane](at.DONE) if lane in done else _alone(plans[n])


def to_the_end(
    batch: Batch, going: Sequence[int], plan_of: Callable[[int], RunSpec], *, steps: int, ended: Event
) -> list[int]:
    """Advance runs to completion, and return the completed lanes; other runs must be simulated separately.

    going: lanes of the runs; plan_of: returns the RunSpec of a lane, called only for long runs; steps: steps per call
    of each run; ended: stops the runs when set.
    """
    done: list[int] = []
    paces: dict[int, StallGuard] = {}
    while going and not ended.is_set():
        lanes = going
        going = list[int]()
        for lane, status in zip(lanes, batch.advance(lanes, steps).tolist(), strict=True):
            if status == at.PAUSED:
                if lane not in paces:
                    plan, b = plan_of(lane), batch.arrays(lane)
                    paces[lane] = StallGuard(plan.craft, plan.torques, b, duration=plan.duration, steps=STEPS_PER_CALL)
                if not paces[lane].verdict():
                    going.append(lane)
            elif status == at.DONE:
                done.append(lane)
    return done
