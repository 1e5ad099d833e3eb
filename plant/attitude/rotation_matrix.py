"""Matrices E and G of the Euler parameters, the rotation matrix R = E G', and the inverse conversion."""

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ._batch import Array, components, short_way, unit_quaternions

ORTHOGONALITY_TOLERANCE = 1e-6  # admits a matrix printed with seven digits, but not a skewed one


def _rows(*rows: tuple[Array, ...]) -> Array:
    matrix = np.empty((*rows[0][0].shape, len(rows), len(rows[0])))
    for i, row in enumerate(rows):
        for k, entry in enumerate(row):
            matrix[..., i, k] = entry
    return matrix


def matrix_E(e: ArrayLike) -> Array:
    """Return the 3 x 4 matrix E of the Euler parameters.

    ::

        E = [-e1  e0 -e3  e2]      omega_inertial = 2 E edot
            [-e2  e3  e0 -e1]
            [-e3 -e2  e1  e0]

    Parameters
    ----------
    e : array_like, shape (..., 4)
        Euler parameters (or their rates), scalar first, of any norm: E is linear in them.

    Returns
    -------
    numpy.ndarray, shape (..., 3, 4)
        The matrix.

    Raises
    ------
    InputError
        When the last axis does not have length 4 or a component is not a finite number.

    Notes
    -----
    Shivarama & Fahrenthold (2004) (7), whose third row is misprinted (-e3, e2, e1, e0): with that sign, E e = 0 does
    not hold and E G' is not orthogonal.

    Examples
    --------
    >>> matrix_E((1, 2, 3, 4))
    array([[-2.,  1., -4.,  3.],
           [-3.,  4.,  1., -2.],
           [-4., -3.,  2.,  1.]])
    """
    e0, e1, e2, e3 = np.moveaxis(components("e", e, 4), -1, 0)
    return _rows((-e1, e0, -e3, e2), (-e2, e3, e0, -e1), (-e3, -e2, e1, e0))


def matrix_G(e: ArrayLike) -> Array:
    """Return the 3 x 4 matrix G of the Euler parameters.

    ::

        G = [-e1  e0  e3 -e2]      omega_body = 2 G edot,  edot = 1/2 G' omega_body
            [-e2 -e3  e0  e1]      G G' = |e|^2 I,  G e = 0
            [-e3  e2 -e1  e0]

    Parameters
    ----------
    e : array_like, shape (..., 4)
        Euler parameters (or their rates), scalar first, of any norm: G is linear in them.

    Returns
    -------
    numpy.ndarray, shape (..., 3, 4)
        The matrix.

    Raises
    ------
    InputError
        When the last axis does not have length 4 or a component is not a finite number.

    Notes
    -----
    Shivarama & Fahrenthold (2004) (8) and (10)-(12). The third row of (8) is misprinted (-e3, -e2, -e1, e0):
    with that sign (10) and (11) fail.

    Examples
    --------
    >>> matrix_G((1, 2, 3, 4))
    array([[-2.,  1.,  4., -3.],
           [-3., -4.,  1.,  2.],
           [-4.,  3., -2.,  1.]])
    """
    e0, e1, e2, e3 = np.moveaxis(components("e", e, 4), -1, 0)
    return _rows((-e1, e0, e3, -e2), (-e2, -e3, e0, e1), (-e3, e2, -e1, e0))


def rotation_matrix(e: ArrayLike) -> Array:
    """Return R = E G', which maps body components to inertial components: ``a_inertial = R a_body``.

    Parameters
    ----------
    e : array_like, shape (..., 4)
        Unit Euler parameters, scalar first; e and -e give the same matrix.

    Returns
    -------
    numpy.ndarray, shape (..., 3, 3)
        The rotation matrix.

    Raises
    ------
    InputError
        When the last axis does not have length 4 or the norm is not within 1e-6 of one.

    Notes
    -----
    Shivarama & Fahrenthold (2004) (5), (6), with the third rows of (7) and (8) corrected; the same as
    Schwab & Meijaard (2006) (27).

    Examples
    --------
    >>> rotation_matrix((0.6, 0, 0, 0.8))
    array([[-0.28, -0.96,  0.  ],
           [ 0.96, -0.28,  0.  ],
           [ 0.  ,  0.  ,  1.  ]])
    """
    unit = unit_quaternions("e", e)
    return matrix_E(unit) @ np.swapaxes(matrix_G(unit), -1, -2)


def from_rotation_matrix(R: ArrayLike) -> Array:
    """Return the Euler parameters of a rotation matrix, accurate at every attitude.

    The sixteen products ``4 e_m e_n`` are linear in the elements of R. Each column of their matrix is parallel to e.
    The column with the largest diagonal element (4 e_m^2 >= 1, so no cancellation) is normalised.

    Parameters
    ----------
    R : array_like, shape (..., 3, 3)
        Rotation matrix, ``a_inertial = R a_body``. Deviations from orthogonality up to 1e-6 (an element of R'R - I) are
        accepted.

    Returns
    -------
    numpy.ndarray, shape (..., 4)
        Unit Euler parameters, scalar first, scalar part >= 0 (when it is zero: first non-zero component > 0).

    Raises
    ------
    InputError
        When the last axes are not 3 x 3, an element is not finite, or R is not a proper rotation.

    Notes
    -----
    F. L. Markley (2008), "Unit quaternion from rotation matrix", J. Guidance, Control, and Dynamics 31(2);
    the choice of the largest element follows S. W. Shepperd (1978).

    Examples
    --------
    >>> from_rotation_matrix([[1, 0, 0], [0, -1, 0], [0, 0, -1]])  # half a turn about x
    array([0., 1., 0., 0.])
    """
    matrix = components("R", R, 3, 3)
    with np.errstate(over="ignore", invalid="ignore"):  # an overflowing element is rejected below
        defect = np.abs(np.swapaxes(matrix, -1, -2) @ matrix - np.eye(3)).max(axis=(-1, -2))
    if not (defect <= ORTHOGONALITY_TOLERANCE).all():
        message = (
            f"R must be orthogonal: the largest element of R'R - I is {defect.max():.3g}, "
            f"above {ORTHOGONALITY_TOLERANCE:g}; give more digits, or orthogonalise it"
        )
        raise InputError(message)
    if (np.linalg.det(matrix) < 0.0).any():
        message = "R must be a rotation, determinant +1; got a reflection, determinant -1: check its axes"
        raise InputError(message)
    (r11, r12, r13), (r21, r22, r23), (r31, r32, r33) = np.moveaxis(matrix, (-2, -1), (0, 1))
    products = _rows(
        (1.0 + r11 + r22 + r33, r32 - r23, r13 - r31, r21 - r12),
        (r32 - r23, 1.0 + r11 - r22 - r33, r12 + r21, r13 + r31),
        (r13 - r31, r12 + r21, 1.0 - r11 + r22 - r33, r23 + r32),
        (r21 - r12, r13 + r31, r23 + r32, 1.0 - r11 - r22 + r33),
    )
    largest = np.diagonal(products, axis1=-2, axis2=-1).argmax(axis=-1)
    column: Array = np.take_along_axis(products, largest[..., np.newaxis, np.newaxis], axis=-1)[..., 0]
    return short_way(column / np.sqrt((column * column).sum(axis=-1, keepdims=True)))
