"""Common tick of all periods and offsets of a run, so that events at the same time coincide exactly."""

from collections.abc import Mapping
from fractions import Fraction
from math import gcd

from ...plant.errors import InputError

SHORTEST = Fraction(1, 10**9)  # s: a finer tick indicates mistaken periods or offsets
ROUNDED = 1e-15  # largest relative difference between a period and the fraction that represents it


def common_tick(times: Mapping[str, float]) -> Fraction:
    """Return the longest tick of which all times are multiples, s.

    times: periods and offsets, s, by the names used in messages; zeros are ignored.
    Raises InputError when there is no common tick of a nanosecond or longer.

    Examples
    --------
    >>> common_tick({"law": 0.1, "filter": 0.03})
    Fraction(1, 100)
    """
    tick: Fraction | None = None
    for name, time in times.items():
        if time == 0.0:
            continue
        exact = Fraction(time).limit_denominator(10**9)
        found = exact if tick is None else _common(tick, exact)
        if abs(float(exact) - time) > ROUNDED * time or found < SHORTEST:
            others = ", ".join(f"{other} {value:.17g} s" for other, value in times.items() if other != name and value)
            raise InputError(
                f"{name} {time:.17g} s has no tick of 1e-9 s or longer in common with the others ({others}); periods "
                "and offsets of law and blocks must be multiples of a common tick"
            )
        tick = found
    assert tick is not None  # noqa: S101 # the law's period is not zero
    return tick


def _common(a: Fraction, b: Fraction) -> Fraction:
    return Fraction(gcd(a.numerator * b.denominator, b.numerator * a.denominator), a.denominator * b.denominator)
