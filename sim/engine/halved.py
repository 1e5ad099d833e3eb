# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Halving and repetition of implicit steps that have no solution.

A step is divided into 2^HALVINGS equal parts; the last part ends exactly at the end of the step. After several
successive parts with a solution, two parts are merged, so that the onset of dry friction within a microsecond costs
only a few dozen short parts. A step that is not finished after MOST_TRIALS parts ends the run: at this pace the
remainder would take hours.
"""

import math

from ...plant.kernels.kernel import kernel
from . import indices as at
from .single_step import fixed_step
from .steppers.stage_times import close_to
from .take_step import step_is_finite, take_step

MOST_HALVINGS = 30
"""Largest number of halvings: 0.1 s to 1e-10 s. Parts are also at least about 100 units in the last place of t."""

MOST_TRIALS = 4096
"""Largest number of parts of a step, solved or rejected; an onset of dry friction takes up to 200."""

ENOUGH = 6
"""Number of successive parts with a solution after which two parts are merged."""


@kernel(inline=True)
def _halve(t, h, status, b):
    """Halve the next part, of length h; return 0, or the status if the part is too short."""
    clock, count = b.clock, b.count
    count[at.UNSOLVED] = 0
    count[at.SOLVED] = 0
    count[at.TRIALS] += 1
    if count[at.TRIALS] >= MOST_TRIALS:
        return at.NOT_CONVERGED
    if count[at.HALVINGS] >= MOST_HALVINGS or 0.5 * h < 25.0 * close_to(t + h):
        return status
    count[at.HALVINGS] += 1
    count[at.PART] *= 2
    count[at.REJECTED] += 1
    if clock[at.SHORTEST] == 0.0 or 0.5 * h < clock[at.SHORTEST]:
        clock[at.SHORTEST] = 0.5 * h
    return 0


@kernel
def implicit_part(t, after, h, user, b):
    """Take the next part of the step of length h from t to `after`; return 0 or the stop code.

    The last part completes the step, which is then counted. A part that has no solution is halved and changes nothing
    else. A part whose output rows have no room is kept, since a repetition would start from a different guess and
    differ in the last digits.
    """
    clock, count = b.clock, b.count
    parts = 1.0
    for _ in range(int(count[at.HALVINGS])):
        parts *= 2.0
    part = count[at.PART]
    length = h / parts
    here = t + h * (part / parts)
    last = part + 1 == parts
    there = after if last else t + h * ((part + 1) / parts)
    if count[at.COMPUTED] == 0:
        drift = fixed_step(at.IMPLICIT, here, length, b.new, False, length, user, b)
        if not step_is_finite(drift, b.new):
            return _halve(here, length, at.NOT_CONVERGED if drift == math.inf else at.NOT_FINITE, b)
        clock[at.DRIFT] = drift
        count[at.COMPUTED] = 1
    status = take_step(at.IMPLICIT, clock[at.DRIFT], here, there, length, user, b)
    if status == at.ROWS_FULL:
        return status
    count[at.COMPUTED] = 0
    if status == at.NOT_CONVERGED:
        return _halve(here, length, status, b)
    if status != 0:
        return status
    count[at.PART] = part + 1
    count[at.TRIALS] += 1
    if last:
        count[at.PART] = 0
        count[at.TRIALS] = 0
        count[at.SEGMENT_I] += 1
    elif count[at.TRIALS] >= MOST_TRIALS:
        return at.NOT_CONVERGED
    if count[at.HALVINGS] > 0:
        count[at.SOLVED] += 1
        if count[at.SOLVED] >= ENOUGH and count[at.PART] % 2 == 0:
            count[at.HALVINGS] -= 1
            count[at.PART] = count[at.PART] // 2
            count[at.SOLVED] = 0
    return 0
