# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Implicit steps that find no solution are halved and tried again.

A step is taken in 2^HALVINGS parts, which end at the same instant. Where several in a row found their solution two of
them become one again, so that dry friction that sets in within a microsecond costs a few dozen short steps and no more.
"""

import math

from ...plant.kernels.kernel import kernel
from ..steppers.stage_times import close_to
from .indices import (
    HALVINGS,
    IMPLICIT,
    NOT_CONVERGED,
    NOT_FINITE,
    PART,
    REJECTED,
    SEGMENT_I,
    SHORTEST,
    SOLVED,
    UNSOLVED,
)
from .single_step import fixed_step
from .take_step import step_is_finite, take_step

__all__ = ["MOST_HALVINGS", "implicit_part"]

MOST_HALVINGS = 30
"""A step of 0.1 s is not divided below 1e-10 s, nor any below a hundred units in the last place of the time."""

ENOUGH = 6
"""Parts in a row with a solution, before two are tried as one."""


@kernel(inline=True)
def _halve(t, h, status, b):
    """Take the next part, of length h, as two; 0, or the status where it is too short for that."""
    clock, count = b.clock, b.count
    count[UNSOLVED] = 0
    count[SOLVED] = 0
    if count[HALVINGS] >= MOST_HALVINGS or 0.5 * h < 25.0 * close_to(t + h):
        return status
    count[HALVINGS] += 1
    count[PART] *= 2
    count[REJECTED] += 1
    if clock[SHORTEST] == 0.0 or 0.5 * h < clock[SHORTEST]:
        clock[SHORTEST] = 0.5 * h
    return 0


@kernel
def implicit_part(t, after, h, user, b):
    """Take the next part of the step of length h from t to `after`; 0, or why the run stops.

    After the last part the step of the stretch is counted. A part without a solution is halved, and nothing else done.
    """
    count = b.count
    parts = 1.0
    for _ in range(int(count[HALVINGS])):
        parts *= 2.0
    part = count[PART]
    length = h / parts
    here = t + h * (part / parts)
    last = part + 1 == parts
    there = after if last else t + h * ((part + 1) / parts)
    drift = fixed_step(IMPLICIT, here, length, b.new, False, length, user, b)
    if not step_is_finite(drift, b.new):
        return _halve(here, length, NOT_CONVERGED if drift == math.inf else NOT_FINITE, b)
    status = take_step(IMPLICIT, drift, here, there, length, user, b)
    if status == NOT_CONVERGED:
        return _halve(here, length, status, b)
    if status != 0:
        return status
    count[PART] = part + 1
    if last:
        count[PART] = 0
        count[SEGMENT_I] += 1
    if count[HALVINGS] > 0:
        count[SOLVED] += 1
        if count[SOLVED] >= ENOUGH and count[PART] % 2 == 0:
            count[HALVINGS] -= 1
            count[PART] = count[PART] // 2
            count[SOLVED] = 0
    return 0
