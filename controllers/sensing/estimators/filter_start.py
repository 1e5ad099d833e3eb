"""Initial state and covariance of an attitude and bias filter."""

from math import pi

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.checks import positive, unit_quaternion, vector
from ....plant.errors import InputError
from .mekf_kernel import ATTITUDE, BIAS, ERRORS, STATE

Array = NDArray[np.float64]


def start_of(
    attitude: ArrayLike | None,
    *,
    attitude_sigma: ArrayLike | None,
    bias: ArrayLike,
    bias_sigma: ArrayLike,
) -> tuple[Array, Array]:
    """Return the initial state (7,) and covariance (6, 6) of a filter.

    attitude, attitude_sigma: both None if the attitude is unknown. Raises InputError for an invalid argument.
    """
    if (attitude is None) != (attitude_sigma is None):
        raise InputError("attitude and attitude_sigma belong together: give both, or none to start from the sensors")
    x, P = np.zeros(STATE), np.zeros((ERRORS, ERRORS))
    x[ATTITUDE : ATTITUDE + 4] = unit_quaternion("attitude", (1, 0, 0, 0) if attitude is None else attitude)
    x[BIAS : BIAS + 3] = vector("bias", bias, unit="rad/s")
    P[range(3), range(3)] = _sigmas("attitude_sigma", pi if attitude_sigma is None else attitude_sigma, "rad") ** 2
    P[range(3, 6), range(3, 6)] = _sigmas("bias_sigma", bias_sigma, "rad/s") ** 2
    return x, P


def _sigmas(name: str, value: ArrayLike, unit: str) -> Array:
    given = np.broadcast_to(np.asarray(value, dtype=np.float64), (3,)) if np.size(value) == 1 else value
    return np.array([positive(name, each, unit) for each in vector(name, given, unit=unit)])
