"""Euclidean norm of each row of a table with few columns."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["row_norms", "row_squares"]

Array = NDArray[np.float64]

MOST = 7
"""Columns added one after the other: from eight on numpy adds several sums, in another order."""


def row_squares(rows: Array) -> Array:
    """Return the sum of the squares of each row; rows (n, k) -> (n,), with the bits of `(rows**2).sum(axis=1)`.

    Sums along columns take a fifth of the time of one sum along each row of three numbers.
    """
    if not 0 < rows.shape[1] <= MOST:
        return (rows**2).sum(axis=1)
    squares = rows * rows
    total = squares[:, 0]
    for k in range(1, rows.shape[1]):
        total = total + squares[:, k]
    return total


def row_norms(rows: Array) -> Array:
    """Return the norm of each row; rows (n, k) -> (n,), with the bits of `numpy.linalg.norm(rows, axis=1)`."""
    return np.sqrt(row_squares(rows))
