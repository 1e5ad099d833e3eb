"""Runs in the neighbourhood of a run, extrapolated along its exact tangents instead of being simulated.

Differences of such runs give the derivatives of anything computed from a run (metrics, residuals of sensors), without
the errors of differences between simulated runs, and for several parameters in one simulation.

Tangents follow the branches of one run. They miss a change of the instant at which a run jumps, such as the latching
of a panel or a count of a sensor. Hence two runs in one combined direction are simulated too; if they do not agree with
the tangents, all neighbouring runs are simulated. In the combined direction, strong parameters are displaced less, so
that they do not hide the wrong tangent of a weak one.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import PolhodeError
from ..codegen.library import has_library
from ..codegen.tangent_library import tangents
from ..engine import indices as at
from ..engine.memory import require_memory
from ..engine.stall_guard import StallGuard
from ..engine.tangent_loop import TangentLoop, carries_tangents, neighbours
from ..results.run import Run
from .drive import gatherer, loop_of, steps_per_call
from .parallel_runs import run_in_parallel
from .run_spec import RunSpec

Array = NDArray[np.float64]

SLOWER = 5  # time of a step with tangents, relative to a step without
AGREEMENT = 2e-3  # largest deviation of tangents from simulated runs, relative to the largest change of like states
NOISE = 1e-9  # change that simulated runs do not resolve, relative to the largest value of like states
MEASURE_AGREEMENT = 2e-2  # largest deviation of measures, relative to the sum of the changes by all directions
MEASURE_NOISE = 1e-8  # change of a measure that simulated runs do not resolve
RESOLVED = 3e-6  # change that simulated runs resolve to `AGREEMENT`, relative to the largest value of like states

Displaced = Callable[[Array], tuple[RunSpec, RunSpec]]
"""Function of weights (n,), which returns the specifications of the runs on both sides in a combined direction.

