"""The matrices B1 and B2 that map Euler-parameter rates to the velocity of a body point, and their parts.

A point at u (body components, from the mass centre) moves at A' u = B1 e' = B2 e' relative to the mass centre:
B1 = -2 A u~ G from the angular velocity, B2 = d(A u)/de from the rotation matrix (Euler-parameter notes (51), (54)).
They agree on every e' with e.e' = 0 and differ along e. B1'f and B2'f are therefore different generalised forces of the
same force f. Their difference is a multiple of e, which does no work and only changes the multiplier.

With H of (67), and E for the matrix that the notes call G (see `pieces`):

    B1 = 2 E H - 2 (A u) e'     (74)        B1 e = 0
    B2 = 2 E H + 2 u e'         (68)        for A = (2 e0^2 - 1) I + 2 (e e' + e0 e~), the polynomial of (5)
    B2 = 2 E H                              for the homogeneous A = E G', the polynomial of (7)

(68) holds for (5) only, since two polynomials that are equal on |e| = 1 have different gradients. 2 E H is not the
working part either, contrary to the notes after (75): (2 E H) e = 2 A u. In each case, an orthogonal split gives B1
plus an idle part.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..attitude import matrix_E, matrix_G, rotation_matrix
from ..checks import choice, unit_quaternion, vector

Array = NDArray[np.float64]

POLYNOMIALS = ("printed", "homogeneous")
"""Polynomials A(e) that `matrix_B2` can differentiate: (5) as printed, and the homogeneous E G'."""


def _skew(a: Array) -> Array:
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def matrix_H(point: ArrayLike) -> Array:
    """Return the matrix H = [0 -u'; u -u~] of a body point.

    Parameters
    ----------
    point : array_like, shape (3,)
        u, from the mass centre, body components, m.

    Returns
    -------
    numpy.ndarray, shape (4, 4)
        The skew-symmetric matrix, m.

    Notes
    -----
    Euler-parameter notes (67).
    """
    u = vector("point", point, unit="m")
    H = np.zeros((4, 4))
    H[0, 1:], H[1:, 0], H[1:, 1:] = -u, u, -_skew(u)
    return H


def matrix_B1(e: ArrayLike, point: ArrayLike) -> Array:
    """Return B1 = -2 A u~ G, derived from the angular velocity.

    Parameters
    ----------
    e : array_like, shape (4,)
        Unit Euler parameters, scalar first.
    point : array_like, shape (3,)
        u, from the mass centre, body components, m.

    Returns
    -------
    numpy.ndarray, shape (3, 4)
        The matrix, m; B1 e = 0.

    Raises
    ------
    InputError
        When a shape is wrong, a value is not finite or |e| is not 1.

    Notes
    -----
    Euler-parameter notes (51).
    """
    unit = unit_quaternion("e", e)
    return -2.0 * rotation_matrix(unit) @ _skew(vector("point", point, unit="m")) @ matrix_G(unit)


def matrix_B2(e: ArrayLike, point: ArrayLike, *, polynomial: str = "printed") -> Array:
    """Return B2 = d(A u)/de, derived from the rotation matrix as a polynomial in e.

    Parameters
    ----------
    e : array_like, shape (4,)
        Unit Euler parameters, scalar first.
    point : array_like, shape (3,)
        u, from the mass centre, body components, m.
    polynomial : str
        "printed" for A = (2 e0^2 - 1) I + 2 (e e' + e0 e~), or "homogeneous" for A = E G'.

    Returns
    -------
    numpy.ndarray, shape (3, 4)
        The matrix, m. B2 e = 2 (A u + u) for "printed", 2 A u for "homogeneous".

    Raises
    ------
    InputError
        When a shape is wrong, a value is not finite, |e| is not 1 or the polynomial is unknown.

    Notes
    -----
    Euler-parameter notes (54), (68); the latter holds for "printed" only.
    """
    unit, u = unit_quaternion("e", e), vector("point", point, unit="m")
    B = 2.0 * matrix_E(unit) @ matrix_H(u)
    return B + 2.0 * np.outer(u, unit) if choice("polynomial", polynomial, POLYNOMIALS) == "printed" else B


def split_force_matrix(matrix: ArrayLike, e: ArrayLike) -> tuple[Array, Array]:
    """Return the working part and the idle part of B1, B2 or 2 E H.

    Parameters
    ----------
    matrix : array_like, shape (3, 4)
        B, with the generalised force B'f of a force f.
    e : array_like, shape (4,)
        Unit Euler parameters, scalar first.

    Returns
    -------
    tuple of numpy.ndarray, shapes (3, 4) and (3, 4)
        B (I - e e'), which equals B1 for each of the three matrices, and B e e', whose generalised force is along e:
        it causes no rotation and adds e.B'f to the multiplier.

    Raises
    ------
    InputError
        When a shape is wrong, a value is not finite or |e| is not 1.
    """
    B = vector("matrix", np.reshape(matrix, -1), 12, unit="m").reshape(3, 4)
    unit = unit_quaternion("e", e)
    idle = np.outer(B @ unit, unit)
    return B - idle, idle
