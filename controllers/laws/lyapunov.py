"""Lyapunov function of a nonlinear law."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...plant.brief import brief
from ...plant.frozen import frozen_arrays

Array = NDArray[np.float64]

ROUNDING = 1e-9


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class LyapunovFunction:
    """Lyapunov function V of error attitude and rate error, with the damping term of V'.

    Parameters
    ----------
    words : str
        Formula of V as text.
    unit : str
        Unit of V.
    value : callable
        value(e_err, v) returns V, with e_err0 >= 0 and v = omega - R_err' omega_ref.
    damping : numpy.ndarray, shape (3, 3)
        Symmetric matrix D of V' = - v' D v, in continuous time and without torque limits.
    """

    words: str
    unit: str
    value: Callable[[Array, Array], float]
    damping: Array

    __repr__ = brief
