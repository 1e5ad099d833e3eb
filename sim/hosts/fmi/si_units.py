"""Comparison of units, given as strings ("N m", "rad/s^2") or defined in an FMU description."""

import re
from typing import NamedTuple

BASES = ("kg", "m", "s", "A", "K", "mol", "cd")
"""SI base units; angles are dimensionless here, since tools differ in whether rad is a base unit."""

_NAMED = {
    **{name: {name: 1} for name in BASES},
    "1": {},
    "rad": {},
    "N": {"kg": 1, "m": 1, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2},
    "W": {"kg": 1, "m": 2, "s": -3},
    "Nm": {"kg": 1, "m": 2, "s": -2},
    "Hz": {"s": -1},
    "T": {"kg": 1, "s": -2, "A": -1},
    "V": {"kg": 1, "m": 2, "s": -3, "A": -1},
}


class SIUnit(NamedTuple):
    """A unit: exponents of the base units, and conversion factor to them."""

    exponents: tuple[int, ...]
    factor: float = 1.0


def si_unit(words: str) -> SIUnit | None:
    """Return the unit written as a string such as "N m s", "N.m", "rad/s2" or "kg*m^2"; None if unknown.

    Examples
    --------
    >>> si_unit("N m") == si_unit("kg.m2/s2") == si_unit("J")
    True
    >>> si_unit("deg/s") is None
    True
    """
    total: dict[str, int] = dict.fromkeys(BASES, 0)
    sign = 1
    for token in re.findall(r"[/()]|[^\s.*·/()]+", words.strip()):
        if token == "/":
            sign = -1
            continue
        if token in "()":
            continue
        found = re.fullmatch(r"([A-Za-z]+|1)\^?\(?(-?\d+)?\)?", token)
        if found is None or found[1] not in _NAMED:
            return None
        for base, power in _NAMED[found[1]].items():
            total[base] += sign * power * int(found[2] or 1)
    return SIUnit(tuple(total.values()))
