"""What one step of a fixed-step method adds to the error of a linear motion, in phase and in size."""

import cmath
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .dop853_coefficients import A, B

__all__ = ["stability_polynomial", "step_error"]


PADE = {"gauss4": ((1 / 12, 1 / 2, 1.0), 5, 1 / 720, 0.1), "midpoint": ((1 / 2, 1.0), 3, 1 / 12, 1e-2)}
"""Of the implicit methods R(z) = N(z) / N(-z): N, then then order, factor and reach of the first term of log R."""


@cache
def stability_polynomial(method: str) -> NDArray[np.float64]:
    """Return the coefficients of R(z) in y' = lambda y, y_1 = R(h lambda) y_0, highest power first."""
    if method == "rk4":
        return np.array((1 / 24, 1 / 6, 1 / 2, 1.0, 1.0))
    stages = np.array(A)[:12, :12]
    weights, power, found = np.array(B)[:12], np.ones(12), [1.0]
    for _ in range(12):
        found.append(float(weights @ power))
        power = stages @ power
    return np.array(found[::-1])


def step_error(method: str, z: complex) -> float:
    """Return |log R(z) - z|: the share in size, or the angle, by which one step of h lambda = z goes wrong.

    Examples
    --------
    >>> round(step_error("rk4", 0.1j) / (0.1**5 / 120), 2)
    1.0
    >>> round(step_error("gauss4", 0.1j) / (0.1**5 / 720), 2)
    1.0
    """
    if method in PADE:
        order, share, near = PADE[method][1:]
        if abs(z) < near:
            return abs(z) ** order * share
        above, below = (complex(np.polyval(PADE[method][0], side)) for side in (z, -z))
        return float("inf") if above == 0.0 or below == 0.0 else abs(cmath.log(above / below * cmath.exp(-z)))
    polynomial = stability_polynomial(method)
    if abs(z) < (
        1e-2 if method == "rk4" else 0.3
    ):  # the difference would drown in rounding: its first terms, from R(z) exp(-z) - 1
        order = 5 if method == "rk4" else 9
        factorial = float(np.prod(np.arange(1.0, order + 1.0)))
        term = (polynomial[-1 - order] if order < polynomial.size else 0.0) - 1.0 / factorial
        return abs(term) * abs(z) ** order
    factor = complex(np.polyval(polynomial, z)) * cmath.exp(-z)
    return float("inf") if factor == 0.0 else abs(cmath.log(factor))
