"""Every kernel of the packages translates to C; kernels of plain numbers return the same bits there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from polhode.sim.codegen.c99.kinds import INTEGER, REAL, Scalar
from polhode.sim.codegen.c99.program import Function, Program
from polhode.sim.codegen.toolchain import build, c_compiler

from ....conformance.conftest import all_modules
from .arguments import everything, ours
from .compiled import HEAD, compiled
from .test_language import bits, flattened

needs_compiler = pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")


@pytest.fixture(scope="module")
def program() -> Program:
    all_modules()  # kernels are registered when their modules are imported
    return everything()


def test_every_kernel_is_written(program: Program) -> None:
    """A kernel that does not translate gives the reason, the line and the remedy."""
    assert {kernel for kernel, _ in program.functions} >= set(ours())


@needs_compiler
@pytest.mark.slow
def test_no_compiler_has_anything_to_say(program: Program, tmp_path: Path) -> None:
    source = tmp_path / "all.c"
    source.write_text(HEAD + program.text(), encoding="ascii")
    options = ("-O0", "-pedantic", "-Wall", "-Wno-unused-function", "-c")
    assert not build([source], tmp_path / "all.o", options=options)


@needs_compiler
def test_those_that_take_numbers_give_the_same_bits(tmp_path: Path) -> None:
    all_modules()
    whole = everything()
    chosen = [
        (kernel, kinds)
        for kernel, kinds in whole.functions
        if all(isinstance(kind, Scalar) and kind in (REAL, INTEGER) for kind in kinds)
    ]
    assert len(chosen) > 40
    program = Program("some")
    functions: list[Function] = [program.function(kernel, kinds) for kernel, kinds in chosen]
    rng = np.random.default_rng(7)
    for (kernel, kinds), call in zip(chosen, compiled(program, functions, tmp_path), strict=True):
        tried = 0
        for sign in (1, 1, 1, 1, 1, 1, -1, -1):  # positive first: some loop for ever below zero
            if sign < 0 and tried:
                break
            numbers = [int(rng.integers(0, 3)) if kind == INTEGER else sign * rng.uniform(0.1, 0.9) for kind in kinds]
            try:
                found = kernel(*numbers)
            except (ValueError, ZeroDivisionError):  # where C has no defined result
                continue
            tried += 1
            wanted = flattened(found if isinstance(found, tuple) else (found,))
            assert bits(call(*numbers)[: len(wanted)]) == bits(wanted), (kernel.__module__, kernel.__name__, numbers)
        assert tried, kernel.__name__
