"""Vectors in C compute in every lane the result of Python for one number."""

from __future__ import annotations

import math

import numpy as np
import pytest

from polhode.plant.kernels.lanes import agreed, select
from polhode.sim.codegen.c99.kinds import REAL, Array
from polhode.sim.codegen.c99.refusal import NotTranslatedError
from polhode.sim.codegen.library_variants import VARIANTS, machine, runs_here
from polhode.sim.codegen.toolchain import c_compiler

from .vectors import LANES, in_vectors, one_by_one

pytestmark = pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")

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


def of_two(a, b):
    return math.atan2(a, b), math.atan2(1.0, b), math.floor(1e3 * b) * 1.0


def branch_of_most(y, z):
    if agreed(y[0] > 0.0, z, 1):
        z[0] = 1.0
    else:
        z[0] = 2.0


def loops(a, b):
    total = 0.0
    for n in range(4):
        total = total + n * a
        if n == 2:
            total = max(total, b)
    return total


def powers(a, b):
    return a**2, a**3, b**-2, a**0


def widened(a, b):
    first, second = 0.0, 1.0
    for _ in range(2):
        first, second = second + a, first
    return first, second


FUNCTIONS = [arithmetic, extremes, comparisons, functions, loops, powers, widened]


@pytest.mark.thinned(5)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("variant", list(VARIANTS.get(machine(), {"baseline": ()})))
def test_every_lane_has_the_number_of_python(function, variant) -> None:
    if not runs_here(variant):
        pytest.skip("not for this processor")
    a, b = (A, B) if function is not functions else (np.nan_to_num(A, posinf=3.0), np.linspace(-3.0, 3.0, LANES))
    with np.errstate(all="ignore"):
        wanted, _ = one_by_one(lambda a, b: function(np.float64(a), np.float64(b)), [a, b])
    found, _ = in_vectors(function, (REAL, REAL), [a, b], variant=variant)
    # NaN results are compared as NaN only: processors give them one sign or the other
    assert np.where(np.isnan(found), np.nan, found).tobytes() == np.where(np.isnan(wanted), np.nan, wanted).tobytes()


def branches(a, b):
    if a < b:
        return a
    return b


def chooses(a, b):
    return a + 1.0 if a < b else b


def joins(a, b):
    return select(a < b and a < 1.0, a, b)


def chains(a, b):
    return select(a < b < 1.0, a, b)


def truncates(a, b):
    return a + int(b)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (branches, "may have different truth values here; use select"),
        (chooses, "may have different truth values here; use select"),
        (joins, "may have different truth values here; use select"),
        (chains, "join two comparisons by &"),
        (truncates, "int"),
    ],
)
def test_comparison_of_vectors_is_refused_as_condition(function, words) -> None:
    """The condition would be that of one lane, applied to all."""
    with pytest.raises(NotTranslatedError, match=words):
        in_vectors(function, (REAL, REAL), [A, B])


def test_functions_of_two_numbers_equal_those_of_the_c_library() -> None:
    """Of finite numbers, whose arc tangent is the same in Python, which calls the C library as well."""
    given = [np.where(np.isfinite(A), A, 0.5), np.where(np.isfinite(B), B, -0.25)]
    wanted, _ = one_by_one(of_two, given)
    found, _ = in_vectors(of_two, (REAL, REAL), given)
    assert found.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("others", [0, 1, 3, 8])
def test_branch_of_most_runs_marks_the_others_as_not_finite(others) -> None:
    """The first lanes of each vector differ; in a scalar version no lane is marked."""
    sign = np.where(np.arange(LANES) < others, -1.0, 1.0)[:, None]
    row = np.array([[5.0, 7.0]] * LANES)
    _, (_, alone) = one_by_one(branch_of_most, [sign, row])
    assert alone.tolist() == [[1.0 if each > 0.0 else 2.0, 7.0] for each in sign[:, 0]]
    _, (_, found) = in_vectors(branch_of_most, (Array(REAL, 1), Array(REAL, 1)), [sign, row])
    if others in (0, 8):  # all agree
        np.testing.assert_array_equal(found, alone)
        return
    kept = found[np.isfinite(found[:, 1])]
    assert (kept == alone[np.isfinite(found[:, 1])]).all()
    if others == 1:  # fewer than half of any vector of four or more
        assert np.isnan(found[:, 1]).tolist() == (sign[:, 0] < 0.0).tolist()
