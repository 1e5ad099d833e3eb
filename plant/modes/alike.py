"""Modes of one frequency: which of their mixtures to take.

Arms that are alike share frequencies, and so does an arm that bends alike in two planes. Any mixture of such modes is a
mode; taken are those that share a damping and push the hub along as few axes as they can, so that they can be read.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["aligned", "groups"]

Array = NDArray[np.float64]

ALIKE = 1e-7  # frequencies this close, in shares, are one


def groups(values: Array) -> list[slice]:
    """Return the neighbours in an ascending list that are alike.

    values (n,): not negative, ascending -> all of the list.

    Examples
    --------
    >>> groups(np.array((1.0, 1.0, 2.0)))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    edges = np.flatnonzero(np.diff(values) > ALIKE * values[1:]) + 1
    return [slice(a, b) for a, b in pairwise([0, *edges.tolist(), values.size])]


def aligned(damping: Array, pushes: Array) -> Array:
    """Return the mixtures of modes of one frequency that can be read.

    damping (n, n): of the modes as they are, 1/s.
    pushes (n, k): what each mode does along k axes, in units in which axes compare.
    -> (n, n): orthogonal; a column for each new mode.
    """
    from scipy import linalg

    scipy_linalg: Any = linalg  # scipy has no types
    values, vectors = np.linalg.eigh(0.5 * (damping + damping.T))
    mixed = np.asarray(vectors, dtype=np.float64)
    order = np.linspace(1.0, 0.99, pushes.shape[1])  # of two axes that are pushed alike the first comes first
    for own in groups(np.asarray(values, dtype=np.float64) + 1e-6 * np.abs(damping).max() + 1e-300):
        columns = mixed[:, own]
        turned, _, _ = scipy_linalg.qr(columns.T @ pushes * order, pivoting=True)
        mixed[:, own] = columns @ np.asarray(turned, dtype=np.float64)
    return mixed
