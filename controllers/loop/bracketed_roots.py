"""Root finding for many bracketed functions in one call."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ends = tuple[Array, Array]

ITERATIONS = 200


def bracketed_roots(
    function: Callable[[NDArray[np.intp], Array], Array], low: Ends, high: Ends, *, absolute: float, relative: float
) -> Array:
    """Return a root of each of m functions, between two points at which the function has opposite signs.

    function: maps indices of functions (k,) and one point for each (k,) to the function values (k,).
    low, high: the end points (m,) and the function values at them (m,).
    absolute, relative: bracket widths at which the search ends, the second relative to the root.
    -> roots (m,): the end of the bracket with the smaller value.

    Notes
    -----
    Chandrupatla (1997, Advances in Engineering Software 28, 145): inverse quadratic interpolation if the three
    latest points allow it, else bisection. The first step is a secant step, since the brackets come from a fine grid.
    The points at which a function is evaluated do not depend on the other functions solved in the same call.
    """
    # rows: newest point, opposite end of the bracket, previous point
    x: Array = np.array([high[0], low[0], low[0]], dtype=np.float64)
    f: Array = np.array([high[1], low[1], low[1]], dtype=np.float64)
    roots: Array = _choose(np.abs(f[0]) < np.abs(f[1]), x[0], x[1])
    left = np.arange(len(roots))
    share: Array = f[0] / (f[0] - f[1])
    for _ in range(ITERATIONS):
        if not left.size:
            break
        new = x[0] + share * (x[1] - x[0])
        value = function(left, new)
        same: NDArray[np.bool_] = np.sign(value) == np.sign(f[0])
        x = np.array([new, _choose(same, x[1], x[0]), _choose(same, x[0], x[1])])
        f = np.array([value, _choose(same, f[1], f[0]), _choose(same, f[0], f[1])])
        nearer: NDArray[np.bool_] = np.abs(f[0]) < np.abs(f[1])
        best: Array = _choose(nearer, x[0], x[1])
        roots[left] = best
        least: Array = 0.5 * (absolute + relative * np.abs(best)) / np.abs(x[1] - x[0])
        go_on: NDArray[np.bool_] = (least <= 0.5) & (_choose(nearer, f[0], f[1]) != 0.0)
        left, least, x, f = left[go_on], least[go_on], x[:, go_on], f[:, go_on]
        share = np.clip(_share(x, f), least, 1.0 - least)
    return roots


def _choose(which: NDArray[np.bool_], one: Array, other: Array) -> Array:
    return np.asarray(np.where(which, one, other), dtype=np.float64)


def _share(x: Array, f: Array) -> Array:
    """Return the next point as a fraction of the interval from x1 to x2; x, f (3, m): points and values."""
    x1, x2, x3 = x
    f1, f2, f3 = f
    with np.errstate(all="ignore"):  # equal function values divide by zero; their result is discarded
        xi, phi = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
        smooth = (phi**2 < xi) & ((1.0 - phi) ** 2 < 1.0 - xi)
        curved = f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
    return np.where(smooth & np.isfinite(curved), curved, 0.5)
