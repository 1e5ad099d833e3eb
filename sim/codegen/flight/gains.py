"""Gains of a law that flight code accepts at run time: name, unit, bound, and affected parameters."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....controllers import Block, Law
from ....plant import PolhodeError, Spacecraft
from ..c99.names import free_name
from ..law_scalars import STEPS, Candidate, is_straight, law_candidates
from .sampled import Sampled, sampled_law

Array = NDArray[np.float64]

EXACT_FACTORS = (1.0, -1.0, 2.0, -2.0, 0.5, -0.5)
"""Factors that scale a number without rounding."""


class Entry(NamedTuple):
    """A kernel parameter that depends on a gain: at_start + factor * (gain - start), or factor * gain.

    `at_start` is None if the parameter is a multiple of the gain; the parameter is then bitwise exact.
    """

    place: int
    factor: float
    at_start: float | None = None


class Gain(NamedTuple):
    """A gain that may be set at run time.

    low: lower bound, which is exclusive if `open`; None if there is no bound.
    """

    name: str
    unit: str
    meaning: str
    start: float
    low: float | None
    open: bool
    entries: tuple[Entry, ...]


def law_gains(craft: Spacecraft, law: Law, blocks: Sequence[Block]) -> tuple[Gain, ...]:
    """Return the gains of a law, under C names, in the order of `law.scalars()`.

    A scalar is omitted if the kernel parameters are not affine in it, if it also changes the initial memory of the law,
    or if one of these parameters already depends on an earlier gain.
    """
    start = sampled_law(craft, law, blocks)
    gains: list[Gain] = []
    taken: set[int] = set()
    names: set[str] = set()
    for candidate in law_candidates(law):
        entries = _entries(craft, law, blocks, start, candidate)
        places = {entry.place for entry in entries}
        if not entries or places & taken:
            continue
        taken |= places
        name = free_name(candidate.name.removeprefix("law_"))
        while name.lower() in names:
            name += "_"
        names.add(name.lower())
        low, is_open = _lowest(craft, law, blocks, start, candidate)
        meaning = candidate.words.removesuffix(" of the law")
        gains.append(Gain(name, candidate.unit, meaning, candidate.start, low, is_open, entries))
    return tuple(gains)


def _entries(
    craft: Spacecraft, law: Law, blocks: Sequence[Block], start: Sampled, candidate: Candidate
) -> tuple[Entry, ...]:
    """Return the parameters that depend on a scalar; empty if a parameter is not affine in it."""
    scale = abs(candidate.start) or 0.0625
    made = ((_with(craft, law, blocks, candidate, candidate.start + scale * step), scale * step) for step in STEPS)
    far, by = next(((each, by) for each, by in made if each is not None), (None, 0.0))
    half = None if far is None else _with(craft, law, blocks, candidate, candidate.start + 0.5 * by)
    if far is None or half is None or not _alike(start, half) or not _alike(start, far):
        return ()
    a, b, c = start.parameters, half.parameters, far.parameters
    if not is_straight(a, b, c):
        return ()
    entries: list[Entry] = []
    for place in np.flatnonzero(a != c).tolist():
        values = ((candidate.start, a[place]), (candidate.start + 0.5 * by, b[place]), (candidate.start + by, c[place]))
        exact = next((f for f in EXACT_FACTORS if all(f * value == of for value, of in values)), None)
        if exact is not None:
            entries.append(Entry(place, exact))
        else:
            entries.append(Entry(place, float((c[place] - a[place]) / by), float(a[place])))
    return tuple(entries)


def _alike(one: Sampled, other: Sampled) -> bool:
    """Return whether two laws differ only in the values of their parameters."""
    return (
        one.parameters.size == other.parameters.size
        and np.array_equal(one.memory, other.memory)
        and (one.sample, one.delay) == (other.sample, other.delay)
    )


def _with(craft: Spacecraft, law: Law, blocks: Sequence[Block], candidate: Candidate, value: float) -> Sampled | None:
    """Return the law with a changed scalar; None if the value is invalid."""
    try:
        _, other = candidate.make(craft, law, value)
        return None if other is None else sampled_law(craft, other, blocks)
    except PolhodeError:
        return None


def _lowest(
    craft: Spacecraft, law: Law, blocks: Sequence[Block], start: Sampled, candidate: Candidate
) -> tuple[float | None, bool]:
    """Return the lower bound (zero if negative values are invalid), and whether zero is invalid too."""
    if candidate.start < 0.0 or _with(craft, law, blocks, candidate, -(candidate.start or 0.0625)) is not None:
        return None, False
    none = _with(craft, law, blocks, candidate, 0.0)
    return 0.0, none is None or not _alike(start, none)
