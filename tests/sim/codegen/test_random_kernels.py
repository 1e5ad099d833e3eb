# pyright: basic
"""Random programs in C give the results of CPython, bitwise."""

import importlib.util

import pytest

from polhode.sim.codegen.toolchain import c_compiler

from .against_python import Compiled, difference, rows
from .random_kernels import HEAD, Generator

pytestmark = pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")


def programs(seed, count, folder):
    """Some random blocks in a separate file."""
    texts = [Generator(1000 * seed + n).kernel(f"k{n}") for n in range(count)]
    path = folder / f"random_{seed}.py"
    path.write_text("\n\n\n".join([HEAD, *texts]) + "\n")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [getattr(module, f"k{n}") for n in range(count)]


def check(seed, count, folder):
    kernels = programs(seed, count, folder)
    found = Compiled(kernels)
    assert len(found.refused) < 0.2 * count
    differences = [
        each
        for kernel in kernels
        if kernel.__name__ not in found.refused
        for row in rows(30)
        if (each := difference(found, kernel, row))
    ]
    assert not differences


def test_random_programs_have_the_numbers_of_python(tmp_path):
    check(1, 20, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 7))
def test_more_random_programs_have_the_numbers_of_python(seed, tmp_path):
    check(seed, 40, tmp_path)
