"""The motion a sensor sees: attitudes at its times, and how far it turned between."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.attitude import attitude_error, to_rotation_vector
from ...plant.checks import numbers
from ...plant.errors import InputError

__all__ = ["history", "increments"]

Array = NDArray[np.float64]


def history(t: ArrayLike, attitude: ArrayLike) -> tuple[Array, Array]:
    """Times (m,) and attitudes (m, 4) as given, or a sentence about them."""
    times, e = numbers("t", t, "s"), numbers("attitude", attitude)
    if times.ndim != 1 or times.size == 0 or not (np.diff(times) > 0.0).all():
        raise InputError("t must be ascending times, s, one or more")
    if e.shape != (len(times), 4):
        raise InputError(f"attitude must have a row of four for each of {len(times)} times; got shape {e.shape}")
    return times, e


def increments(e: Array) -> Array:
    """Rotation vectors (m - 1, 3) between attitudes (m, 4), body axes, rad."""
    if len(e) < 2:
        return np.zeros((0, 3))
    return np.asarray(to_rotation_vector(attitude_error(e[1:], e[:-1])))
