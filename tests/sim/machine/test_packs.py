"""Numbers of several runs at once do in every lane what one number does."""

from __future__ import annotations

import math

import numpy as np
import pytest

from polhode.plant.kernels.lanes import select
from polhode.sim.codegen.c99.kinds import REAL
from polhode.sim.machine import packs

from .packed import LANES, in_packs, one_by_one

A = np.array([1.5, -2.0, math.nan, 0.0, -0.0, math.inf, 3.0, 1e-300])
B = np.array([2.5, -2.0, 1.0, -0.0, 0.0, math.nan, -math.inf, 7.0])


def arithmetic(a, b):
    c = a
    c += b
    c -= 2
    c *= b
    c /= 3.0
    return a + b, a - b, a * b, a / b, -a, +a, abs(a), 1 / (1 + b), c, a.real


def extremes(a, b):
    return min(a, b), max(a, b), min(b, a), max(b, a), min(a, b, 1.0), max(1.0, a, b)


def comparisons(a, b):
    return (
        select(a < b, a, b),
        select(a <= b, a, b),
        select(a > b, 1.0, b),
        select(a >= b, a, 2),
        select(a == b, 1.0, 0.0),
        select(a != b, 1.0, 0.0),
        select((a < b) & (b < 2.0), 1.0, 0.0),
        select((a < b) | (b < 2.0), 1.0, 0.0),
    )


def functions(a, b):
    square = a * a
    return math.sqrt(square), np.sqrt(square), math.sin(b), math.cos(b), np.sin(b), np.cos(b)


def loops(a, b):
    total = 0.0
    for n in range(4):
        total = total + n * a
        if n == 2:
            total = max(total, b)
    return total


@pytest.mark.parametrize("function", [arithmetic, extremes, comparisons, functions, loops], ids=lambda f: f.__name__)
def test_each_lane_is_the_number(function) -> None:
    a, b = (A, B) if function is not functions else (np.nan_to_num(A, posinf=3.0), np.linspace(-3.0, 3.0, LANES))
    with np.errstate(all="ignore"):
        wanted, _ = one_by_one(lambda a, b: function(np.float64(a), np.float64(b)), [a, b])
    found, _ = in_packs(packed(function), (REAL, REAL), [a, b], wanted.shape[1])
    # of what is not a number only that it is none: processors give it one sign or the other
    assert np.where(np.isnan(found), np.nan, found).tobytes() == np.where(np.isnan(wanted), np.nan, wanted).tobytes()


def test_a_mask_is_no_condition() -> None:
    """It would be the question of one lane, answered for all."""
    from numba.core.errors import TypingError

    def branches(a, b):
        if a < b:
            return a
        return b

    with pytest.raises(TypingError, match="mask"):
        in_packs(packed(branches), (REAL, REAL), [A, B], 1)


def packed(function):
    """A function known to the compiler."""
    from numba.extending import register_jitable

    from polhode.sim.machine.compiler import OPTIONS

    return register_jitable(**OPTIONS)(function)


def test_the_engine_counts_lanes_alike() -> None:
    """One number is read without the compiler."""
    from polhode.sim.engine import packs as flown

    assert flown.LANES == packs.LANES
