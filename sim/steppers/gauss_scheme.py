"""The numbers of the Gauss methods of one and two stages."""

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["gauss_scheme", "gauss_tableau"]

Array = NDArray[np.float64]


def gauss_scheme(stages: int) -> Array:
    """Return stages, A, b, left and right eigenvector, eigenvalue and places of a Gauss method.

    stages: 1 (midpoint rule) or 2 -> in the order `gauss_step` reads.
    """
    if stages == 1:
        return np.array((1.0, 0.5, 1.0, 1.0, 0.0, 1.0, 0.0, 0.5, 0.0, 0.5))
    d = math.sqrt(3.0) / 6.0
    A = np.array(((0.25, 0.25 - d), (0.25 + d, 0.25)))
    value = 0.25 + 1j * math.sqrt(3.0) / 12.0  # an eigenvalue of A; the other is its conjugate
    right = np.array((A[0, 1], value - 0.25))
    left = np.array((1.0 / right[0], 1.0 / right[1])) / 2.0  # first row of the inverse of (right, conj right)
    pairs = [number for z in (*left, *(2.0 * right), value) for number in (z.real, z.imag)]
    return np.array((2.0, *A.reshape(4), 0.5, 0.5, *pairs, 0.5 - d, 0.5 + d))


def gauss_tableau(stages: int) -> tuple[Array, Array, Array]:
    """Return a (s, s), b (s,) and c (s,) of a Gauss method of so many stages, as `gauss_scheme` has them."""
    row, s = gauss_scheme(stages), stages
    return row[1 : 1 + s * s].reshape(s, s), row[1 + s * s : 1 + s * s + s], row[-s:]
