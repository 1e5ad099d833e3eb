"""Operators of Python keep their meaning in C, bitwise."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polhode.sim.codegen.c99.kinds import INTEGER, REAL
from polhode.sim.codegen.c99.program import Program
from polhode.sim.codegen.toolchain import c_compiler

from . import language
from .arguments import ROW
from .compiled import compiled

NAN = math.nan

CASES: list[tuple[Any, tuple[Any, ...], list[tuple[Any, ...]]]] = [
    (
        language.signs,
        (REAL, REAL, INTEGER, INTEGER),
        [(7.5, 2.0, 7, 2), (-7.5, 2.0, -7, 2), (7.5, -2.0, 7, -2), (-0.0, 3.0, -6, 3), (1e17, 3.0, 6, -3)],
    ),
    (language.extremes, (REAL, REAL), [(1.0, 2.0), (NAN, 1.0), (1.0, NAN), (-0.0, 0.0)]),
    (language.chain, (REAL, REAL, REAL), [(1.0, 2.0, 2.0), (3.0, 3.0, 4.0), (0.0, 5.0, 4.0)]),
    (language.swap, (ROW,), [([1.0, 2.0, 3.0],)]),
    (language.order, (ROW,), [([1.0, 2.0, 3.0],), ([-1.5, 0.25, 8.0],)]),
    (language.loops, (ROW,), [([0.1, 0.2, 0.3],)]),
    (language.widening, (ROW,), [([0.1, 0.2],), ([-0.1, -0.2],)]),
    (language.parts, (ROW,), [([1.0, 2.0, 3.0, 4.0, 5.0, 6.0],)]),
    (language.powers, (REAL, REAL), [(1.1, 2.0), (-0.7, 3.3)]),
    (language.numbers, (REAL,), [(1.7,), (0.3,)]),
    (language.products, (INTEGER, INTEGER), [(0xFFFFFFFF, 0xFFFFFFFE), (12345, 987654321)]),
    (language.nested, (ROW,), [([1.0, 2.0, 3.0],)]),
    (language.unread, (REAL,), [(0.5,), (2.0,)]),
    (
        language.complex_arithmetic,
        (REAL,) * 4,
        [(1.1, -2.3, 0.7, 1.9), (0.1, 1e-40, -3.3, 0.2), (-1e20, 1.0, 2.0, 5.0)],
    ),
    (language.complex_widening, (REAL, REAL), [(0.3, 1.7), (0.3, -1.7)]),
]


def flattened(found: Any) -> list[float]:
    return [number for each in found for number in flattened(each)] if isinstance(found, tuple) else [float(found)]


def bits(numbers: list[float]) -> bytes:
    return np.array([math.nan if math.isnan(each) else each for each in numbers]).tobytes()


@pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")
@pytest.mark.filterwarnings("ignore:overflow")
def test_generated_c_has_the_meaning_of_the_source(tmp_path: Path) -> None:
    program = Program("try")
    functions = [program.function(kernel, kinds) for kernel, kinds, _ in CASES]
    calls = compiled(program, functions, tmp_path, "-O0", "-pedantic", "-Wall", "-Werror")
    for (kernel, _, samples), call in zip(CASES, calls, strict=True):
        for sample in samples:
            mine = [np.array(each) if isinstance(each, list) else each for each in sample]
            theirs = [each.copy() if isinstance(each, np.ndarray) else each for each in mine]
            wanted, found = flattened(kernel(*mine)), call(*theirs)
            assert bits(found[: len(wanted)]) == bits(wanted), (kernel.__name__, sample, found[: len(wanted)], wanted)
            for a, b in zip(mine, theirs, strict=True):
                assert not isinstance(a, np.ndarray) or np.array_equal(a, b), (kernel.__name__, sample)
