"""Euclidean norm of each row of a table with few columns."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MOST = 7
"""Largest number of columns added one by one; with more, numpy sums in a different order."""


def row_squares(rows: Array) -> Array:
    """Return the sum of squares of each row (n, k) -> (n,), bitwise equal to `(rows**2).sum(axis=1)`.

    For rows of three numbers, adding the columns takes a fifth of the time needed to sum each row.
    """
    if not 0 < rows.shape[1] <= MOST:
        return (rows**2).sum(axis=1)
    total = rows[:, 0] * rows[:, 0]
    for k in range(1, rows.shape[1]):
        total += rows[:, k] * rows[:, k]
    return total


def row_norms(rows: Array) -> Array:
    """Return the norm of each row (n, k) -> (n,), bitwise equal to `numpy.linalg.norm(rows, axis=1)`."""
    return np.sqrt(row_squares(rows))
