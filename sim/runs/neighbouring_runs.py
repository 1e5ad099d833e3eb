"""Runs in the neighbourhood of a run, extrapolated along its exact tangents instead of being simulated.

Differences of such runs give the derivatives of anything computed from a run (metrics, residuals of sensors), without
the errors of differences between simulated runs, and for several parameters in one simulation.

Tangents follow the branches of one run. They miss a change of the instant at which a run jumps, such as the latching
of a panel or a count of a sensor. Hence two runs in one combined direction are simulated too; if they do not agree with
the tangents, all neighbouring runs are simulated.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import PolhodeError
from ..codegen.tangent_library import tangents
from ..engine import indices as at
from ..engine.memory import require_memory
from ..engine.tangent_loop import TangentLoop, carries_tangents, neighbours
from ..results.run import Run
from .drive import gatherer, loop_of, steps_per_call
from .parallel_runs import run_in_parallel
from .run_spec import RunSpec

Array = NDArray[np.float64]

SLOWER = 5  # time of a step with tangents, relative to a step without
AGREEMENT = 2e-3  # largest deviation of tangents from simulated runs, relative to the largest change of like states
NOISE = 1e-9  # change that simulated runs do not resolve, relative to the largest value of like states


class Check(NamedTuple):
    """Two runs in a combined direction, to be simulated.

    after, before: the runs on both sides; weights: displacement of the first one along each direction, in units of the
    displacements of the neighbouring runs.
    """

    after: RunSpec
    before: RunSpec
    weights: Sequence[float]


def check_weights(directions: int) -> list[float]:
    """Return weights for a `Check`: between 1 and 2 in magnitude, with signs and sizes in no simple ratio."""
    golden = 0.5 * (math.sqrt(5.0) - 1.0)
    return [(-1.0) ** n * (1.0 + math.fmod(golden * (n + 1), 1.0)) for n in range(directions)]


@dataclass(frozen=True, kw_only=True)
class NeighbouringRuns:
    """A run, and two neighbouring runs in each direction.

    run: the run, or the error that `simulate` raises; pairs: the runs on both sides, or their errors; simulated: why
    the pairs were simulated instead of extrapolated along exact tangents; empty if they were extrapolated.
    """

    run: Run | PolhodeError
    pairs: list[tuple[Run | PolhodeError, Run | PolhodeError]]
    simulated: str = ""


def neighbouring_runs(plan: RunSpec, pairs: Sequence[tuple[RunSpec, RunSpec]], check: Check | None) -> NeighbouringRuns:
    """Return a run and its neighbouring runs, extrapolated along exact tangents if possible, otherwise simulated.

    Parameters
    ----------
    plan : RunSpec
        The run.
    pairs : sequence of (RunSpec, RunSpec)
        Two neighbouring runs for each direction, such as those for a parameter increased and decreased by one small
        step. Half the difference between their initial arrays is the direction. The rows of extrapolated runs are those
        of the run plus or minus its tangents.
    check : Check or None
        Two runs that are simulated to check the tangents; None to simulate all runs.

    Returns
    -------
    NeighbouringRuns
        The run, equal to that of `simulate` in every bit, and its neighbouring runs.
    """
    reason = "the tangents cannot be checked by simulated runs"
    if check is not None:
        found = _extrapolated(plan, pairs)
        if isinstance(found, NeighbouringRuns):
            reason = _disagreement(found, check)
            if not reason:
                return found
        else:
            reason = found
    runs = dict(run_in_parallel([plan, *(each for pair in pairs for each in pair)]))
    flat = [runs[n] for n in range(len(runs))]
    return NeighbouringRuns(run=flat[0], pairs=list(zip(flat[1::2], flat[2::2], strict=True)), simulated=reason)


def _extrapolated(plan: RunSpec, pairs: Sequence[tuple[RunSpec, RunSpec]]) -> NeighbouringRuns | str:
    """Return the runs, extrapolated along exact tangents, or why that is not possible."""
    if tangents() == 0:
        return "the compiled engine with tangents is not installed (it needs a C++ compiler)"
    if hasattr(plan.law, "opened") or any(block.runs_outside for block in plan.blocks):
        return "a law or block runs outside the compiled engine"
    try:
        loop = loop_of(plan)
        require_memory(8.0 * sum(each.size for each in loop.arrays) * (1 + tangents()), "the rows with their tangents")
        others = [(loop_of(after), loop_of(before)) for after, before in pairs]
    except PolhodeError as error:  # each simulated run reports its own error
        return str(error)
    if not carries_tangents(loop):
        return "a user-defined function has no tangents"
    if not all(neighbours(loop, each) for pair in others for each in pair):
        return "a parameter changes the structure of the run"
    rows = gatherer(loop, plan)
    rows_of = [(gatherer(a, after), gatherer(b, before)) for (a, b), (after, before) in zip(others, pairs, strict=True)]
    many = tangents()
    parts = [TangentLoop(loop, others[n : n + many]) for n in range(0, max(len(others), 1), many)]
    status = [_to_the_end(part, plan) for part in parts][-1]  # the same for all
    for part in parts:
        part.finish_pairs()
    parts[0].finish(loop)
    if status != at.DONE:
        return "the run ends early"
    return NeighbouringRuns(run=rows(status), pairs=[(after(status), before(status)) for after, before in rows_of])


def _to_the_end(part: TangentLoop, plan: RunSpec) -> int:
    """Advance to the end in calls short enough for Ctrl-C, and return the last stop code."""
    steps = max(steps_per_call(plan.craft) // SLOWER, 1)
    while True:
        status = part.advance(steps)
        if status != at.PAUSED:
            return status


def _disagreement(found: NeighbouringRuns, check: Check) -> str:
    """Return a sentence if simulated runs in a combined direction contradict the tangents; otherwise nothing."""
    outcome = dict(run_in_parallel([check.after, check.before]))
    after, before, run = outcome[0], outcome[1], found.run
    if isinstance(after, PolhodeError) or isinstance(before, PolhodeError) or isinstance(run, PolhodeError):
        return "a neighbouring run cannot be simulated"
    if after.states.shape != run.states.shape or before.states.shape != run.states.shape:
        return "a neighbouring run ends early"
    change = 0.5 * (after.states - before.states)
    expected = np.zeros_like(change)
    for weight, (one, other) in zip(check.weights, found.pairs, strict=True):
        assert isinstance(one, Run)  # noqa: S101 # extrapolated runs have no errors
        assert isinstance(other, Run)  # noqa: S101
        expected += 0.5 * weight * (one.states - other.states)
    for columns in _groups(run):
        moved = max(float(np.abs(each[:, columns]).max()) for each in (expected, change))
        allowed = AGREEMENT * moved + NOISE * float(np.abs(run.states[:, columns]).max())
        wrong = (np.abs(change - expected)[:, columns] > allowed).any(axis=1)
        if wrong.any():
            return (
                f"from t = {float(run.t[int(np.argmax(wrong))]):.6g} s on, tangents and simulated runs differ, as "
                "after a jump at an instant that the parameters change"
            )
    return ""


def _groups(run: Run) -> list[list[int]]:
    """Return the columns of the states in groups of like quantities.

    Momenta of internal coordinates are in no group: their change appears in the coordinates, and those of stiff modes
    are mostly round-off.
    """
    layout = run.craft.layout
    momenta = {*range(layout.internal_momentum.start, layout.internal_momentum.stop), *layout.own_momenta_at}
    groups: dict[tuple[int, str], list[int]] = {}
    for column, unit in enumerate(layout.units):
        part = 0 if column < 3 else 1 if column < 7 else 2
        if column not in momenta:
            groups.setdefault((part, unit), []).append(column)
    return list(groups.values())
