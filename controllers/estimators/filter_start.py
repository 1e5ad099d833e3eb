"""What a filter of attitude and bias knows at its start."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.checks import positive, unit_quaternion, vector
from .mekf_kernel import ATTITUDE, BIAS, CLONES

__all__ = ["start_of"]

Array = NDArray[np.float64]


def start_of(
    slots: int, attitude: ArrayLike, *, attitude_sigma: ArrayLike, bias: ArrayLike, bias_sigma: ArrayLike
) -> tuple[Array, Array]:
    """Return state (7 + 4 slots,) and covariance (6 + 3 slots, 6 + 3 slots); raises InputError."""
    n = 6 + 3 * slots
    x, P = np.zeros(CLONES + 4 * slots), np.zeros((n, n))
    x[CLONES::4] = 1.0
    x[ATTITUDE : ATTITUDE + 4] = unit_quaternion("attitude", attitude)
    x[BIAS : BIAS + 3] = vector("bias", bias, unit="rad/s")
    P[range(3), range(3)] = _sigmas("attitude_sigma", attitude_sigma, "rad") ** 2
    P[range(3, 6), range(3, 6)] = _sigmas("bias_sigma", bias_sigma, "rad/s") ** 2
    return x, P


def _sigmas(name: str, value: ArrayLike, unit: str) -> Array:
    given = np.broadcast_to(np.asarray(value, dtype=np.float64), (3,)) if np.size(value) == 1 else value
    return np.array([positive(name, each, unit) for each in vector(name, given, unit=unit)])
