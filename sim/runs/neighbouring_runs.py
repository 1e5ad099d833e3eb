"""Runs in the neighbourhood of a run, extrapolated along its exact tangents instead of being simulated.

Differences of such runs give the derivatives of anything computed from a run (metrics, residuals of sensors) without
the errors of differences of simulated runs, and in one simulation for several parameters.
"""

from collections.abc import Sequence

from ..codegen.tangent_library import tangents
from ..engine import indices as at
from ..engine.loop import Loop
from ..engine.tangent_loop import TangentLoop, carries_tangents, neighbours
from ..results.run import Run
from .drive import gatherer, loop_of, steps_per_call
from .run_spec import RunSpec

SLOWER = 5  # time of a step with tangents, relative to a step without


def neighbouring_runs(plan: RunSpec, pairs: Sequence[tuple[RunSpec, RunSpec]]) -> tuple[Run, list[tuple[Run, Run]]] | None:
    """Return a run, and pairs of runs on both sides of it, extrapolated along its tangents.

    Parameters
    ----------
    plan : RunSpec
        The run.
    pairs : sequence of (RunSpec, RunSpec)
        Two neighbouring runs for each direction, such as those for a parameter increased and decreased by one small
        step. They are not simulated: half the difference between their initial arrays is the direction, and the rows
        of their results are those of the run plus or minus its tangents.

    Returns
    -------
    (Run, list of (Run, Run)) or None
        The run, equal to that of `simulate` in every bit, and the neighbouring runs. None if its tangents cannot be
        propagated: without the library with tangents, with functions in Python, with a user-defined kernel, or if a
        neighbouring run has a different structure.
    """
    functions = [getattr(part, "function", part) for part in (plan.law, *plan.blocks)]
    if any(hasattr(each, "opened") for each in functions):  # each run opens its own resources
        return None
    loop = loop_of(plan)
    if not carries_tangents(loop):
        return None
    others = [(loop_of(after), loop_of(before)) for after, before in pairs]
    if not all(neighbours(loop, each) for pair in others for each in pair):
        return None
    rows = gatherer(loop, plan)
    rows_of = [(gatherer(a, after), gatherer(b, before)) for (a, b), (after, before) in zip(others, pairs, strict=True)]
    many, status = tangents(), at.DONE
    for first in range(0, max(len(others), 1), many):
        flight = TangentLoop(loop, others[first : first + many])
        status = _to_the_end(flight, plan, loop)
        flight.finish_pairs()
    flight.finish(loop)
    run = rows(status)
    return run, [(after(status), before(status)) for after, before in rows_of]


def _to_the_end(flight: TangentLoop, plan: RunSpec, loop: Loop) -> int:
    """Advance to the end in calls short enough for Ctrl-C, and return the last stop code."""
    steps = max(steps_per_call(plan.craft) // SLOWER, 1)
    while True:
        status = flight.advance(steps)
        if status != at.PAUSED:
            return status
