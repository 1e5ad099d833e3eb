"""Least-squares attitude from any number of directions (Wahba 1965)."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.attitude import from_rotation_matrix, quaternion_product, rotation_matrix
from ....plant.checks import choice
from .fix import AttitudeFix, directions, refuse_unobservable

Array = NDArray[np.float64]

METHODS = ("davenport", "quest", "svd")


def wahba(
    body: ArrayLike,
    inertial: ArrayLike,
    *,
    sigma: ArrayLike,
    method: Literal["davenport", "quest", "svd"] = "davenport",
) -> AttitudeFix:
    """Return the least-squares attitude from directions in body axes and the known inertial directions.

    The attitude maximises ``sum a_i w_i . R(e)' v_i`` with a_i = 1/sigma_i^2, w_i in body and v_i in inertial axes. All
    three methods give the same attitude. "davenport" computes the eigenvector for the largest eigenvalue of Davenport's
    4 x 4 matrix, "quest" solves the characteristic equation of this matrix by Newton's method, and "svd" uses a
    singular value decomposition. QUEST is singular for rotations by 180 deg; near such rotations the method uses an
    inertial frame rotated by 180 deg about an axis.

    Parameters
    ----------
    body : array_like, shape (n, 3)
        Measured directions, body components, of any nonzero length; n >= 2.
    inertial : array_like, shape (n, 3)
        The same directions in inertial components, of any nonzero length.
    sigma : array_like, scalar or shape (n,)
        Noise of each direction about each perpendicular axis, rad.
    method : "davenport", "quest" or "svd"
        Numerical method.

    Returns
    -------
    AttitudeFix
        Attitude, covariance ``[sum (I - w w')/sigma^2]^-1`` and loss.

    Raises
    ------
    InputError
        When the directions are too few, zero or parallel within three sigma, or sigma is not a small angle.

    Notes
    -----
    G. Wahba (1965); P. B. Davenport in J. E. Keat (1977); M. D. Shuster & S. D. Oh (1981), "Three-axis attitude
    determination from vector observations"; F. L. Markley (1988) for the singular value decomposition.

    Examples
    --------
    >>> fix = wahba([(1, 0, 0), (0, 1, 0)], [(0, 1, 0), (-1, 0, 0)], sigma=1e-3)
    >>> fix.attitude.round(6)  # a quarter of a turn about z
    array([0.707107, 0.      , 0.      , 0.707107])
    """
    choice("method", method, METHODS)
    w, v, each = directions(body, inertial, sigma)
    refuse_unobservable(w, each)
    weights = each**-2.0
    scale = float(weights.sum())
    share = weights / scale
    profile = np.einsum("n,ni,nj->ij", share, w, v)
    found: Array = {"davenport": _davenport, "quest": _quest, "svd": _svd}[method](profile)
    found = found * (-1.0 if found[0] < 0.0 else 1.0) + 0.0  # the sum removes negative zeros
    seen = np.einsum("ni,ij->nj", v, rotation_matrix(found))
    information: Array = np.einsum("nij,n->ij", np.eye(3) - w[:, :, None] * w[:, None, :], weights)
    loss = 0.5 * float(weights @ ((w - seen) ** 2).sum(axis=1))
    return AttitudeFix(attitude=found, covariance=np.asarray(np.linalg.inv(information), dtype=np.float64), loss=loss)


def _davenport_matrix(profile: Array) -> Array:
    """Return Davenport's matrix K (4, 4), scalar first, for B = sum a w v' (3, 3)."""
    z = np.array([profile[1, 2] - profile[2, 1], profile[2, 0] - profile[0, 2], profile[0, 1] - profile[1, 0]])
    trace = np.trace(profile)
    K = np.empty((4, 4))
    K[0, 0], K[0, 1:], K[1:, 0] = trace, z, z
    K[1:, 1:] = profile + profile.T - trace * np.eye(3)
    return K


def _davenport(profile: Array) -> Array:
    return np.asarray(np.linalg.eigh(_davenport_matrix(profile))[1][:, -1])


def _svd(profile: Array) -> Array:
    U, _, Vt = np.linalg.svd(profile)
    turn = U @ np.diag([1.0, 1.0, np.linalg.det(U) * np.linalg.det(Vt)]) @ Vt  # R', inertial to body
    return from_rotation_matrix(turn.T)


HALF_TURNS = (
    np.array([1.0, 0.0, 0.0, 0.0]),
    np.array([0.0, 1.0, 0.0, 0.0]),
    np.array([0.0, 0.0, 1.0, 0.0]),
    np.array([0.0, 0.0, 0.0, 1.0]),
)


def _quest(profile: Array) -> Array:
    """Return the QUEST attitude, computed in whichever of four frames gives the largest scalar part."""
    best, found = -1.0, HALF_TURNS[0]
    for turn in HALF_TURNS:
        e, scalar = _in_frame(profile @ rotation_matrix(turn))
        if scalar > best:
            best, found = scalar, np.asarray(quaternion_product(turn, e))
    return found


def _in_frame(profile: Array) -> tuple[Array, float]:
    """Return unit e and the magnitude of its scalar part before normalisation, for a given frame."""
    K = _davenport_matrix(profile)
    z, trace, S = K[0, 1:], K[0, 0], profile + profile.T
    coefficients = np.poly(K)  # characteristic polynomial; the cubic term is zero
    slope = np.polyder(coefficients)
    root = 1.0
    for _ in range(50):
        step = float(np.polyval(coefficients, root) / np.polyval(slope, root))
        root -= step
        if abs(step) < 1e-15:
            break
    M = (root + trace) * np.eye(3) - S
    scalar = float(np.linalg.det(M))
    adjugate = np.array([np.cross(M[1], M[2]), np.cross(M[2], M[0]), np.cross(M[0], M[1])]).T
    vector = adjugate @ z
    size = float(np.sqrt(scalar * scalar + vector @ vector))
    return np.array([scalar, *vector]) / size, abs(scalar)
