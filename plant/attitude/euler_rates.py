"""Euler rates and angular velocity: the matrices A and B of any sequence, and the inverse of B."""

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError, SingularBasisError
from ._batch import Array, broadcast, components, unit_quaternions
from .euler_angles import to_euler_angles
from .sequences import SINGULAR_ANGLE, parse_sequence, permutation_sign, singular_middle_angles


def _turn(axis: int, angle: Array) -> Array:
    """Return the elementary rotation matrix, shape (..., 3, 3)."""
    after, before = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.zeros((*angle.shape, 3, 3))
    matrix[..., axis, axis] = 1.0
    matrix[..., after, after] = matrix[..., before, before] = np.cos(angle)
    matrix[..., before, after] = np.sin(angle)
    matrix[..., after, before] = -np.sin(angle)
    return matrix


def euler_rate_matrix_inertial(angles: ArrayLike, sequence: str) -> Array:
    """Return the matrix A that maps Euler rates to the inertial components of the angular velocity.

    ``omega_inertial = A (a1dot, a2dot, a3dot)``; its columns are the axes of the three rotations,
    ``A = [E_i, R1 E_j, R1 R2 E_k]``, the Euler basis g1, g2, g3.

    Parameters
    ----------
    angles : array_like, shape (..., 3)
        Euler angles in the order of the sequence, rad.
    sequence : str
        One of `SEQUENCES`.

    Returns
    -------
    numpy.ndarray, shape (..., 3, 3)
        The matrix; its determinant is -sin a2 (symmetric sequences) or s cos a2 (asymmetric). s = +1 if axis j follows
        axis i in the cycle 1, 2, 3, otherwise -1.

    Raises
    ------
    InputError
        When the last axis is not 3, an angle is not a finite number, or the sequence is unknown.

    Notes
    -----
    Schwab & Meijaard (2006) (13), (14), which are for "3-1-3". Corrections: (9) is the angular velocity in the
    space-fixed frame, not the body-fixed one; the axes of (12) are e_z, e_xi and e_zeta', not e_z, e_y, e_x;
    (14) ends with omega = A udot, not A u.

    Examples
    --------
    >>> euler_rate_matrix_inertial((0, np.pi / 2, 0), "3-1-3").round(6) + 0
    array([[ 0.,  1.,  0.],
           [ 0.,  0., -1.],
           [ 1.,  0.,  0.]])
    """
    i, j, k = parse_sequence(sequence)
    a = components("angles", angles, 3, unit="rad")
    first = _turn(i, a[..., 0])
    matrix = np.empty((*a.shape[:-1], 3, 3))
    matrix[..., 0] = np.eye(3)[i]
    matrix[..., 1] = first[..., j]
    matrix[..., 2] = (first @ _turn(j, a[..., 1]))[..., k]
    return matrix


def euler_rate_matrix_body(angles: ArrayLike, sequence: str) -> Array:
    """Return the matrix B that maps Euler rates to the body components of the angular velocity.

    ``omega_body = B (a1dot, a2dot, a3dot)`` with ``B = R' A = [R3' R2' E_i, R3' E_j, E_k]``.

    Parameters
    ----------
    angles : array_like, shape (..., 3)
        Euler angles in the order of the sequence, rad.
    sequence : str
        One of `SEQUENCES`.

    Returns
    -------
    numpy.ndarray, shape (..., 3, 3)
        The matrix, with the same determinant as `euler_rate_matrix_inertial`.

    Raises
    ------
    InputError
        When the last axis is not 3, an angle is not a finite number, or the sequence is unknown.

    Notes
    -----
    Schwab & Meijaard (2006) (15), (16), which are for "3-1-3". The axes of (12) are e_z, e_xi and e_zeta', as in
    `euler_rate_matrix_inertial`, and B is singular at theta = 0 and theta = +-pi (printed "0 +- pi").

    Examples
    --------
    >>> euler_rate_matrix_body((0, np.pi / 2, 0), "3-1-3").round(6) + 0
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 0., 1.]])
    """
    i, j, k = parse_sequence(sequence)
    a = components("angles", angles, 3, unit="rad")
    third = _turn(k, a[..., 2])
    matrix = np.empty((*a.shape[:-1], 3, 3))
    matrix[..., 0] = (_turn(j, a[..., 1]) @ third)[..., i, :]  # row i of a matrix is its transpose times E_i
    matrix[..., 1] = third[..., j, :]
    matrix[..., 2] = np.eye(3)[k]
    return matrix


