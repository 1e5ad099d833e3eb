"""Choice of a basis for vibration modes of equal frequency.

Equal arms have equal frequencies, and so do the two bending planes of an arm with equal bending stiffnesses. Any
linear combination of modes of equal frequency is a mode. The basis chosen here diagonalises the damping and excites
the hub along as few axes as possible. The participation factors are then easy to interpret.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ALIKE = 1e-7  # relative difference below which frequencies count as equal


def groups(values: Array) -> list[slice]:
    """Return slices of equal values in an ascending list.

    values (n,): not negative, ascending -> slices that cover the list.

    Examples
    --------
    >>> groups(np.array((1.0, 1.0, 2.0)))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    edges = np.flatnonzero(np.diff(values) > ALIKE * values[1:]) + 1
    return [slice(a, b) for a, b in pairwise([0, *edges.tolist(), values.size])]


def aligned(damping: Array, pushes: Array) -> Array:
    """Return the basis change for modes of equal frequency, as described in the module docstring.

    damping (n, n): damping matrix of the modes, 1/s.
    pushes (n, k): participation of each mode along k axes, in comparable units.
    -> (n, n): orthogonal; one column per new mode.
    """
    from scipy import linalg

    scipy_linalg: Any = linalg  # scipy has no types
    values, vectors = np.linalg.eigh(0.5 * (damping + damping.T))
    mixed = np.asarray(vectors, dtype=np.float64)
    order = np.linspace(1.0, 0.99, pushes.shape[1])  # if two axes are excited equally, the first has priority
    for own in groups(np.asarray(values, dtype=np.float64) + 1e-6 * np.abs(damping).max() + 1e-300):
        columns = mixed[:, own]
        turned, _, _ = scipy_linalg.qr(columns.T @ pushes * order, pivoting=True)
        mixed[:, own] = columns @ np.asarray(turned, dtype=np.float64)
    return mixed
