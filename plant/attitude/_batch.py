"""Checks of inputs with leading batch axes; the checks of single vectors are in `plant.checks`."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError

Array = NDArray[np.float64]

UNIT_TOLERANCE = 1e-6  # as in plant.checks: accepts values rounded for printing, rejects mistakes


def components(name: str, value: ArrayLike, *shape: int, unit: str = "") -> Array:
    """Return `value` as a finite float64 array whose last axes have `shape`; raise InputError otherwise."""
    suffix = f" ({unit})" if unit else ""
    try:
        raw: NDArray[Any] = np.asarray(value)
    except ValueError:  # ragged nested lists
        raw = np.asarray(None)
    if raw.dtype.kind not in "iuf":  # strings, booleans, complex numbers and objects are mistakes
        message = f"{name} must be numbers{suffix}; got {value!r}"
        raise InputError(message)
    if raw.shape[-len(shape) :] != shape:
        expected = " x ".join(str(n) for n in shape)
        message = f"{name} must be {expected} numbers{suffix}, in the last axes; got shape {raw.shape}"
        raise InputError(message)
    array = raw.astype(np.float64)
    bad = ~np.isfinite(array)
    if bad.any():
        where = tuple(int(n) for n in np.argwhere(bad)[0])
        message = f"{name} must be finite{suffix}; got {array[where]} at index {where}"
        raise InputError(message)
    return array


def unit_quaternions(name: str, value: ArrayLike) -> Array:
    """Return `value`, shape (..., 4), normalised; raise InputError if a norm differs from 1 by over 1e-6."""
    e = components(name, value, 4)
    with np.errstate(over="ignore"):  # an infinite norm is rejected below
        norm = np.sqrt((e * e).sum(axis=-1))
    bad = ~(np.abs(norm - 1.0) <= UNIT_TOLERANCE)
    if bad.any():
        where = tuple(int(n) for n in np.argwhere(bad)[0])
        message = (
            f"{name} must be unit Euler parameters, scalar first: the norm of {e[where].tolist()} is "
            f"{norm[where]:.9g}, further from 1 than {UNIT_TOLERANCE:g}; divide by the norm if only the direction "
            "matters"
        )
        raise InputError(message)
    return e / norm[..., np.newaxis]


def broadcast(first: str, a: Array, second: str, b: Array) -> tuple[Array, Array]:
    """Return `a` and `b` with their leading axes broadcast; their last axes are unchanged."""
    try:
        batch = np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    except ValueError:
        message = f"{first} and {second} must have leading axes that broadcast; got shapes {a.shape} and {b.shape}"
        raise InputError(message) from None
    return np.broadcast_to(a, (*batch, a.shape[-1])), np.broadcast_to(b, (*batch, b.shape[-1]))


def norm3(v: Array) -> Array:
    """Return the norm over the last axis (3) without overflow or underflow of the squares."""
    return np.hypot(np.hypot(v[..., 0], v[..., 1]), v[..., 2])


def short_way(e: Array) -> Array:
    """Return e or -e, whichever has scalar part > 0 (if zero: first non-zero component > 0), without -0."""
    first: Array = np.take_along_axis(e, (e != 0.0).argmax(axis=-1)[..., np.newaxis], axis=-1)
    return e * np.where(first < 0.0, -1.0, 1.0) + 0.0
