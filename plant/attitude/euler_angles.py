"""Euler angles of the twelve sequences: conversion to and from Euler parameters.

At a singular pose (see `sequences`) the attitude determines only one combination of the outer angles. By convention the
third angle is then 0, the first holds the whole combination, and the middle angle is exactly the singular value. This
applies only within 16 units of round-off of the pose, so the angles reproduce the attitude to about that accuracy
everywhere.
"""

import numpy as np
from numpy.typing import ArrayLike

from ._batch import Array, components, short_way, unit_quaternions
from .quaternion import quaternion_product
from .sequences import SINGULAR_ANGLE, parse_sequence, permutation_sign


def from_euler_angles(angles: ArrayLike, sequence: str) -> Array:
    """Return the Euler parameters of three Euler angles.

    ``e = e_i(a1) o e_j(a2) o e_k(a3)``, where each factor is ``(cos a/2, sin a/2 axis)``.

    Parameters
    ----------
    angles : array_like, shape (..., 3)
        Euler angles in the order of the sequence, rad, of any magnitude.
    sequence : str
        One of `SEQUENCES`.

    Returns
    -------
    numpy.ndarray, shape (..., 4)
        Unit Euler parameters, scalar first: a smooth function of the angles, so the scalar part may be negative.

    Raises
    ------
    InputError
        When the last axis is not 3, an angle is not a finite number, or the sequence is unknown.

    Notes
    -----
    Schwab & Meijaard (2006) (2)-(5) and (29); Shivarama & Fahrenthold (2004) (2)-(4) for "3-1-3".

    Examples
    --------
    >>> from_euler_angles((np.pi / 2, 0, 0), "3-2-1").round(6)
    array([0.707107, 0.      , 0.      , 0.707107])
    """
    axes = parse_sequence(sequence)
    half = 0.5 * components("angles", angles, 3, unit="rad")
    cosine, sine = np.cos(half), np.sin(half)
    turns = np.zeros((3, *half.shape[:-1], 4))
    for n, axis in enumerate(axes):
        turns[n, ..., 0] = cosine[..., n]
        turns[n, ..., 1 + axis] = sine[..., n]
    return quaternion_product(quaternion_product(turns[0], turns[1]), turns[2])


def to_euler_angles(e: ArrayLike, sequence: str) -> Array:
    """Return the Euler angles of an attitude, accurately even at and near the singular poses.

    With l the remaining axis and s = +-1 the sign of the permutation (i, j, l), the half-sum and half-difference of the
    outer angles of a symmetric sequence are the arguments of two complex numbers::

        cos(a2/2) exp(i (a1 + a3)/2) = e0 + i e_i       sin(a2/2) exp(i (a1 - a3)/2) = e_j + i s e_l

    An asymmetric sequence is reduced to a symmetric one by a quarter turn about its middle axis: e o e_j(pi/2) has the
    angles (a1, a2 + pi/2, -s a3) in the sequence i-j-i. Neither arcsines nor a rotation matrix are needed.

    Parameters
    ----------
    e : array_like, shape (..., 4)
        Unit Euler parameters, scalar first; the sign does not matter.
    sequence : str
        One of `SEQUENCES`.

    Returns
    -------
    numpy.ndarray, shape (..., 3)
        Angles, rad. Outer angles in (-pi, pi]; middle angle in [0, pi] (symmetric) or [-pi/2, pi/2] (asymmetric). At a
        singular pose the third angle is 0; see the module docstring.

    Raises
    ------
    InputError
        When the last axis does not have length 4, the norm is not within 1e-6 of one, or the sequence is unknown.

    Notes
    -----
    E. Bernardes and S. Viollet (2022), "Quaternion to Euler angles conversion: a direct, general and
    computationally efficient method", PLoS ONE 17(11). For "3-1-3" these are Shivarama & Fahrenthold (2004)
    (2)-(4), whose arctangents need both signs (atan2) and whose arcsine loses digits near theta = pi.

    Examples
    --------
    >>> to_euler_angles((0.5, 0.5, 0.5, 0.5), "3-1-3").round(6)  # a third of a turn about (1, 1, 1)
    array([1.570796, 1.570796, 0.      ])
    >>> to_euler_angles(from_euler_angles((0.4, np.pi / 2, 0.1), "3-2-1"), "3-2-1").round(6)  # singular
    array([0.3     , 1.570796, 0.      ])
    """
    i, j, k = parse_sequence(sequence)
    left_over, sign = 3 - i - j, permutation_sign(i, j)
    unit = short_way(unit_quaternions("e", e))
    e0, ei, ej, el = unit[..., 0], unit[..., 1 + i], unit[..., 1 + j], sign * unit[..., 1 + left_over]
    if i != k:  # both complex numbers are scaled by sqrt(2), which cancels in the arctangents
        e0, ei, ej, el = e0 - ej, ei - el, ej + e0, el + ei
    sum_size, difference_size = np.hypot(e0, ei), np.hypot(ej, el)
    middle = 2.0 * np.arctan2(difference_size, sum_size)
    half_sum, half_difference = np.arctan2(ei, e0), np.arctan2(el, ej)

    limit = 0.5 * SINGULAR_ANGLE * np.hypot(sum_size, difference_size)  # half angles; |e| is 1 or sqrt(2)
    no_difference, no_sum = difference_size <= limit, sum_size <= limit
    half_difference = np.where(no_difference, half_sum, half_difference)
    half_sum = np.where(no_sum, half_difference, half_sum)
    middle = np.where(no_difference, 0.0, np.where(no_sum, np.pi, middle))

    first, third = half_sum + half_difference, half_sum - half_difference
    if i != k:
        third, middle = -sign * third, middle - 0.5 * np.pi
    return np.stack((_wrapped(first), middle, _wrapped(third)), axis=-1) + 0.0  # + 0.0 turns -0 into 0


def _wrapped(angle: Array) -> Array:
    """Map an angle in (-3 pi, 3 pi] to (-pi, pi]; an angle in that range is returned unchanged."""
    turn = 2.0 * np.pi
    return np.where(angle > np.pi, angle - turn, np.where(angle <= -np.pi, angle + turn, angle))
