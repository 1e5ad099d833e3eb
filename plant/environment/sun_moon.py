"""Positions of the Sun and the Moon."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .constants import ASTRONOMICAL_UNIT, SPEED_OF_LIGHT
from .epoch import DAY, Epoch
from .optional_library import optional_library

Array = NDArray[np.float64]


def sun_position(epoch: Epoch, t: ArrayLike = 0.0, *, apparent: bool = True) -> Array:
    """Return the position of the Sun relative to the Earth.

    Uses epv00 of pyerfa (simplified VSOP2000), accurate to arcseconds, with TT in place of TDB. The apparent position
    includes the aberration due to the Earth's velocity, 20 arcsec. Light comes from the apparent position, and shadows
    are opposite to it.

    Parameters
    ----------
    epoch : Epoch
        Date of t = 0.
    t : array_like, shape (...)
        Times, s.
    apparent : bool
        Whether aberration is included; otherwise the position is geometric.

    Returns
    -------
    numpy.ndarray, shape (..., 3)
        Position, GCRF, m.

    Raises
    ------
    InputError
        When pyerfa is not installed.
    """
    erfa = optional_library("erfa", "the position of the Sun")
    heliocentric, barycentric = erfa.epv00(*epoch.tt(t))
    sun = -np.asarray(heliocentric["p"])
    if apparent:
        distance = np.linalg.norm(sun, axis=-1)
        v = np.asarray(barycentric["v"]) * (ASTRONOMICAL_UNIT / DAY / SPEED_OF_LIGHT)
        inverse = np.sqrt(1.0 - np.sum(v * v, axis=-1))
        sun = distance[..., None] * np.asarray(erfa.ab(sun / distance[..., None], v, distance, inverse))
    return ASTRONOMICAL_UNIT * sun


def moon_position(epoch: Epoch, t: ArrayLike = 0.0) -> Array:
    """Return the position of the Moon relative to the Earth.

    Parameters
    ----------
    epoch : Epoch
        Date of t = 0.
    t : array_like, shape (...)
        Times, s.

    Returns
    -------
    numpy.ndarray, shape (..., 3)
        Position, GCRF, m, by moon98 of pyerfa (theory of Meeus 1998), accurate to 10 arcsec.

    Raises
    ------
    InputError
        When pyerfa is not installed.
    """
    erfa = optional_library("erfa", "the position of the Moon")
    return ASTRONOMICAL_UNIT * np.asarray(erfa.moon98(*epoch.tt(t))["p"])
