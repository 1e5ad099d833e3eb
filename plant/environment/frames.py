"""Rotations between celestial, terrestrial, TEME and orbital axes.

    GCRF -> ITRF    IAU 2006/2000A with the celestial intermediate origin (pyerfa c2t06a; IERS 2010, chapter 5)
    TEME -> GCRF    TEME -> ITRF by the mean sidereal time of 1982, then ITRF -> GCRF (Vallado et al. 2006)
    LVLH            x forward, y opposite the orbit normal, z to nadir

Polar motion is zero, and UT1 - UTC is zero unless the epoch specifies it. The error on the ground is up to 15 m from
polar motion, and up to 419 m from UT1. Celestial pole offsets are below 1 milliarcsecond.
"""

import warnings

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from .constants import EARTH_RADIUS, EARTH_RATE, FLATTENING
from .epoch import Epoch
from .optional_library import optional_library

Array = NDArray[np.float64]


def gcrf_to_itrf(epoch: Epoch, t: ArrayLike, *, polar_motion: tuple[float, float] = (0.0, 0.0)) -> Array:
    """Return the rotation matrices from GCRF to ITRF.

    epoch: date of t = 0; t (...): s; polar_motion: xp and yp, rad -> (..., 3, 3). Raises InputError if pyerfa is not
    installed.
    """
    erfa = optional_library("erfa", "the rotation of the Earth")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(erfa.c2t06a(*epoch.tt(t), *epoch.ut1(t), *polar_motion))


def earth_rate(to_itrf: Array) -> Array:
    """Return the angular velocity of the Earth in GCRF, rad/s, from rotation matrices (..., 3, 3) to ITRF."""
    return EARTH_RATE * to_itrf[..., 2, :]


def teme_to_gcrf(epoch: Epoch, t: ArrayLike, position: ArrayLike, velocity: ArrayLike) -> tuple[Array, Array]:
    """Return positions (m) and velocities (m/s) of SGP4, converted from TEME to GCRF.

    epoch: date of t = 0; t (...): s; position, velocity (..., 3): TEME of date, m and m/s. The rotation of TEME
    relative to GCRF, 7.7e-12 rad/s, is neglected for the velocity (6e-8 m/s).
    """
    erfa = optional_library("erfa", "SGP4")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sidereal: Array = np.asarray(erfa.gmst82(*epoch.ut1(t)), dtype=np.float64)
    earth_fixed = np.zeros((*sidereal.shape, 3, 3))
    earth_fixed[..., 0, 0] = earth_fixed[..., 1, 1] = np.cos(sidereal)
    earth_fixed[..., 0, 1] = np.sin(sidereal)
    earth_fixed[..., 1, 0] = -earth_fixed[..., 0, 1]
    earth_fixed[..., 2, 2] = 1.0
    turn = np.swapaxes(gcrf_to_itrf(epoch, t), -1, -2) @ earth_fixed
    return _times(turn, position), _times(turn, velocity)


def lvlh(position: ArrayLike, velocity: ArrayLike) -> Array:
    """Return the LVLH axes (local vertical, local horizontal) as columns, in the axes of the arguments.

    position (..., 3): m; velocity (..., 3): m/s -> (..., 3, 3): x forward, y opposite the orbit normal, z to nadir.
    Raises InputError if position and velocity are parallel.
    """
    r, v = np.asarray(position, dtype=np.float64), np.asarray(velocity, dtype=np.float64)
    normal: Array = np.cross(r, v)
    length = np.linalg.norm(normal, axis=-1, keepdims=True)
    if not (length > 0.0).all():
        raise InputError("orbital axes need a position and a velocity that are not parallel")
    z = -r / np.linalg.norm(r, axis=-1, keepdims=True)
    y: Array = np.asarray(-normal / length, dtype=np.float64)
    x = np.cross(y, np.asarray(z, dtype=np.float64))
    return np.stack([x, y, z], axis=-1)


def geodetic(fixed: ArrayLike) -> tuple[Array, Array, Array]:
    """Return geodetic longitude and latitude (rad) and height (m) over the WGS84 ellipsoid.

    fixed (..., 3): position in ITRF, m. Iterated to 1e-12 rad (repeated Bowring 1976).
    """
    x, y, z = np.moveaxis(np.asarray(fixed, dtype=np.float64), -1, 0)
    square = FLATTENING * (2.0 - FLATTENING)
    rho = np.hypot(x, y)
    latitude = np.arctan2(z, rho * (1.0 - square))
    curvature = np.full_like(rho, EARTH_RADIUS)
    for _ in range(8):
        curvature = EARTH_RADIUS / np.sqrt(1.0 - square * np.sin(latitude) ** 2)
        latitude = np.arctan2(z + square * curvature * np.sin(latitude), rho)
    c, s = np.cos(latitude), np.sin(latitude)
    height = rho * c + z * s - EARTH_RADIUS**2 / curvature
    return np.arctan2(y, x), latitude, height


def _times(turn: Array, vectors: ArrayLike) -> Array:
    return np.einsum("...ij,...j->...i", turn, np.asarray(vectors, dtype=np.float64))
