# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Complex numbers in C: functions against those of cmath, and code that needs no compiler support."""

from __future__ import annotations

import cmath
from pathlib import Path

import numpy as np
import pytest

from polhode.sim.codegen.c99.kinds import REAL
from polhode.sim.codegen.c99.program import Program
from polhode.sim.codegen.toolchain import build, c_compiler

from .compiled import HEAD, compiled

needs_compiler = pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")

NAMES = ("sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh")
PLACES = [
    *((1.7, 0.4), (-1.7, 0.4), (-1.7, -0.4), (0.3, -2.9), (1.0, 1e-9), (0.9, 0.2), (0.0, 2.0), (3.1, 1e-40)),
    *((-2.0, 1e-40), (1e-310, 1e-310), (1e160, 1e-160)),
]


def functions(a, b):
    """Every function that accepts complex numbers."""
    z = complex(a, b)
    s, e, n, si, co = np.sqrt(z), np.exp(z), np.log(z), np.sin(z), np.cos(z)
    ta, sh, ch, th = np.tan(z), np.sinh(z), np.cosh(z), np.tanh(z)
    first = s.real, s.imag, e.real, e.imag, n.real, n.imag, si.real, si.imag, co.real, co.imag
    return first, (ta.real, ta.imag, sh.real, sh.imag, ch.real, ch.imag, th.real, th.imag)


@needs_compiler
def test_complex_functions_match_cmath(tmp_path: Path) -> None:
    program = Program("complexes")
    (call,) = compiled(program, [program.function(functions, [REAL, REAL])], tmp_path, "-O1", "-Wall", "-Werror")
    compared = 0
    for a, b in PLACES:
        found = np.array(call(a, b)[: 2 * len(NAMES)]).reshape(-1, 2)
        for name, mine in zip(NAMES, found, strict=True):
            try:
                wanted = getattr(cmath, name)(complex(a, b))
            except OverflowError:
                continue
            compared += 1
            np.testing.assert_allclose(mine, (wanted.real, wanted.imag), rtol=4e-16, atol=0.0, err_msg=f"{name} {a, b}")
    assert compared > 90


@needs_compiler
@pytest.mark.parametrize("single", [False, True])
def test_complex_text_includes_math_alone(tmp_path: Path, single: bool) -> None:
    program = Program("complexes", single=single)
    program.function(functions, [REAL, REAL])
    source = tmp_path / "complexes.c"
    source.write_text("#include <math.h>\n" + program.text(), encoding="ascii")
    assert "_Complex" not in program.text()
    assert "complex.h" not in HEAD
    options = ("-O1", "-pedantic", "-Wall", "-Wextra", "-Wdouble-promotion", "-Wno-unused-function", "-Werror", "-c")
    assert not build([source], tmp_path / "complexes.o", options=options)
