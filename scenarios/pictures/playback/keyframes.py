"""Keyframes of a recorded signal: few rows whose interpolation reproduces all rows within a tolerance.

An interval is split at its worst row until the tolerance holds (Douglas & Peucker 1973). The error is measured at equal
times: the rotation angle between attitudes, or the largest component of a difference. Times are stored exactly.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Rows = NDArray[np.int64]
Error = Callable[[Array, Array, int, int], Array]
"""error(t, values, first, last) returns the error of each row when it is interpolated between rows first and last."""


def keyframes(t: Array, values: Array, *, tolerance: float, error: Error) -> tuple[Rows, float]:
    """Return the rows to keep, and the largest interpolation error of all other rows.

    t (n,): ascending times, s; values (n, ...): the signal; tolerance: largest permitted error. Returns the rows (k,),
    including the first and the last one, and the error.
    """
    last = len(t) - 1
    if last < 1:
        return np.arange(len(t), dtype=np.int64), 0.0
    keep, reached = {0, last}, 0.0
    left = [(0, last)]
    while left:
        a, b = left.pop()
        if b - a < 2:
            continue
        errors = error(t, values, a, b)
        worst = int(np.argmax(errors))
        if errors[worst] <= tolerance:
            reached = max(reached, float(errors[worst]))
            continue
        middle = a + min(max(worst, 1), b - a - 1)
        keep.add(middle)
        left += [(a, middle), (middle, b)]
    return np.array(sorted(keep), dtype=np.int64), reached


def linear_error(t: Array, values: Array, first: int, last: int) -> Array:
    """Return for each row the largest component difference from the straight line between two rows."""
    span = t[last] - t[first]
    share = (t[first : last + 1] - t[first]) / span if span > 0.0 else np.zeros(last + 1 - first)
    flat = values[first : last + 1].reshape(last + 1 - first, -1)
    line = flat[0] + share[:, None] * (flat[-1] - flat[0])
    return np.abs(flat - line).max(axis=1)


def attitude_error(t: Array, values: Array, first: int, last: int) -> Array:
    """Return for each row the rotation angle from the spherical interpolation between two rows, rad."""
    span = t[last] - t[first]
    share = (t[first : last + 1] - t[first]) / span if span > 0.0 else np.zeros(last + 1 - first)
    found = slerp(values[first], values[last], share)
    rows = values[first : last + 1]
    chord = np.minimum(np.linalg.norm(found - rows, axis=1), np.linalg.norm(found + rows, axis=1))
    return np.asarray(4.0 * np.arcsin(np.minimum(0.5 * chord, 1.0)), dtype=np.float64)


def slerp(first: Array, last: Array, share: Array) -> Array:
    """Interpolate between two sets of Euler parameters along the shorter rotation.

    first, last (4,): unit Euler parameters; share (n,): fractions of the rotation, 0 to 1 -> (n, 4).
    """
    cosine = float(first @ last)
    end = last if cosine >= 0.0 else -last
    angle = 2.0 * float(np.arcsin(min(1.0, 0.5 * float(np.linalg.norm(end - first)))))
    if angle < 1e-9:
        return first + share[:, None] * (end - first)
    a, b = np.sin((1.0 - share) * angle), np.sin(share * angle)
    return (a[:, None] * first + b[:, None] * end) / np.sin(angle)


def continuous(attitude: Array) -> Array:
    """Return unit Euler parameters whose sign does not jump between rows."""
    e = attitude / np.linalg.norm(attitude, axis=1, keepdims=True)
    turns = np.where((e[1:] * e[:-1]).sum(axis=1) < 0.0, -1.0, 1.0)
    return e * np.concatenate(([1.0], np.cumprod(turns)))[:, None]


def held_rows(values: Array, *, tolerance: float) -> tuple[Rows, float]:
    """Return the rows at which a held signal differs from the last kept row by more than the tolerance."""
    flat = values.reshape(len(values), -1)
    keep, reached = [0], 0.0
    while True:
        apart = np.abs(flat[keep[-1] :] - flat[keep[-1]]).max(axis=1)
        moved = np.flatnonzero(apart > tolerance)
        upto = int(moved[0]) if moved.size else len(apart)
        reached = max(reached, float(apart[:upto].max()))
        if not moved.size:
            return np.array(keep, dtype=np.int64), reached
        keep.append(keep[-1] + upto)
