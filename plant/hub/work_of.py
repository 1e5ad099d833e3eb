"""What the kernels leave in their work space, for many states at once."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.columns import as_samples
from .packing import work_length

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

__all__ = ["AT_ONCE", "work_of"]

Array = NDArray[np.float64]

AT_ONCE = 1024
"""States gone through at once: enough that numpy's own time does not tell, few enough for the memory near at hand."""
FEW = 16
"""So few states go through the equations of motion faster one by one."""


def work_of(craft: "Spacecraft", x: Array, fill: Callable[[Any, Any], Any]) -> Array:
    """The work space of each state after `fill(x, w)`, shape (n, size of w)."""
    whole = np.zeros((work_length(craft), len(x)))
    one_by_one = len(x) < FEW
    if not one_by_one:
        try:
            fill(as_samples(np.ascontiguousarray(x.T)), as_samples(whole))
        except (TypeError, ValueError):  # an element of the user's own asks for one number at a time
            one_by_one = True
    if one_by_one:
        for k, state in enumerate(x):
            w = np.zeros(len(whole))
            fill(state, w)
            whole[:, k] = w
    return whole.T
