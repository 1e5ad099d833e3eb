"""Phase and amplitude error of one step of a fixed-step method in a linear motion."""

import cmath
import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .stepper import Stepper

PLAIN = 1e-12
"""Step error below which only the leading term is computed, since round-off would dominate."""


@cache
def _series(method: Stepper, terms: int) -> tuple[float, ...]:
    """Return the first coefficients of R(z) in powers of z: 1, sum b, b'c, ..., b'A^k 1."""
    power, found = np.ones(method.stages), [1.0]
    for _ in range(terms):
        found.append(float(np.asarray(method.b) @ power))
        power = np.asarray(method.a) @ power
    return tuple(found)


def stability_polynomial(method: Stepper) -> NDArray[np.float64]:
    """Return the stability polynomial R(z) of an explicit method, y_1 = R(h lambda) y_0, highest power first."""
    return np.array(_series(method, method.stages)[::-1])


def step_error(method: Stepper, z: complex) -> float:
    """Return |log R(z) - z|, the relative (phase or amplitude) error of one step with h lambda = z.

    Examples
    --------
    >>> from polhode.sim import INTEGRATORS
    >>> round(step_error(INTEGRATORS["rk4"], 0.1j) / (0.1**5 / 120), 2)
    1.0
    >>> round(step_error(INTEGRATORS["gauss4"], 0.1j) / (0.1**5 / 720), 2)
    1.0
    """
    first = method.order + 1
    term = abs(_series(method, first)[first] - 1.0 / math.factorial(first)) * abs(z) ** first
    if term < PLAIN:
        return term
    if method.implicit:
        inner = np.eye(method.stages) - z * np.asarray(method.a)
        above, below = np.linalg.det(inner + z * np.asarray(method.b)), np.linalg.det(inner)
        value = complex(above / below) if below != 0.0 else 0.0
    else:
        value = complex(np.polyval(stability_polynomial(method), z))
    factor = value * cmath.exp(-z)
    return float("inf") if factor == 0.0 else abs(cmath.log(factor))
