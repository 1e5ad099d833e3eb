"""Epoch of a run in UTC, and the time scales of the run time."""

import re
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import finite
from ..errors import InputError
from .optional_library import optional_library

Array = NDArray[np.float64]

DAY = 86400.0  # s
TT_TAI = 32.184  # s
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2}(?:\.\d+)?)Z?")
YEARS = 1972, 2100
"""Range of years in which UTC has leap seconds of 1 s and the precession models are accurate to arcseconds."""


@dataclass(frozen=True)
class Epoch:
    """Date of t = 0 in UTC.

    Dates are sums of two parts, a Julian day and a fraction, so that a nanosecond is resolved. The seconds of a run are
    SI seconds: TT = TT(epoch) + t. UT1 = UTC(epoch) + t + dut1 for the whole run; leap seconds after the epoch have no
    effect.

    Parameters
    ----------
    utc : str
        Date in ISO 8601, such as "2026-03-20T12:00:00Z"; 1972 to 2100. Second 60 of a leap second is accepted.
    dut1 : float
        UT1 - UTC, s, from IERS Bulletin A or B. With 0, the Earth's rotation is off by up to 0.9 s: 419 m on the
        ground.

    Raises
    ------
    InputError
        When the string is not a date, the year is out of range, |dut1| > 1 s, or pyerfa is not installed.

    Examples
    --------
    >>> Epoch("2026-03-20T12:00:00Z").utc
    '2026-03-20T12:00:00Z'
    """

    utc: str
    dut1: float = 0.0

    def __post_init__(self) -> None:
        found = _DATE.fullmatch(self.utc.strip()) if isinstance(self.utc, str) else None  # pyright: ignore[reportUnnecessaryIsInstance] # user input
        if found is None:
            raise InputError(f"epoch must be a UTC date such as '2026-03-20T12:00:00Z'; got {self.utc!r}")
        year, month, day, hour, minute = (int(part) for part in found.groups()[:5])
        second = float(found.group(6))
        if not YEARS[0] <= year < YEARS[1]:
            raise InputError(f"epoch must be in the years {YEARS[0]} to {YEARS[1] - 1}; got {self.utc!r}")
        if abs(finite("dut1", self.dut1, "s")) > 1.0:
            raise InputError(f"dut1 (UT1 - UTC) is below 0.9 s by definition; got {self.dut1:g} s")
        erfa = optional_library("erfa", "an epoch")
        last = 60 + (hour == 23 and minute == 59)
        if hour > 23 or minute > 59 or not second < last:
            raise InputError(f"epoch: {self.utc!r} has an invalid time of day")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # erfa warns of a "dubious year" after the table of leap seconds
            try:
                utc = erfa.dtf2d("UTC", year, month, day, hour, minute, second)
            except Exception:  # noqa: BLE001 # erfa raises its own types
                raise InputError(f"epoch: the date in {self.utc!r} does not exist") from None
            tai = erfa.utctai(*utc)
        object.__setattr__(self, "_tai", tuple(float(part) for part in tai))
        object.__setattr__(self, "_ahead", self._leap_seconds(utc))

    def _leap_seconds(self, utc: Any) -> float:
        """Return TAI - UTC at the epoch, s."""
        erfa = optional_library("erfa", "an epoch")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            year, month, day, fraction = erfa.jd2cal(*utc)
            return float(erfa.dat(year, month, day, fraction))

    def tt(self, t: ArrayLike = 0.0) -> tuple[Array, Array]:
        """Return terrestrial time as a two-part Julian date.

        Parameters
        ----------
        t : array_like
            Time of the run, s.

        Returns
        -------
        tuple of numpy.ndarray
            Day and fraction, d, each of the shape of t.
        """
        return self._parts(t, TT_TAI)

    def ut1(self, t: ArrayLike = 0.0) -> tuple[Array, Array]:
        """Return universal time UT1 as a two-part Julian date.

        Parameters
        ----------
        t : array_like
            Time of the run, s.

        Returns
        -------
        tuple of numpy.ndarray
            Day and fraction, d, each of the shape of t.
        """
        return self._parts(t, self.dut1 - vars(self)["_ahead"])

    def utc_parts(self, t: ArrayLike = 0.0) -> tuple[Array, Array]:
        """Return UTC as a two-part Julian date, counted in SI seconds, without leap seconds after the epoch.

        Parameters
        ----------
        t : array_like
            Time of the run, s.

        Returns
        -------
        tuple of numpy.ndarray
            Day and fraction, d, each of the shape of t.
        """
        return self._parts(t, -vars(self)["_ahead"])

    def _parts(self, t: ArrayLike, shift: float) -> tuple[Array, Array]:
        day, fraction = vars(self)["_tai"]
        seconds = np.asarray(t, dtype=np.float64) + shift
        return np.full_like(seconds, day), fraction + seconds / DAY

    def decimal_year(self, t: float = 0.0) -> float:
        """Return the date as a decimal year, such as 2026.25, counted in days of the calendar year.

        Parameters
        ----------
        t : float
            Time of the run, s.

        Returns
        -------
        float
            Year and its fraction.
        """
        date = self.datetime64(t)
        year = date.astype("datetime64[Y]")
        first, following = (each.astype("datetime64[ns]") for each in (year, year + np.timedelta64(1, "Y")))
        return float(int(year.astype(np.int64)) + 1970 + (date - first) / (following - first))

    def datetime64(self, t: float = 0.0) -> np.datetime64:
        """Return the date as numpy.datetime64, to the nanosecond, in UTC without later leap seconds.

        Parameters
        ----------
        t : float
            Time of the run, s.

        Returns
        -------
        numpy.datetime64
            The date.
        """
        day, fraction = self.utc_parts(t)
        whole = np.datetime64("1970-01-01T12:00:00", "ns")  # Julian date 2440588
        days = float(day) - 2440588.0
        return whole + np.timedelta64(round(days * DAY), "s") + np.timedelta64(round(float(fraction) * DAY * 1e9), "ns")
