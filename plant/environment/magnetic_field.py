"""Magnetic field of the Earth: the International Geomagnetic Reference Field (IGRF), and its dipole part."""

import warnings
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..quantity import NUMBER, VECTOR, check_fields, declared, quantity
from .constants import GEOMAGNETIC_RADIUS
from .epoch import Epoch
from .frames import gcrf_to_itrf
from .optional_library import optional_library

Array = NDArray[np.float64]

TESLA = 1e-9  # T per nT
FIRST, LAST = 1900.0, 2030.0
"""Range of years of the IGRF; from 2025 on, the model extrapolates by its secular variation."""


class MagneticField(Protocol):
    """Protocol of the field models."""

    def along(self, epoch: Epoch, t: Array, *, position: Array) -> Array:
        """Return the field (T, GCRF), shape (n, 3), at times t (n,), s, and positions (n, 3), GCRF, m."""
        ...


@declared
class DipoleField:
    """Centred dipole that rotates with the Earth: B = (a/r)^3 [3 (m.r^) r^ - m], a = 6371.2 km.

    Parameters
    ----------
    coefficients : array_like, shape (3,)
        g11, h11 and g10, T: the dipole m at the reference radius, ITRF components; it points south. Default: the
        values for 2025.0 (IGRF-14).

    Raises
    ------
    InputError
        When the coefficients are not three numbers.
    """

    coefficients: Array = quantity(
        "T", converter=VECTOR, kw_only=False, default=(-1410.3e-9, 4545.5e-9, -29350.0e-9), doc="g11, h11 and g10"
    )

    def __post_init__(self) -> None:
        check_fields(self, of="dipole field")

    def along(self, epoch: Epoch, t: Array, *, position: Array) -> Array:
        """Return the field along a path.

        Parameters
        ----------
        epoch : Epoch
            Date of t = 0.
        t : numpy.ndarray, shape (n,)
            Times, s.
        position : numpy.ndarray, shape (n, 3)
            Positions, GCRF, m.

        Returns
        -------
        numpy.ndarray, shape (n, 3)
            Field, GCRF, T.
        """
        dipole = np.einsum("nij,i->nj", gcrf_to_itrf(epoch, t), self.coefficients)
        r = np.linalg.norm(position, axis=-1, keepdims=True)
        unit = position / r
        return (GEOMAGNETIC_RADIUS / r) ** 3 * (3.0 * np.sum(dipole * unit, -1, keepdims=True) * unit - dipole)


@declared
class AxialDipoleField:
    """Centred dipole along minus the axis of the Earth: B = g (a/r)^3 [z - 3 (z.r^) r^], a = 6371.2 km.

    z is the GCRF axis, so the field does not rotate with the Earth. Along a Kepler orbit it is periodic with the orbit,
    as the theory of periodic magnetic control assumes.

    Parameters
    ----------
    strength : float
        g, T: field at the equator of the reference sphere. Default: magnitude of the dipole of 2025.0 (IGRF-14).

    Raises
    ------
    InputError
        When the strength is not positive.
    """

    strength: float = quantity(
        "T", converter=NUMBER, positive=True, kw_only=False, default=29733.3654e-9, doc="field at the equator"
    )

    def __post_init__(self) -> None:
        check_fields(self, of="axial dipole field")

    def along(self, epoch: Epoch, t: Array, *, position: Array) -> Array:
        """Return the field along a path.

        Parameters
        ----------
        epoch : Epoch
            Date of t = 0; the field does not depend on it.
        t : numpy.ndarray, shape (n,)
            Times, s.
        position : numpy.ndarray, shape (n, 3)
            Positions, GCRF, m.

        Returns
        -------
        numpy.ndarray, shape (n, 3)
            Field, GCRF, T.
        """
        del epoch, t
        r = np.linalg.norm(position, axis=-1, keepdims=True)
        unit, axis = position / r, np.array((0.0, 0.0, 1.0))
        return self.strength * (GEOMAGNETIC_RADIUS / r) ** 3 * (axis - 3.0 * unit[..., 2:] * unit)


@dataclass(frozen=True)
class IGRFField:
    """International Geomagnetic Reference Field to degree 13, by ppigrf (IGRF-14).

    During a run, the field is interpolated linearly in time between the first and last date, like the coefficients of
    the model. Dates outside 1900 to 2030 are rejected.
    """

    def along(self, epoch: Epoch, t: Array, *, position: Array) -> Array:
        """Return the field along a path.

        Parameters
        ----------
        epoch : Epoch
            Date of t = 0.
        t : numpy.ndarray, shape (n,)
            Times, s.
        position : numpy.ndarray, shape (n, 3)
            Positions, GCRF, m.

        Returns
        -------
        numpy.ndarray, shape (n, 3)
            Field, GCRF, T.

        Raises
        ------
        InputError
            When a date is outside the range of the model, or ppigrf is not installed.
        """
        first, last = float(t.min()), float(t.max())
        years = epoch.decimal_year(first), epoch.decimal_year(last)
        if not (years[0] >= FIRST and years[1] <= LAST):
            raise InputError(
                f"IGRF-14 covers the years {FIRST:g} to {LAST:g}; the run spans {years[0]:.2f} to {years[1]:.2f}: "
                "choose another epoch, or the dipole field"
            )
        turn = gcrf_to_itrf(epoch, t)
        fixed = np.einsum("nij,nj->ni", turn, position)
        dates = [epoch.datetime64(each) for each in (first, last)]
        values = _spherical_field(fixed, dates)
        share = ((t - first) / (last - first) if last > first else np.zeros_like(t))[:, None]
        return np.einsum("nji,nj->ni", turn, (1.0 - share) * values[0] + share * values[-1])


@cache
def _library() -> Any:
    return optional_library("ppigrf", "the IGRF field")


def _spherical_field(fixed: Array, dates: list[np.datetime64]) -> Array:
    """Return the field in ITRF, T, at positions (n, 3) in ITRF, m, at each date: (dates, n, 3)."""
    x, y, z = fixed.T
    rho, r = np.hypot(x, y), np.linalg.norm(fixed, axis=-1)
    colatitude = np.clip(np.degrees(np.arctan2(rho, z)), 1e-7, 180.0 - 1e-7)  # the east component is NaN at the poles
    longitude = np.degrees(np.arctan2(y, x))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # from pandas
        when = [each.astype("datetime64[us]").item() for each in dates]
        radial, south, east = _library().igrf_gc(r / 1e3, colatitude, longitude, when)
    a, b = np.radians(colatitude), np.radians(longitude)
    up = np.stack([np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)], -1)
    down = np.stack([np.cos(a) * np.cos(b), np.cos(a) * np.sin(b), -np.sin(a)], -1)
    right = np.stack([-np.sin(b), np.cos(b), np.zeros_like(b)], -1)
    parts = [np.asarray(part).reshape(len(dates), -1)[..., None] for part in (radial, south, east)]
    return TESLA * (parts[0] * up + parts[1] * down + parts[2] * right)
