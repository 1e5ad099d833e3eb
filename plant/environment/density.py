"""Density of the atmosphere along a path: constant, exponential bands, or NRLMSIS."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..checks import finite, non_negative, positive
from ..errors import InputError
from .epoch import Epoch
from .frames import gcrf_to_itrf, geodetic
from .optional_library import optional_library

Array = NDArray[np.float64]

BANDS = np.array(
    [
        (0, 1.225, 7.249),
        (25, 3.899e-2, 6.349),
        (30, 1.774e-2, 6.682),
        (40, 3.972e-3, 7.554),
        (50, 1.057e-3, 8.382),
        (60, 3.206e-4, 7.714),
        (70, 8.770e-5, 6.549),
        (80, 1.905e-5, 5.799),
        (90, 3.396e-6, 5.382),
        (100, 5.297e-7, 5.877),
        (110, 9.661e-8, 7.263),
        (120, 2.438e-8, 9.473),
        (130, 8.484e-9, 12.636),
        (140, 3.845e-9, 16.149),
        (150, 2.070e-9, 22.523),
        (180, 5.464e-10, 29.740),
        (200, 2.789e-10, 37.105),
        (250, 7.248e-11, 45.546),
        (300, 2.418e-11, 53.628),
        (350, 9.518e-12, 53.298),
        (400, 3.725e-12, 58.515),
        (450, 1.585e-12, 60.828),
        (500, 6.967e-13, 63.822),
        (600, 1.454e-13, 71.835),
        (700, 3.614e-14, 88.667),
        (800, 1.170e-14, 124.64),
        (900, 5.245e-15, 181.05),
        (1000, 3.019e-15, 268.00),
    ]
)
"""Base height (km), density at this height (kg/m^3) and scale height (km) (Vallado 2013, table 8-4)."""


class Density(Protocol):
    """Protocol of the density models."""

    def along(self, epoch: Epoch, t: Array, *, position: Array) -> Array:
        """Return the density (kg/m^3), shape (n,), at times t (n,), s, and positions (n, 3), GCRF, m."""
        ...


@dataclass(frozen=True)
class ConstantDensity:
    """Density with the same value everywhere, for comparisons.

    Parameters
    ----------
    value : float
        Density, kg/m^3, positive.

    Raises
    ------
    InputError
        When the density is not positive.
    """

    value: float

    def __post_init__(self) -> None:
        positive("density", self.value, "kg/m^3")

    def along(self, epoch: Epoch, t: Array, *, position: Array) -> Array:
        """Return the density along a path.

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
        numpy.ndarray, shape (n,)
            Density, kg/m^3.
        """
        del epoch, position
        return np.full(t.shape, self.value)


@dataclass(frozen=True)
class ExponentialDensity:
    """Exponential bands over the ellipsoidal height, for mean solar activity (Vallado 2013, table 8-4).

    rho = rho0 exp(-(h - h0)/H). Above 100 km, adjacent bands agree to 2e-5 at their common boundary. The real density
    at 500 km varies by a factor of ten over a solar cycle.
    """

    @staticmethod
    def at(height: Array) -> Array:
        """Return the density at ellipsoidal heights.

        Parameters
        ----------
        height : numpy.ndarray, shape (n,)
            Ellipsoidal heights, m.

        Returns
        -------
        numpy.ndarray, shape (n,)
            Density, kg/m^3.
        """
        km = np.asarray(height, dtype=np.float64) / 1e3
        row = np.clip(np.searchsorted(BANDS[:, 0], km, side="right") - 1, 0, len(BANDS) - 1)
        base, density, scale = BANDS[row].T
        return density * np.exp(-(km - base) / scale)

    def along(self, epoch: Epoch, t: Array, *, position: Array) -> Array:
        """Return the density along a path.

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
        numpy.ndarray, shape (n,)
            Density, kg/m^3.
        """
        fixed = np.einsum("nij,nj->ni", gcrf_to_itrf(epoch, t), position)
        return self.at(geodetic(fixed)[2])


@dataclass(frozen=True, kw_only=True)
class NRLMSISDensity:
    """Total mass density of NRLMSIS 2.1 (Emmert et al. 2021), computed by pymsis with given activity indices.

    Parameters
    ----------
    f107 : float
        Solar radio flux F10.7 of the previous day, 1e-22 W/(m^2 Hz).
    f107a : float
        Mean of F10.7 over 81 days, centred on the date.
    ap : float
        Daily geomagnetic index ap (not Kp); also used for the 3-hourly history of ap.

    Raises
    ------
    InputError
        When an index is out of range.
    """

    f107: float
    f107a: float
    ap: float

    def __post_init__(self) -> None:
        for name in ("f107", "f107a"):
            value = finite(name, getattr(self, name))
            if not 50.0 <= value <= 500.0:
                raise InputError(f"{name} must be 50 to 500 (1e-22 W/(m^2 Hz)); got {value:g}")
        if non_negative("ap", self.ap, "") > 400.0:
            raise InputError(f"ap must be 0 to 400 (it is not Kp); got {self.ap:g}")

    def along(self, epoch: Epoch, t: Array, *, position: Array) -> Array:
        """Return the density along a path.

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
        numpy.ndarray, shape (n,)
            Density, kg/m^3.

        Raises
        ------
        InputError
            When pymsis is missing.
        """
        pymsis = optional_library("pymsis", "the density of NRLMSIS", extra="atmosphere")
        fixed = np.einsum("nij,nj->ni", gcrf_to_itrf(epoch, t), position)
        longitude, latitude, height = geodetic(fixed)
        start = epoch.datetime64()
        dates = start + np.round(1e9 * t).astype("timedelta64[ns]")
        n = t.size
        output = pymsis.calculate(
            dates, np.degrees(longitude), np.degrees(latitude), height / 1e3,
            np.full(n, self.f107), np.full(n, self.f107a), np.full((n, 7), self.ap), version=2.1,
        )  # fmt: skip
        return np.asarray(output, dtype=np.float64).reshape(n, -1)[:, 0]
