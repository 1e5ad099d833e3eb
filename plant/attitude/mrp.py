"""Modified Rodrigues parameters: rotation axis times the tangent of a quarter of the rotation angle."""

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ._batch import Array, components, norm3, short_way, unit_quaternions

__all__ = ["from_mrp", "shadow_mrp", "to_mrp"]


def from_mrp(sigma: ArrayLike) -> Array:
    """Return the Euler parameters that correspond to modified Rodrigues parameters.

    ``e = (1 - s^2, 2 sigma) / (1 + s^2)`` with s = |sigma|.

    Parameters
    ----------
    sigma : array_like, shape (..., 3)
        Axis times tan(angle/4), of any length; a length above one describes the longer rotation.

    Returns
    -------
    numpy.ndarray, shape (..., 4)
        Unit Euler parameters, scalar first: a smooth function of sigma, so the scalar part is negative for |sigma|
        > 1.

    Raises
    ------
    InputError
        When the last axis is not 3 or a component is not a finite number.

    Notes
    -----
    H. Schaub and J. L. Junkins (2018), "Analytical Mechanics of Space Systems", section 3.6.

    Examples
    --------
    >>> from_mrp((0.5, 0, 0))
    array([0.6, 0.8, 0. , 0. ])
    """
    s = components("sigma", sigma, 3)
    size = norm3(s)[..., np.newaxis]
    long = size > 1.0
    ratio = np.where(long, 1.0 / np.where(long, size, 1.0), size)  # shorter of set and shadow: no overflow
    scalar = (1.0 - ratio) * (1.0 + ratio) / (1.0 + ratio * ratio)
    axis = s / np.where(size > 0.0, size, 1.0)
    return np.concatenate((np.where(long, -scalar, scalar), 2.0 * ratio / (1.0 + ratio * ratio) * axis), axis=-1)


def to_mrp(e: ArrayLike) -> Array:
    """Return the modified Rodrigues parameters of an attitude, the short set (|sigma| <= 1).

    ``sigma = vec e / (1 + e0)`` with the sign of e chosen so that e0 >= 0.

    Parameters
    ----------
    e : array_like, shape (..., 4)
        Unit Euler parameters, scalar first; the sign does not matter.

    Returns
    -------
    numpy.ndarray, shape (..., 3)
        Axis times tan(angle/4). At exactly half a turn (e0 = 0) the set and its shadow are both short; the set whose
        first non-zero component is positive is returned.

    Raises
    ------
    InputError
        When the last axis does not have length 4 or the norm is not within 1e-6 of one.

    Notes
    -----
    H. Schaub and J. L. Junkins (2018), "Analytical Mechanics of Space Systems", section 3.6.

    Examples
    --------
    >>> to_mrp((-0.6, 0, -0.8, 0))
    array([0. , 0.5, 0. ])
    """
    unit = short_way(unit_quaternions("e", e))
    return unit[..., 1:] / (1.0 + unit[..., :1])


def shadow_mrp(sigma: ArrayLike) -> Array:
    """Return the shadow set ``-sigma / |sigma|^2``: the same attitude by the opposite rotation.

    Parameters
    ----------
    sigma : array_like, shape (..., 3)
        Modified Rodrigues parameters, not zero.

    Returns
    -------
    numpy.ndarray, shape (..., 3)
        The shadow set, of length 1/|sigma|.

    Raises
    ------
    InputError
        When the last axis is not 3, a component is not a finite number, or sigma is so short that the length of
        its shadow overflows (for sigma = 0, the shadow is at infinity).

    Notes
    -----
    H. Schaub and J. L. Junkins (2018), "Analytical Mechanics of Space Systems", section 3.6.

    Examples
    --------
    >>> shadow_mrp((0, 0, 0.5))
    array([ 0.,  0., -2.])
    """
    s = components("sigma", sigma, 3)
    size = norm3(s)[..., np.newaxis]
    smallest = 1.0 / float(np.finfo(np.float64).max)
    if (size <= smallest).any():
        message = (
            f"sigma must not be zero: the shadow of |sigma| = {size.min():g} is beyond double precision; "
            "keep the short set there"
        )
        raise InputError(message)
    return -(s / size) / size + 0.0  # + 0.0 turns -0 into 0
