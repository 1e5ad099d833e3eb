"""Checks of what comes in with leading batch axes; the single-vector checks are in `plant.checks`."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError

__all__ = ["Array", "broadcast", "components", "norm3", "short_way", "unit_quaternions"]

Array = NDArray[np.float64]

UNIT_TOLERANCE = 1e-6  # as in plant.checks: digits lost in print are mended, a mistake is not


def components(name: str, value: ArrayLike, *shape: int, unit: str = "") -> Array:
    """Return `value` as finite float64 whose last axes are `shape`; raise InputError otherwise."""
    suffix = f" ({unit})" if unit else ""
    try:
        given: NDArray[Any] = np.asarray(value)
    except ValueError:  # a ragged nest of lists
        given = np.asarray(None)
    if given.dtype.kind not in "iuf":  # strings, booleans, complex numbers and objects are mistakes
        message = f"{name} must be numbers{suffix}; got {value!r}"
        raise InputError(message)
    if given.shape[-len(shape) :] != shape:
        wanted = " x ".join(str(n) for n in shape)
        message = f"{name} must be {wanted} numbers{suffix}, in the last axes; got shape {given.shape}"
        raise InputError(message)
    array = given.astype(np.float64)
    bad = ~np.isfinite(array)
    if bad.any():
        where = tuple(int(n) for n in np.argwhere(bad)[0])
        message = f"{name} must be finite{suffix}; got {array[where]} at index {where}"
        raise InputError(message)
    return array


def unit_quaternions(name: str, value: ArrayLike) -> Array:
    """Return `value`, shape (..., 4), scaled to unit norm; raise InputError where it was not nearly so."""
    e = components(name, value, 4)
    with np.errstate(over="ignore"):  # infinite is further from 1 than any
        norm = np.sqrt((e * e).sum(axis=-1))
    bad = ~(np.abs(norm - 1.0) <= UNIT_TOLERANCE)
    if bad.any():
        where = tuple(int(n) for n in np.argwhere(bad)[0])
        message = (
            f"{name} must be unit Euler parameters, scalar first: the norm of {e[where].tolist()} is "
            f"{norm[where]:.9g}, further from 1 than {UNIT_TOLERANCE:g}; divide by the norm if the direction "
            "is what you mean"
        )
        raise InputError(message)
    return e / norm[..., np.newaxis]


def broadcast(first: str, a: Array, second: str, b: Array) -> tuple[Array, Array]:
    """Return `a` and `b` with the same leading axes; their last axes are left as they are."""
    try:
        batch = np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    except ValueError:
        message = f"{first} and {second} must have leading axes that broadcast; got shapes {a.shape} and {b.shape}"
        raise InputError(message) from None
    return np.broadcast_to(a, (*batch, a.shape[-1])), np.broadcast_to(b, (*batch, b.shape[-1]))


def norm3(v: Array) -> Array:
    """Return the norm over the last axis (3), safe from overflow and underflow of the squares."""
    return np.hypot(np.hypot(v[..., 0], v[..., 1]), v[..., 2])


def short_way(e: Array) -> Array:
    """Return e or -e: scalar part >= 0, and at half a turn the first non-zero component > 0; no -0."""
    first: Array = np.take_along_axis(e, (e != 0.0).argmax(axis=-1)[..., np.newaxis], axis=-1)
    return e * np.where(first < 0.0, -1.0, 1.0) + 0.0
