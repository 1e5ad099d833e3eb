"""Validation of the times of a closed-form solution: they must be finite and may have any array shape."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import InputError


def times(value: ArrayLike) -> NDArray[np.float64]:
    """Return `value` as finite float64 times; raise InputError otherwise."""
    raw: NDArray[Any] = np.asarray(value)
    if raw.dtype.kind not in "iuf":  # strings, booleans and objects are mistakes, not numbers
        raise InputError(f"t must be numbers (s); got {value!r}")
    array = raw.astype(np.float64)
    if not np.isfinite(array).all():
        raise InputError(f"t must be finite (s); got {array[~np.isfinite(array)][0]}")
    return array
