"""Communication step of a law and its blocks with a host."""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd
from typing import Any

from ....controllers import Law
from ....plant.errors import InputError

FINEST = 200
"""Largest number of communication steps in the shortest period, offset or delay; more are refused."""


def communication_step(law: Law, blocks: Sequence[Any]) -> float:
    """Return the longest step (s) that divides all periods, offsets and delays. Raises InputError."""
    times = [law.sample, law.delay]
    for block in blocks:
        times += [block.clock.period, block.clock.offset, block.clock.delay]
    measures = [Fraction(time).limit_denominator(1_000_000) for time in times if time > 0.0]
    whole = Fraction(0)
    for each in measures:
        both = whole.denominator * each.denominator // gcd(whole.denominator, each.denominator)
        whole = Fraction(gcd(int(whole * both), int(each * both)), both)
    if whole * FINEST < min(measures):
        raise InputError(
            f"samples and delays ({', '.join(f'{time:g}' for time in times if time > 0.0)} s) have no common divisor "
            f"of at least a {FINEST}th of the shortest, and no communication step is possible: export one FMU"
        )
    return float(whole)