def euler_rates(attitude: ArrayLike, rate: ArrayLike, *, sequence: str) -> Array:
    """Return the Euler rates at a given attitude and body rate: ``B^-1 omega_body``.

    A closed form is evaluated in the frame before the third rotation; no matrix is inverted.

    Parameters
    ----------
    attitude : array_like, shape (..., 4) or (..., 3)
        Unit Euler parameters, scalar first; or the Euler angles of the sequence, rad.
    rate : array_like, shape (..., 3)
        Angular velocity, body components, rad/s.
    sequence : str
        One of `SEQUENCES`.

    Returns
    -------
    numpy.ndarray, shape (..., 3)
        Rates of the three Euler angles, rad/s. They grow without bound towards a singular pose, as 1/|sin a2|
        (symmetric) or 1/|cos a2| (asymmetric).

    Raises
    ------
    SingularBasisError
        At a singular pose of the sequence, where a general body rate has no Euler rates.
    InputError
        When a shape is wrong, a component is not finite, the norm of Euler parameters is not within 1e-6 of
        one, or the sequence is unknown.

    Notes
    -----
    Schwab & Meijaard (2006) (21) with B of (16).

    Examples
    --------
    >>> euler_rates((0.3, 0.0, 0.0), (0.0, 0.0, 0.1), sequence="3-2-1")  # level: the yaw rate is the z rate
    array([0.1, 0. , 0. ])
    """
    i, j, k = parse_sequence(sequence)
    shape = np.shape(attitude)
    if shape[-1:] == (4,):
        angles = to_euler_angles(unit_quaternions("attitude", attitude), sequence)
    elif shape[-1:] == (3,):
        angles = components("attitude", attitude, 3, unit="rad")
    else:
        message = f"attitude must be 4 Euler parameters or 3 Euler angles (rad); got shape {shape}"
        raise InputError(message)
    angles, omega = broadcast("attitude", angles, "rate", components("rate", rate, 3, unit="rad/s"))

    sine, cosine = np.sin(angles[..., 1]), np.cos(angles[..., 1])
    bad = np.abs(sine if i == k else cosine) <= SINGULAR_ANGLE
    if bad.any():
        raise SingularBasisError(_singular_message(float(angles[..., 1][bad].flat[0]), sequence))
    before = (_turn(k, angles[..., 2]) @ omega[..., np.newaxis])[..., 0]  # components before the third rotation
    sign, left_over = permutation_sign(i, j), 3 - i - j
    if i == k:  # before the third rotation, the first axis is cos E_i + sign sin E_l
        first = sign * before[..., left_over] / sine
        third = before[..., i] - cosine * first
    else:  # before the third rotation, the first axis is cos E_i + sign sin E_k
        first = before[..., i] / cosine
        third = before[..., k] - sign * sine * first
    return np.stack((first, before[..., j], third), axis=-1)


def _singular_message(middle: float, sequence: str) -> str:
    low, high = np.rad2deg(singular_middle_angles(sequence))
    other = "3-2-1" if sequence[0] == sequence[-1] else "3-1-3"
    return (
        f"the Euler rates of sequence {sequence!r} do not exist at middle angle {middle:.9g} rad: the first "
        f"and the third axis coincide at {low:g} or {high:g} deg; use Euler parameters, or another sequence such as "
        f"{other!r}"
    )