The weights are the displacements along each direction, in units of the displacements of the neighbouring runs. Raises
PolhodeError if there is no such run.
"""

Measure = Callable[[Run], Array]
"""Function that returns the numbers (k,) computed from a run whose derivatives are used, scaled to the order of 1."""


def check_weights(effects: Array, sizes: Array) -> Array:
    """Return the weights of the check (n,).

    effects (n, k): largest changes of k groups of like states by each of n directions; sizes (k,): largest states.

    Strong directions are displaced less than the neighbouring runs, down to the effect of the weakest one, but at least
    to `RESOLVED`. Otherwise they would hide a wrong tangent of a weak direction. The weights also vary in sign, and
    by a factor between 1 and 2 in no simple ratio.
    """
    numbers = np.arange(len(effects))
    golden = 0.5 * (math.sqrt(5.0) - 1.0)
    signs = (-1.0) ** numbers * (1.0 + np.fmod(golden * (numbers + 1), 1.0))
    if effects.size == 0:
        return signs
    largest = effects.max(axis=0)
    relative = effects / np.where(largest > 0.0, largest, 1.0)
    group, strength = relative.argmax(axis=1), relative.max(axis=1)  # group in which each direction is strongest
    resolved = np.where(strength > 0.0, RESOLVED * sizes[group] / np.maximum(largest[group], 1e-300), 0.0)
    level = max(float(strength.min()), float(resolved.max()))
    return np.asarray(signs * np.where(strength > level, level / np.maximum(strength, 1e-300), 1.0))


@dataclass(frozen=True, kw_only=True)
class NeighbouringRuns:
    """A run, and two neighbouring runs in each direction.

    run: the run, or the error that `simulate` raises; pairs: the runs on both sides, or their errors; simulated: why
    the pairs were simulated instead of extrapolated along exact tangents; empty if they were extrapolated.
    """

    run: Run | PolhodeError
    pairs: list[tuple[Run | PolhodeError, Run | PolhodeError]]
    simulated: str = ""


def neighbouring_runs(
    plan: RunSpec,
    pairs: Sequence[tuple[RunSpec, RunSpec]],
    displaced: Displaced | None,
    measure: Measure | None = None,
) -> NeighbouringRuns:
    """Return a run and its neighbouring runs, extrapolated along exact tangents if possible, otherwise simulated.

    Parameters
    ----------
    plan : RunSpec
        The run.
    pairs : sequence of (RunSpec, RunSpec)
        Two neighbouring runs for each direction, such as those for a parameter increased and decreased by one small
        step. Half the difference between their initial arrays is the direction. The rows of extrapolated runs are those
        of the run plus or minus its tangents.
    displaced : callable or None
        The two runs that are simulated to check the tangents; None to simulate all runs.
    measure : callable, optional
        Numbers computed from a run, such as metrics, for which the check is repeated. They can jump although the states
        do not, for example a count of the steps at a limit.

    Returns
    -------
    NeighbouringRuns
        The run, equal to that of `simulate` in every bit, and its neighbouring runs.
    """
    reason = "the tangents cannot be checked by simulated runs"
    if displaced is not None:
        found = _extrapolated(plan, pairs)
        if isinstance(found, NeighbouringRuns):
            reason = _disagreement(found, displaced, measure)
            if not reason:
                return found
        else:
            reason = found
    runs = dict(run_in_parallel([plan, *(each for pair in pairs for each in pair)]))
    flat = [runs[n] for n in range(len(runs))]
    return NeighbouringRuns(run=flat[0], pairs=list(zip(flat[1::2], flat[2::2], strict=True)), simulated=reason)


def _extrapolated(plan: RunSpec, pairs: Sequence[tuple[RunSpec, RunSpec]]) -> NeighbouringRuns | str:
    """Return the runs, extrapolated along exact tangents, or why that is not possible."""
    if not plan.compiled or not has_library():
        return "the run is simulated in plain Python"
    if tangents() == 0:
        return (
            "this installation has no intact engine library with tangents; install polhode again, with a C++ compiler"
        )
    if hasattr(plan.law, "opened") or any(block.runs_outside for block in plan.blocks):
        return "a law or block runs outside the compiled engine"
    try:
        loop = loop_of(plan)
        copies = 2 * len(pairs) + (1 + tangents()) * max(-(-len(pairs) // tangents()), 1)
        require_memory(8.0 * sum(each.size for each in loop.arrays) * copies, "the rows with their tangents")
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
    if not all(part.finite for part in parts):
        return "a derivative is infinite or undefined"
    for part in parts:
        part.finish_pairs()
    parts[0].finish(loop)
    if status != at.DONE:
        return "the run ends early"
    return NeighbouringRuns(run=rows(status), pairs=[(after(status), before(status)) for after, before in rows_of])


def _to_the_end(part: TangentLoop, plan: RunSpec) -> int:
    """Advance to the end in calls short enough for Ctrl-C, and return the last stop code."""
    steps = max(steps_per_call(plan.craft) // SLOWER, 1)
    status = part.advance(steps)
    pace = StallGuard(plan.craft, plan.torques, part.values, duration=plan.duration, steps=steps * SLOWER)
    while status == at.PAUSED:
        if pace.verdict():
            return at.TOO_SLOW
        status = part.advance(steps)
    return status


def _disagreement(found: NeighbouringRuns, displaced: Displaced, measure: Measure | None) -> str:
    """Return a sentence if simulated runs in a combined direction contradict the tangents; otherwise nothing."""
    run, pairs = found.run, [(one, other) for one, other in found.pairs if isinstance(one, Run)]
    assert isinstance(run, Run)  # noqa: S101 # extrapolated runs have no errors
    tangents_of = [0.5 * (one.states - other.states) for one, other in pairs if isinstance(other, Run)]
    groups = _groups(run)
    effects = [[float(np.abs(each[:, columns]).max()) for columns in groups] for each in tangents_of]
    sizes = np.array([_size(run, columns) for columns in groups])
    weights = check_weights(np.array(effects).reshape(len(tangents_of), len(groups)), sizes)
    try:
        specs = displaced(weights)
    except PolhodeError as error:
        return f"the tangents cannot be checked by simulated runs: {error}"
    outcome = dict(run_in_parallel(specs))
    after, before = outcome[0], outcome[1]
    if isinstance(after, PolhodeError) or isinstance(before, PolhodeError):
        return "a neighbouring run cannot be simulated"
    if after.states.shape != run.states.shape or before.states.shape != run.states.shape:
        return "a neighbouring run ends early"
    change = 0.5 * (after.states - before.states)
    expected = np.zeros_like(change)
    for weight, each in zip(weights, tangents_of, strict=True):
        expected += weight * each
    for columns, size in zip(groups, sizes, strict=True):
        moved = max(float(np.abs(each[:, columns]).max()) for each in (expected, change))
        allowed = AGREEMENT * moved + NOISE * float(size)
        wrong = ~(np.abs(change - expected)[:, columns] <= allowed).all(axis=1)
        if wrong.any():
            return (
                f"from t = {float(run.t[int(np.argmax(wrong))]):.6g} s on, tangents and simulated runs differ: "
                "a jump at an instant that depends on the parameters, or the tolerance of the integrator"
            )
    if measure is not None and _measures_differ(found, weights, (after, before), measure):
        return "a metric of extrapolated runs differs from that of simulated runs, as a count or time at a limit does"
    return ""


def _measures_differ(found: NeighbouringRuns, weights: Array, simulated: tuple[Run, Run], measure: Measure) -> bool:
    """Return whether the changes of the measures contradict those of two simulated runs."""
    change = 0.5 * (measure(simulated[0]) - measure(simulated[1]))
    terms = np.zeros((len(weights), change.size))
    for n, (one, other) in enumerate(found.pairs):
        if isinstance(one, Run) and isinstance(other, Run):
            terms[n] = 0.5 * weights[n] * (measure(one) - measure(other))
    allowed = MEASURE_AGREEMENT * np.abs(terms).sum(axis=0) + MEASURE_NOISE
    known = np.isfinite(change) & np.isfinite(terms).all(axis=0)
    missing = np.isnan(change) & np.isnan(terms).all(axis=0)
    return bool((~missing & ~(known & (np.abs(change - terms.sum(axis=0)) <= allowed))).any())


def _size(run: Run, columns: Sequence[int]) -> float:
    """Return the largest state in the unit of a group.

    The total momentum of a spacecraft at rest is the round-off of the momenta of its wheels.
    """
    units = run.craft.layout.units
    return float(np.abs(run.states[:, [n for n, unit in enumerate(units) if unit == units[columns[0]]]]).max())


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
