"""Rotation vectors: rotation axis times rotation angle."""

import numpy as np
from numpy.typing import ArrayLike

from ._batch import Array, components, norm3, short_way, unit_quaternions


def from_rotation_vector(vector: ArrayLike) -> Array:
    """Return the Euler parameters of a rotation vector.

    ``e = (cos r/2, sin(r/2) v/r)`` with r = |v|; accurate also for tiny vectors.

    Parameters
    ----------
    vector : array_like, shape (..., 3)
        Axis times angle, rad, of any length. The components are the same in body and inertial axes.

    Returns
    -------
    numpy.ndarray, shape (..., 4)
        Unit Euler parameters, scalar first: a smooth function of the vector, so the scalar part is negative
        for angles between pi and 3 pi.

    Raises
    ------
    InputError
        When the last axis is not 3 or a component is not a finite number.

    Notes
    -----
    Schwab & Meijaard (2006) (29).

    Examples
    --------
    >>> from_rotation_vector((0, 0, np.pi)).round(6)
    array([0., 0., 0., 1.])
    """
    v = components("vector", vector, 3, unit="rad")
    angle = norm3(v)[..., np.newaxis]
    turned = angle > 0.0
    axis = np.where(turned, v / np.where(turned, angle, 1.0), 0.0)
    return np.concatenate((np.cos(0.5 * angle), np.sin(0.5 * angle) * axis), axis=-1)


def to_rotation_vector(e: ArrayLike) -> Array:
    """Return the rotation vector of an attitude, for the shorter of the two rotations.

    The angle is ``2 atan2(|vec e|, |e0|)``, accurate to round-off both for tiny angles and near pi.

    Parameters
    ----------
    e : array_like, shape (..., 4)
        Unit Euler parameters, scalar first; the sign does not matter.

    Returns
    -------
    numpy.ndarray, shape (..., 3)
        Axis times angle, rad; length in [0, pi]. At exactly half a turn (e0 = 0) a vector and its opposite describe
        the same attitude; the vector whose first non-zero component is positive is returned.

    Raises
    ------
    InputError
        When the last axis does not have length 4 or the norm is not within 1e-6 of one.

    Notes
    -----
    Schwab & Meijaard (2006) (29).

    Examples
    --------
    >>> to_rotation_vector((-1, 0, 1e-12, 0))
    array([ 0.e+00, -2.e-12,  0.e+00])
    """
    unit = short_way(unit_quaternions("e", e))
    v = unit[..., 1:]
    size = norm3(v)[..., np.newaxis]
    angle = 2.0 * np.arctan2(size, unit[..., :1])
    turned = size > 0.0
    return np.where(turned, v / np.where(turned, size, 1.0) * angle, 0.0)
