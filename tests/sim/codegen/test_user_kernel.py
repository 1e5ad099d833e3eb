# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""User kernels in C give the results of plain Python bitwise, and stop with the same message."""

import ctypes
import re

import numpy as np
import pytest

from polhode.sim.codegen import user_kernel
from polhode.sim.codegen.kernel_store import load_library
from polhode.sim.codegen.python_kernel import python_address
from polhode.sim.codegen.raised import collect_raised
from polhode.sim.codegen.toolchain import c_compiler
from polhode.sim.codegen.user_text import kernel_lines, user_program, whole_text

from . import user_kernels

pytestmark = pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")

ROW = (ctypes.c_void_p, ctypes.c_int64)
Block = ctypes.CFUNCTYPE(None, ctypes.c_double, *(4 * ROW))


@pytest.fixture(scope="module")
def library():
    """Every kernel in one library."""
    program = user_program()
    entries = {each.__name__: ("block", kernel_lines(program, "block", each)) for each in user_kernels.GOOD}
    text = whole_text(program, entries)
    loaded = load_library(text.text)
    report = user_kernel._Report(user_kernel._reporter(text.stops))
    loaded.polhode_listen(report)
    return loaded, report


def answer(call, row):
    """What a block writes and stores, and the exception that it raises."""
    y, q, z, v = np.array(row), np.array([1.0, 2.5]), np.array([0.1, 0.2, 0.3]), np.zeros(2)
    with collect_raised() as told:
        call(0.5, *(part for each in (y, q, z, v) for part in (each.ctypes.data, each.size)))
    return v, z, told[0] if told else ""


def plain(kernel, row):
    y, q, z, v = np.array(row), np.array([1.0, 2.5]), np.array([0.1, 0.2, 0.3]), np.zeros(2)
    v[:] = np.nan
    try:
        with np.errstate(all="ignore"):
            kernel(0.5, y, q, z, v)
    except Exception as error:  # noqa: BLE001 # any
        v[0] = np.nan
        return v, z, f"{type(error).__name__}{': ' if str(error) else ''}{error}"
    return v, z, ""


UNLIKE = {"without_answer", "arrays_that_do_not_fit", "divides", "rests"}
"""Where versions of Python have other words for the same error."""


@pytest.mark.parametrize("kernel", user_kernels.GOOD, ids=lambda each: each.__name__)
def test_user_kernel_in_c_gives_the_numbers_and_words_of_python(kernel, library):
    call = Block((kernel.__name__, library[0]))
    for row in user_kernels.ROWS:
        (found, kept, words), (wanted, remembered, said) = answer(call, row), plain(kernel, row)
        if kernel.__name__ in UNLIKE:
            words, said = (each.partition(":")[0] for each in (words, said))
        assert words == re.sub(r"np\.\w+\(([^()]*)\)", r"\1", said), row
        if not words:
            if kernel is user_kernels.norms:  # whose sums BLAS forms in a different order
                np.testing.assert_allclose(found, wanted, rtol=1e-15)
                continue
            assert found.tobytes() == wanted.tobytes(), (row, found, wanted)
            assert kept.tobytes() == remembered.tobytes(), row
        else:
            assert np.isnan(found[0])


@pytest.mark.parametrize("kernel", user_kernels.GOOD[:4], ids=lambda each: each.__name__)
def test_user_kernel_without_compiler_runs_as_python(kernel):
    code = Block(python_address("block", kernel))
    for row in user_kernels.ROWS:
        (found, kept, words), (wanted, remembered, said) = answer(code, row), plain(kernel, row)
        assert words == said
        if words:
            assert np.isnan(found).all()
        else:
            assert (found.tobytes(), kept.tobytes()) == (wanted.tobytes(), remembered.tobytes())
