"""Scalars of a law, varied one by one, and the test that kernel parameters vary linearly with them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...controllers import Law
from ...plant import Spacecraft

Array = NDArray[np.float64]

MOST = 256
"""Largest number of law scalars offered as parameters, since nobody sets more of them individually."""

STEPS = (1.0, 0.125, 0.015625, -0.5)
"""Relative variations of a scalar (exact powers of two); the first with a valid result is used."""

STRAIGHT = 1e-11
"""Relative deviation from linearity that is attributed to rounding."""


@dataclass(frozen=True)
class Candidate:
    """A scalar that may be set: `make(craft, law, value)` returns the spacecraft and the law with that value.

    part: for a scalar of an element, returns the element with that value, or raises a PolhodeError if it is invalid.
    """

    name: str
    unit: str
    words: str
    start: float
    make: Callable[[Spacecraft, Law | None, float], tuple[Spacecraft, Law | None]]
    part: Callable[[float], Any] | None = None


def law_candidates(law: Law | None) -> Iterator[Candidate]:
    """Yield the scalars of a law, with the name prefix "law_"; none if the law has more than MOST scalars."""
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
    """Return whether parameters vary linearly with a scalar, given at start, middle and end of a step."""
    with np.errstate(invalid="ignore"):  # infinite steps
        bend = np.abs(far - 2.0 * half + start)
        size = np.abs(start) + np.abs(far)
    same = (start == half) & (half == far)
    return bool((same | (bend <= STRAIGHT * size)).all())
