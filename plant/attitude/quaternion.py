"""Quaternion products, product matrices, error attitude and rotation angle."""

import numpy as np
from numpy.typing import ArrayLike

from ._batch import Array, broadcast, components, norm3, short_way, unit_quaternions


def _product(p: Array, q: Array) -> Array:
    p0, p1, p2, p3 = (p[..., n] for n in range(4))
    q0, q1, q2, q3 = (q[..., n] for n in range(4))
    return np.stack(
        (
            p0 * q0 - (p1 * q1 + p2 * q2 + p3 * q3),
            p0 * q1 + q0 * p1 + (p2 * q3 - p3 * q2),
            p0 * q2 + q0 * p2 + (p3 * q1 - p1 * q3),
            p0 * q3 + q0 * p3 + (p1 * q2 - p2 * q1),
        ),
        axis=-1,
    )


def quaternion_product(p: ArrayLike, q: ArrayLike) -> Array:
    """Return the quaternion product p o q.

    ``p o q = (p0 q0 - p.q, p0 q + q0 p + p x q)``. For unit quaternions it is the rotation q followed by the rotation
    p, both about fixed axes: ``R(p o q) = R(p) R(q)``.

    Parameters
    ----------
    p, q : array_like, shape (..., 4)
        Quaternions, scalar first, of any norm.

    Returns
    -------
    numpy.ndarray, shape (..., 4)
        The product; its norm is |p| |q|.

    Raises
    ------
    InputError
        When a last axis is not 4, a component is not a finite number, or the leading axes do not broadcast.

    Notes
    -----
    Schwab & Meijaard (2006) (23).

    Examples
    --------
    >>> quaternion_product((0, 1, 0, 0), (0, 0, 1, 0))  # i o j = k
    array([0., 0., 0., 1.])
    """
    return _product(*broadcast("p", components("p", p, 4), "q", components("q", q, 4)))


def conjugate(q: ArrayLike) -> Array:
    """Return the conjugate (adjoint) quaternion ``(q0, -q)``; for a unit quaternion, the inverse rotation.

    Parameters
    ----------
    q : array_like, shape (..., 4)
        Quaternion, scalar first, of any norm.

    Returns
    -------
    numpy.ndarray, shape (..., 4)
        The conjugate.

    Raises
    ------
    InputError
        When the last axis does not have length 4 or a component is not a finite number.

    Notes
    -----
    Schwab & Meijaard (2006), after (23).

    Examples
    --------
    >>> conjugate((0.6, 0.8, 0, 0))
    array([ 0.6, -0.8, -0. , -0. ])
    """
    return components("q", q, 4) * np.array([1.0, -1.0, -1.0, -1.0])


def quaternion_matrices(q: ArrayLike) -> tuple[Array, Array]:
    """Return the matrices Q and Qbar of left and right multiplication by q.

    ``q o p = Q p`` and ``p o q = Qbar p`` with p as a column of four. Q and the Qbar of any two quaternions
    commute; the matrices of the conjugate are the transposes; ``Q Qbar' = diag(1, R(q))`` for a unit q.
    The rate of q is ``qdot = 1/2 Q (0, omega_body) = 1/2 Qbar (0, omega_inertial)``.

    Parameters
    ----------
    q : array_like, shape (..., 4)
        Quaternion, scalar first, of any norm.

    Returns
    -------
    Q, Qbar : numpy.ndarray, shape (..., 4, 4)
        The two matrices.

    Raises
    ------
    InputError
        When the last axis does not have length 4 or a component is not a finite number.

    Notes
    -----
    Schwab & Meijaard (2006) (24), (28), (34), (36). The text after their (32) has a misprint, w = 2 w-dot; the correct
    relation is omega = 2 w with (0, w) = qdot o conj(q).

    Examples
    --------
    >>> Q, Qbar = quaternion_matrices((1, 2, 3, 4))
    >>> Q @ (5, 6, 7, 8)  # (1, 2, 3, 4) o (5, 6, 7, 8)
    array([-60.,  12.,  30.,  24.])
    >>> Qbar @ (5, 6, 7, 8)  # (5, 6, 7, 8) o (1, 2, 3, 4)
    array([-60.,  20.,  14.,  32.])
    """
    q0, q1, q2, q3 = np.moveaxis(components("q", q, 4), -1, 0)
    left = ((q0, -q1, -q2, -q3), (q1, q0, -q3, q2), (q2, q3, q0, -q1), (q3, -q2, q1, q0))
    right = ((q0, -q1, -q2, -q3), (q1, q0, q3, -q2), (q2, -q3, q0, q1), (q3, q2, -q1, q0))
    return (
        np.stack([np.stack(row, axis=-1) for row in left], axis=-2),
        np.stack([np.stack(row, axis=-1) for row in right], axis=-2),
    )


def attitude_error(e: ArrayLike, reference: ArrayLike) -> Array:
    """Return the error attitude ``conj(e_ref) o e`` as the shorter of the two rotations.

    ``R(error) = R(e_ref)' R(e)`` maps body components to reference components.

    Parameters
    ----------
    e, reference : array_like, shape (..., 4)
        Unit Euler parameters of the body and of the reference, scalar first; the sign of neither matters.

    Returns
    -------
    numpy.ndarray, shape (..., 4)
        Unit Euler parameters, scalar part >= 0 (when it is zero: first non-zero component > 0).

    Raises
    ------
    InputError
        When the last axis does not have length 4, the norm is not within 1e-6 of one, or the leading axes do not
        broadcast.

    Notes
    -----
    Schwab & Meijaard (2006), the relative rotation r = conj(p) o q after (30).

    Examples
    --------
    >>> attitude_error((-0.8, -0.6, 0, 0), (1, 0, 0, 0))
    array([0.8, 0.6, 0. , 0. ])
    """
    body, ref = broadcast("e", unit_quaternions("e", e), "reference", unit_quaternions("reference", reference))
    return short_way(_product(ref * np.array([1.0, -1.0, -1.0, -1.0]), body))


def rotation_angle(e: ArrayLike) -> Array:
    """Return the rotation angle of an attitude, between 0 and pi: ``2 atan2(|vec e|, |e0|)``.

    Accurate to round-off at every angle; the usual 2 acos(|e0|) loses half of the digits near zero.

    Parameters
    ----------
    e : array_like, shape (..., 4)
        Unit Euler parameters, scalar first; the sign does not matter.

    Returns
    -------
    numpy.ndarray, shape (...)
        Angle, rad, in [0, pi].

    Raises
    ------
    InputError
        When the last axis does not have length 4 or the norm is not within 1e-6 of one.

    Notes
    -----
    Schwab & Meijaard (2006) (29).

    Examples
    --------
    >>> float(rotation_angle((1, 1e-9, 0, 0)))
    2e-09
    """
    unit = unit_quaternions("e", e)
    return 2.0 * np.arctan2(norm3(unit[..., 1:]), np.abs(unit[..., 0]))
