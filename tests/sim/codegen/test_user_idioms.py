# pyright: basic
"""Idioms of Python and numpy in user blocks give the results of plain Python, bitwise, or are not compiled for a
reason.
"""

import numpy as np
import pytest

from polhode.sim.codegen.toolchain import c_compiler

from . import user_idioms, user_semantics
from .against_python import Compiled, difference, in_python, rows

pytestmark = pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")

PLAIN = {
    "b02": "'try'",
    "b62": "a loop must be over",
    "b63": "'generatorexp'",
    "b65": "'global'",
    "b66": "'NAMES'",
    "b67": "writes to 'STATE', a constant",
    "b68": "'set'",
    "b69": "'joinedstr'",
    "b09": "a tuple or list cannot be changed",
    "b73": "np.eye does not exist in C",
    "b74": "np.outer does not exist in C",
    "b75": "np.concatenate does not exist in C",
    "b77": "np.argmax does not exist in C",
    "b83": "'namedexpr'",
    "b84": "'with'",
    "b89": "'delete'",
    "b91": "two values of a conditional expression",
    "b95": "isinstance does not exist in C",
    "b96": "np.linalg.solve does not exist in C",
    "b99": "np.roll does not exist in C",
    "c04": "@ multiplies two rows",
    "c05": "an index must be an integer",
    "c06": "np.sum accepts real numbers",
    "c08": "np.inner does not exist in C",
    "k26": "'lambda'",
    "k27": "'len' is used before",
    "k41": "an index must be an integer",
    "k42": "needs more than 64 bits; write it as a float",
}
"""Blocks that run as plain Python, with words of the reason."""

BY_BLAS = {"b10", "b11", "b27", "b42"}
"""Whose sums BLAS adds in an order of its own: three products of up to 1e4, each rounded, and they may cancel."""


def kernels_of(module):
    found = [getattr(module, name) for name in dir(module) if name[0] in "bck" and name[1:].isdigit()]
    for name in dir(module):
        if name[0] in "bck" and name[1:].isdigit():
            getattr(module, name).__name__ = name
    return found


KERNELS = [*kernels_of(user_idioms), *kernels_of(user_semantics)]


@pytest.fixture(scope="module")
def compiled():
    return Compiled(KERNELS)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda each: each.__name__)
def test_idiom_has_the_numbers_of_python(kernel, compiled):
    name = kernel.__name__
    if name in PLAIN:
        assert PLAIN[name] in compiled.refused[name]
        return
    assert name not in compiled.refused
    for row in rows(30):
        if name in BY_BLAS:
            np.testing.assert_allclose(compiled.call(name, row)[0], in_python(kernel, row)[0], rtol=1e-15, atol=1e-11)
        else:
            assert not difference(compiled, kernel, row)
