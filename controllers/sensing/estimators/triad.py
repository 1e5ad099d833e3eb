"""Attitude from two directions, the first of which is matched exactly (Black 1964)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.attitude import from_rotation_matrix
from ....plant.errors import InputError
from .fix import AttitudeFix, directions, refuse_unobservable

Array = NDArray[np.float64]


def triad(body: ArrayLike, inertial: ArrayLike, *, sigma: ArrayLike) -> AttitudeFix:
    """Return the attitude from two directions (TRIAD), which matches the first direction exactly.

    Parameters
    ----------
    body : array_like, shape (2, 3)
        Measured directions, body components; the more accurate one first.
    inertial : array_like, shape (2, 3)
        The same directions in inertial components.
    sigma : array_like, scalar or shape (2,)
        Noise of each direction about each perpendicular axis, rad.

    Returns
    -------
    AttitudeFix
        Attitude with the covariance ``s1^2 I + [(s2^2 - s1^2) w1 w1' + s1^2 (w1.w2)(w1 w2' + w2 w1')]/|w1 x w2|^2``.

    Raises
    ------
    InputError
        When there are not two directions, or they are parallel within three sigma.

    Notes
    -----
    M. D. Shuster & S. D. Oh (1981), "Three-axis attitude determination from vector observations".

    Examples
    --------
    >>> fix = triad([(1, 0, 0), (0.6, 0.8, 0)], [(1, 0, 0), (0.6, 0.8, 0)], sigma=(1e-3, 2e-3))
    >>> (fix.covariance * 1e6).round(4)
    array([[6.8125, 0.75  , 0.    ],
           [0.75  , 1.    , 0.    ],
           [0.    , 0.    , 1.    ]])
    """
    w, v, each = directions(body, inertial, sigma)
    if len(w) != 2:
        raise InputError(f"triad takes two directions; got {len(w)}: use wahba for more")
    refuse_unobservable(w, each)
    (w1, w2), (s1, s2) = w, each**2
    across = np.cross(w1, w2)
    cosine = float(w1 @ w2)
    cross = np.outer(w1, w2)
    spread = (s2 - s1) * np.outer(w1, w1) + s1 * cosine * (cross + cross.T)
    covariance = s1 * np.eye(3) + spread / (across @ across)
    turn = _frame(*v) @ _frame(*w).T
    left = w2 - turn.T @ v[1]
    loss = 0.5 * float(left @ left) / s2
    return AttitudeFix(attitude=from_rotation_matrix(turn), covariance=covariance, loss=loss)


def _frame(first: Array, second: Array) -> Array:
    """Return the right-handed triad (3, 3) of two directions, with unit vectors as columns."""
    across = np.cross(first, second)
    across = across / np.linalg.norm(across)
    return np.column_stack((first, across, np.cross(first, across)))
