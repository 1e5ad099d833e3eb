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
    """V of the error attitude and the rate error, with the damping in V'.

    Parameters
    ----------
    words : str
        The formula.
    unit : str
        Its unit.
    value : callable
        value(e_err, v), with e_err0 >= 0 and v = omega - R_err' omega_ref.
    damping : numpy.ndarray, shape (3, 3)
        D of V' = - v' D v, symmetric, in continuous time and without limits.
    """

    words: str
    unit: str
    value: Callable[[Array, Array], float]
    damping: Array

    __repr__ = brief
