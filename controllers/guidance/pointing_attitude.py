"""Attitude that points one body axis exactly and a second body axis as closely as possible."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.attitude import from_rotation_matrix
from ...plant.errors import InputError
from ...plant.quantity import VECTOR, check_arguments, of_argument

Array = NDArray[np.float64]


def _direction(name: str, value: ArrayLike) -> Array:
    direction = np.asarray(value, dtype=np.float64)
    size = float(np.linalg.norm(direction))
    if size == 0.0:
        raise InputError(f"{name} must be a direction of any length but zero; got {direction.tolist()}")
    return direction / size


def _triad(first: Array, second: Array, names: str) -> Array:
    normal = np.cross(first, second)
    size = float(np.linalg.norm(normal))
    if size < 1e-6:
        raise InputError(
            f"{names} must not be parallel: {first.round(6).tolist()} and {second.round(6).tolist()} leave the "
            "rotation about the first undetermined"
        )
    normal = normal / size
    return np.column_stack((first, np.cross(normal, first), normal))


@check_arguments
def pointing_attitude(
    boresight: Annotated[ArrayLike, of_argument(shape=VECTOR, doc="body axis to point, any length but zero")],
    target: Annotated[ArrayLike, of_argument(shape=VECTOR, doc="target direction, inertial axes, any length but zero")],
    *,
    clock: Annotated[ArrayLike, of_argument(shape=VECTOR, doc="second body axis, any length but zero")],
    clock_target: Annotated[
        ArrayLike, of_argument(shape=VECTOR, case=None, doc="target of the second axis, any length but zero")
    ],
) -> Array:
    """Return the attitude that aligns one body axis with a target and a second as closely as possible.

    The attitude is the TRIAD solution of two directions (Black 1964): with T(a, b) = [a, (a x b) x a, a x b], each
    column of unit length, R = T(target, clock_target) T(boresight, clock)'. Then R boresight = target, and R clock is
    in the half-plane of target and clock_target, as close to clock_target as possible.

    Parameters
    ----------
    boresight : array_like, shape (3,)
        First axis, body components. All four vectors may have any nonzero length.
    target : array_like, shape (3,)
        Target of the first axis, inertial components, such as the direction to the Sun.
    clock : array_like, shape (3,)
        Second axis, body components.
    clock_target : array_like, shape (3,)
        Target of the second axis, inertial components.

    Returns
    -------
    numpy.ndarray, shape (4,)
        Euler parameters, scalar first, for `FixedReference`.

    Raises
    ------
    InputError
        When a vector is zero, or when the two axes or the two targets are parallel.

    Examples
    --------
    >>> e = pointing_attitude((0, 0, 1), (1, 0, 0), clock=(1, 0, 0), clock_target=(0, 0, -1))
    >>> e.round(6).tolist()  # rotation by 90 deg about y
    [0.707107, 0.0, 0.707107, 0.0]
    """
    axes = _direction("boresight", boresight), _direction("clock axis", clock)
    body = _triad(*axes, "boresight and clock axis")
    aims = _direction("target", target), _direction("clock target", clock_target)
    return from_rotation_matrix(_triad(*aims, "target and clock target") @ body.T)
