"""Cubic spline through the rows of a run, with its extrema and level crossings.

Importing scipy's spline would take as long as simulating a short case.
"""

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

HALVINGS = 60
"""Number of bisection steps that locate a level crossing."""


class Spline:
    """Cubic spline through points with the not-a-knot end condition (de Boor 1978, chapter 4).

    t (n,): ascending times, at least four; values (n,): values at these times.
    """

    def __init__(self, t: Array, values: Array) -> None:
        step, rise = np.diff(t), np.diff(values) / np.diff(t)
        slopes = _slopes(step, rise)
        bend = (slopes[:-1] + slopes[1:] - 2.0 * rise) / step
        self._t, self._values = t, values
        self._parts = np.array([values[:-1], slopes[:-1], (rise - slopes[:-1]) / step - bend, bend / step])

    def __call__(self, times: ArrayLike) -> Array:
        """Return the values of the spline at some times, shape (m,)."""
        at = np.asarray(times, dtype=np.float64)
        k = np.clip(np.searchsorted(self._t, at, side="right") - 1, 0, self._t.size - 2)
        a, b, c, d = self._parts[:, k]
        s = at - self._t[k]
        return a + s * (b + s * (c + s * d))

    @cached_property
    def turning(self) -> Array:
        """Times of zero slope, ascending, shape (m,)."""
        _, b, c, d = self._parts
        with np.errstate(all="ignore"):
            root = np.sqrt(c * c - 3.0 * b * d)
            far = -(c + np.copysign(root, c))  # solution of the quadratic equation without cancellation
            ways = np.array([far / (3.0 * d), b / far])
        inside = (ways >= 0.0) & (ways < np.diff(self._t))
        return _distinct((self._t[:-1] + ways)[inside])

    @cached_property
    def extremes(self) -> tuple[float, float]:
        """Smallest and largest value."""
        found = np.concatenate([self._values, self(self.turning)])
        return float(found.min()), float(found.max())

    @cached_property
    def mean_period(self) -> float:
        """Mean period between crossings of the middle level in the same direction; NaN if there are too few."""
        low, high = self.extremes
        crossings = self.crossings(0.5 * (low + high))
        return float((crossings[2:] - crossings[:-2]).mean()) if crossings.size > 2 else float("nan")

    def crossings(self, level: float) -> Array:
        """Return the times at which the spline crosses a level, ascending, shape (m,)."""
        ends = _distinct(np.concatenate([self._t, self.turning]))  # monotonic between these points
        above = self(ends) >= level
        passes = above[1:] != above[:-1]
        low, high, rising = ends[:-1][passes], ends[1:][passes], above[1:][passes]
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            before = (self(middle) >= level) != rising
            low, high = np.where(before, middle, low), np.where(before, high, middle)
        return 0.5 * (low + high)


def _slopes(step: Array, rise: Array) -> Array:
    """Return the slopes of the spline at its points by forward elimination and back substitution."""
    h, r = step.tolist(), rise.tolist()
    first, last = h[0] + h[1], h[-1] + h[-2]
    diagonal = [h[1]]
    upper = [first]
    right = [((h[0] + 2.0 * first) * h[1] * r[0] + h[0] * h[0] * r[1]) / first]
    for k in range(1, len(h)):
        share = h[k] / diagonal[-1]
        diagonal.append(2.0 * (h[k - 1] + h[k]) - share * upper[-1])
        right.append(3.0 * (h[k] * r[k - 1] + h[k - 1] * r[k]) - share * right[-1])
        upper.append(h[k - 1])
    share = last / diagonal[-1]
    end = (h[-1] * h[-1] * r[-2] + (2.0 * last + h[-1]) * h[-2] * r[-1]) / last
    slopes = [(end - share * right[-1]) / (h[-2] - share * upper[-1])]
    for k in range(len(h) - 1, -1, -1):
        slopes.append((right[k] - upper[k] * slopes[-1]) / diagonal[k])
    return np.array(slopes[::-1])


def _distinct(values: Array) -> Array:
    """Return finite values in ascending order without duplicates.

    np.unique would do the same, but imports numpy.ma, which takes 0.01 s.
    """
    rising = np.sort(values)
    first = np.ones(rising.size, dtype=bool)
    first[1:] = rising[1:] != rising[:-1]
    return rising[first]
