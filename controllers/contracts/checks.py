"""Checks of arguments, shared by laws, blocks and references."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.checks import non_negative, positive
from ...plant.errors import InputError

Array = NDArray[np.float64]

SHORTEST, LONGEST = 1e-9, 1e9  # s


def check_timing(sample: float, delay: float, *, name: str = "sample") -> tuple[float, float]:
    """Check and return sampling period and delay as floats.

    sample: sampling period, s; from 1e-9 to 1e9.
    delay: computational delay, s; zero or more, possibly longer than the sampling period.
    name: name of the period in messages.
    -> `(sample, delay)`.
    Raises InputError when a value is not a finite number in its range, or the delay exceeds 1000 sampling periods.

    Examples
    --------
    >>> check_timing(0.1, 0)
    (0.1, 0.0)
    """
    period = positive(name, sample, "s")
    if not SHORTEST <= period <= LONGEST:
        raise InputError(f"{name} {period:g} s is outside {SHORTEST:g} to {LONGEST:g} s; check the unit, which is s")
    lag = non_negative("delay", delay, "s")
    if lag > 1000.0 * period:
        raise InputError(
            f"delay {lag:g} s is more than 1000 periods of {period:g} s; check the unit of both, which is s"
        )
    return period, lag


def read_only(array: ArrayLike) -> Array:
    """Return a read-only float copy of an array, so that it cannot be changed during a run."""
    copy = np.array(array, dtype=np.float64)
    copy.flags.writeable = False
    return copy


def packed(name: str, values: ArrayLike) -> Array:
    """Return a user's parameters as a read-only flat float64 array.

    name: name of the parameters in messages; values: finite numbers in an array of any shape -> (n,), the values row by
    row. Raises InputError when a value is not a finite number.
    """
    try:
        flat = np.asarray(values, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        raise InputError(f"{name} must be numbers; got {values!r}") from None
    if not np.isfinite(flat).all():
        raise InputError(f"{name} must be finite; got {flat.tolist()}")
    return read_only(flat)
