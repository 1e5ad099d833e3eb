"""Roots of many bracketed functions at once."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["bracketed_roots"]

Array = NDArray[np.float64]
Ends = tuple[Array, Array]

ITERATIONS = 200


def bracketed_roots(
    function: Callable[[NDArray[np.intp], Array], Array], low: Ends, high: Ends, *, absolute: float, relative: float
) -> Array:
    """Return a root of each of m functions between two points where its signs differ.

    function: from numbers of functions (k,) and a point for each (k,) to their values (k,).
    low, high: the points (m,) and the values there (m,).
    absolute, relative: width of the bracket at which a root is found, and in parts of the root.
    -> roots (m,): the end of the bracket with the smaller value.

    Notes
    -----
    Chandrupatla (1997, Advances in Engineering Software 28, 145): inverse quadratic interpolation where the three
    latest points allow it, else bisection; it begins with a secant, for brackets on a fine grid. Which functions are
    solved together changes none of their points.
    """
    (x2, f2), (x1, f1) = low, high
    roots = np.where(np.abs(f1) < np.abs(f2), x1, x2).astype(np.float64)
    left = np.arange(len(roots))
    share = f1 / (f1 - f2)
    for _ in range(ITERATIONS):
        if not left.size:
            break
        x = x1 + share * (x2 - x1)
        f = function(left, x)
        same = np.sign(f) == np.sign(f1)
        x3, f3 = np.where(same, x1, x2), np.where(same, f1, f2)
        x2, f2 = np.where(same, x2, x1), np.where(same, f2, f1)
        x1, f1 = x, f
        nearer = np.abs(f1) < np.abs(f2)
        roots[left] = best = np.where(nearer, x1, x2)
        least = 0.5 * (absolute + relative * np.abs(best)) / np.abs(x2 - x1)
        go_on = (least <= 0.5) & (np.where(nearer, f1, f2) != 0.0)
        left, least = left[go_on], least[go_on]
        x1, x2, x3, f1, f2, f3 = (each[go_on] for each in (x1, x2, x3, f1, f2, f3))
        share = np.clip(_share(x1, x2, x3, f1, f2, f3), least, 1.0 - least)
    return roots


def _share(x1: Array, x2: Array, x3: Array, f1: Array, f2: Array, f3: Array) -> Array:
    """Return the way from x1 to x2 at which the next point lies."""
    with np.errstate(all="ignore"):  # equal values, of which the result is not taken
        xi, phi = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
        smooth = (phi**2 < xi) & ((1.0 - phi) ** 2 < 1.0 - xi)
        curved = f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
    return np.where(smooth & np.isfinite(curved), curved, 0.5)
