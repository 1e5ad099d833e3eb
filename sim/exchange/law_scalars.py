"""Numbers of a law that are varied one by one, and the test whether what goes with them follows a straight line."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...controllers import Law
from ...plant import Spacecraft

__all__ = ["STEPS", "STRAIGHT", "Candidate", "is_straight", "law_candidates"]

Array = NDArray[np.float64]

MOST = 256
"""Numbers of a law beyond which none is offered: nobody sets them one by one."""

STEPS = (1.0, 0.125, 0.015625, -0.5)
"""By which share of itself a number is varied: the first that makes a craft; powers of two, which round nothing."""

STRAIGHT = 1e-11
"""Deviation from a straight line, relative to the numbers on it, that is rounding."""


@dataclass(frozen=True)
class Candidate:
    """A number that may be set: `make(craft, law, value)` returns both with another value there."""

    name: str
    unit: str
    words: str
    start: float
    make: Callable[[Spacecraft, Law | None, float], tuple[Spacecraft, Law | None]]


def law_candidates(law: Law | None) -> Iterator[Candidate]:
    """Yield the numbers of a law, their names behind "law_"; none of a law that has more than MOST."""
    scalars: Mapping[str, tuple[float, Callable[[float], Law]]]
    scalars = {} if law is None else getattr(law, "scalars", dict[str, Any])()
    if len(scalars) > MOST:
        return
    units: Mapping[str, str] = getattr(law, "scalar_units", dict[str, str])()
    for name, (start, with_it) in scalars.items():

        def make(
            craft: Spacecraft, law: Law | None, value: float, with_it: Callable[[float], Law] = with_it
        ) -> tuple[Spacecraft, Law | None]:
            return craft, with_it(value)

        yield Candidate(f"law_{name}", units.get(name, ""), f"{name.replace('_', ' ')} of the law", start, make)


def is_straight(start: Array, half: Array, far: Array) -> bool:
    """Return whether numbers at the start, half way and at the end of a step of one of them are on straight lines."""
    with np.errstate(invalid="ignore"):  # a step without end
        bend = np.abs(far - 2.0 * half + start)
        size = np.abs(start) + np.abs(far)
    same = (start == half) & (half == far)
    return bool((same | (bend <= STRAIGHT * size)).all())
