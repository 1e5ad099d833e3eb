"""Workspace of the kernels, vectorised over states."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.columns import as_samples
from .packing import work_length

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

Array = NDArray[np.float64]

AT_ONCE = 1024
"""Batch size: large enough to make numpy's overhead negligible, small enough for the cache."""
FEW = 16
"""Number of states below which evaluation one by one is faster."""


def work_of(craft: "Spacecraft", x: Array, fill: Callable[[Any, Any], Any]) -> Array:
    """Return the workspace of each state after `fill(x, w)`, shape (n, size of w)."""
    whole = np.zeros((work_length(craft), len(x)))
    one_by_one = len(x) < FEW
    if not one_by_one:
        try:
            fill(as_samples(np.ascontiguousarray(x.T)), as_samples(whole))
        except (TypeError, ValueError):  # a user-defined element may not be vectorised
            one_by_one = True
    if one_by_one:
        for k, state in enumerate(x):
            w = np.zeros(len(whole))
            fill(state, w)
            whole[:, k] = w
    return whole.T
