"""Conversion between run times and ISO 8601 dates (calendar or ordinal) with a resolution of 1 ns."""

import re

import numpy as np
from numpy.typing import NDArray

from ....plant.checks import choice
from ....plant.errors import InputError

Array = NDArray[np.float64]
Moments = NDArray[np.datetime64]

TIME_SYSTEMS = ("GPS", "TAI", "TCB", "TDB", "TT", "UT1", "UTC")
"""Time systems of CCSDS 502.0-B and 504.0-B in which times advance by seconds, as in a run."""

LEAPS = (
    "1972-07-01",
    "1973-01-01",
    "1974-01-01",
    "1975-01-01",
    "1976-01-01",
    "1977-01-01",
    "1978-01-01",
    "1979-01-01",
    "1980-01-01",
    "1981-07-01",
    "1982-07-01",
    "1983-07-01",
    "1985-07-01",
    "1988-01-01",
    "1990-01-01",
    "1991-01-01",
    "1992-07-01",
    "1993-07-01",
    "1994-07-01",
    "1996-01-01",
    "1997-07-01",
    "1999-01-01",
    "2006-01-01",
    "2009-01-01",
    "2012-07-01",
    "2015-07-01",
    "2017-01-01",
)
"""Days preceded by a leap second (IERS Bulletin C); there has been none since the last one listed."""

_DATE = re.compile(r"(\d{4})-(?:(\d{2})-(\d{2})|(\d{3}))T(\d{2}):(\d{2}):(\d{2})(\.\d+)?Z?")


def moment(text: str, *, what: str = "epoch") -> np.datetime64:
    """Return the moment of a date string: 2026-03-20T12:00:00.5 or 2026-079T12:00:00.5, Z optional.

    Raises InputError when the string is not a date.
    """
    found = _DATE.fullmatch(text.strip()) if isinstance(text, str) else None  # pyright: ignore[reportUnnecessaryIsInstance] # user input
    if found is None:
        raise InputError(f"{what} must be a date such as '2026-03-20T12:00:00' or '2026-079T12:00:00'; got {text!r}")
    year, month, day, ordinal, *clock, part = found.groups()
    try:
        if ordinal is None:
            first = np.datetime64(f"{year}-{month}-{day}")
        else:
            first = np.datetime64(f"{year}-01-01") + np.timedelta64(int(ordinal) - 1, "D")
            if not (int(ordinal) >= 1 and str(first).startswith(year)):
                raise ValueError
    except ValueError:
        raise InputError(f"{what}: {text!r} is not a valid day") from None
    hour, minute, second = map(int, clock)
    if hour > 23 or minute > 59 or second > 59:
        raise InputError(f"{what}: {text!r} has an invalid time of day, or a leap second, which is not supported")
    nanoseconds = round(float(f"0{part or '.0'}") * 1e9)
    within = ((hour * 60 + minute) * 60 + second) * 1_000_000_000 + nanoseconds
    return first.astype("datetime64[ns]") + np.timedelta64(within, "ns")


def require_no_leap(first: np.datetime64, last: np.datetime64, *, time_system: str) -> None:
    """Raise InputError if a time system is unknown or has a leap second between two dates."""
    choice("time system", time_system, TIME_SYSTEMS)
    if time_system != "UTC":
        return
    for day in LEAPS:
        if first < np.datetime64(day) <= last:
            raise InputError(
                f"a leap second precedes {day}, which UTC counts but the seconds of a run do not; use a different "
                "epoch, or a time system without leap seconds: time_system='TAI'"
            )


def dates(epoch: np.datetime64, t: Array) -> Moments:
    """Return the dates of run times t (s) after an epoch."""
    return np.asarray(epoch + np.round(np.asarray(t) * 1e9).astype("timedelta64[ns]"))


def seconds(epoch: np.datetime64, when: Moments) -> Array:
    """Return the times from an epoch to given dates, s."""
    return np.asarray((when - epoch).astype(np.int64) * 1e-9, dtype=np.float64)
