"""How far an estimate of the attitude is off."""

import numpy as np
from numpy.typing import NDArray

from ...plant.attitude import attitude_error, to_rotation_vector

__all__ = ["knowledge_error"]

Array = NDArray[np.float64]


def knowledge_error(attitude: Array, estimate: Array) -> Array:
    """Return Log(conj(e^) o e) row by row (n, 3), rad; not a number before there is an estimate.

    attitude (n, 4): the truth; estimate (n, 4): e^, zeros where its block has not answered yet.
    """
    found = np.full((len(attitude), 3), np.nan)
    told = estimate.any(axis=1)
    if told.any():
        found[told] = to_rotation_vector(attitude_error(attitude[told], estimate[told]))
    return found
