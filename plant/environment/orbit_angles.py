"""Angles between an orbit and the Sun."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError

Array = NDArray[np.float64]


def beta_angle(position: ArrayLike, velocity: ArrayLike, *, sun: ArrayLike) -> Array:
    """Return the angle of the Sun above the orbital plane, positive towards the orbit normal.

    Parameters
    ----------
    position, velocity : array_like, shape (..., 3)
        Position and velocity of the spacecraft, m and m/s.
    sun : array_like, shape (..., 3)
        Position of the Sun in the same axes, of any length.

    Returns
    -------
    numpy.ndarray, shape (...)
        Beta angle, rad.

    Examples
    --------
    >>> float(beta_angle((7e6, 0, 0), (0, 7.5e3, 0), sun=(1.0, 0.0, 1.0)).round(6))
    0.785398
    """
    normal = np.cross(np.asarray(position, dtype=np.float64), np.asarray(velocity, dtype=np.float64))
    s = np.asarray(sun, dtype=np.float64)
    along = np.sum(normal * s, axis=-1)
    return np.arctan2(along, np.linalg.norm(np.cross(normal, s), axis=-1))


def local_time_of_node(position: ArrayLike, velocity: ArrayLike, *, sun: ArrayLike) -> Array:
    """Return the local solar time of the ascending node, with respect to the true Sun.

    Local mean solar time differs from it by the equation of time, up to 16.5 minutes.

    Parameters
    ----------
    position, velocity : array_like, shape (..., 3)
        Position and velocity of the spacecraft, m and m/s.
    sun : array_like, shape (..., 3)
        Position of the Sun in the same axes, of any length.

    Returns
    -------
    numpy.ndarray, shape (...)
        Hours, 0 to below 24.

    Raises
    ------
    InputError
        When the orbit is equatorial and thus has no node.

    Examples
    --------
    >>> float(local_time_of_node((7e6, 0, 0), (0, 0, 7.5e3), sun=(1.0, 0.0, 0.0)))
    12.0
    """
    normal = np.cross(np.asarray(position, dtype=np.float64), np.asarray(velocity, dtype=np.float64))
    s = np.asarray(sun, dtype=np.float64)
    if not (np.hypot(normal[..., 0], normal[..., 1]) > 1e-9 * np.linalg.norm(normal, axis=-1)).all():
        raise InputError("an equatorial orbit has no ascending node and thus no local time of the node")
    node = np.arctan2(normal[..., 0], -normal[..., 1])
    return np.remainder(12.0 + 12.0 / np.pi * (node - np.arctan2(s[..., 1], s[..., 0])), 24.0)
