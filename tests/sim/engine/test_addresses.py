"""Functions called by their addresses: rows arrive unchanged, with their lengths."""

from __future__ import annotations

import ctypes
import re

import numpy as np
import pytest

from polhode.sim.codegen.library import has_library
from polhode.sim.codegen.toolchain import c_compiler
from polhode.sim.engine.address_table import table_of
from polhode.sim.engine.addresses import address_of

needs_compiler = pytest.mark.skipif(not has_library() or c_compiler() is None, reason="no C compiler on this machine")


def law(t, y, r, q, z, u):
    u[0] = 1e4 * y.size + 1e3 * r.size + 100.0 * q.size + 10.0 * z.size + u.size
    u[1] = y[y.size - 1] + 2.0 * r[r.size - 1] + 4.0 * q[q.size - 1]
    u[2] = t + z[z.size - 1]
    z[0] = -1.0


def reference(t, q, r):
    for n in range(r.size):
        r[n] = t + q[n % q.size]


def block(t, y, q, z, v):
    v[0] = t + y[y.size - 1]
    v[1] = 100.0 * q.size + 10.0 * z.size + v.size


def called(kind, function, t, *rows):
    """Call compiled code like the engine: every row by its address and length."""
    given = [part for row in rows for part in (ctypes.c_void_p(row.ctypes.data), ctypes.c_int64(row.size))]
    code = ctypes.CFUNCTYPE(None, ctypes.c_double, *[type(each) for each in given])(address_of(kind, function))
    code(t, *given)


def test_law_sees_its_rows_and_writes_into_them():
    y, r, q, z, u = (np.arange(size) + 0.5 for size in (4, 3, 2, 5, 3))
    called("law", law, 0.25, y, r, q, z, u)
    assert u.tolist() == [43_253.0, 3.5 + 2.0 * 2.5 + 4.0 * 1.5, 0.25 + 4.5]
    assert z.tolist() == [-1.0, 1.5, 2.5, 3.5, 4.5]


def test_reference_and_block_do():
    q, r = np.array([1.0, 2.0]), np.zeros(10)
    called("reference", reference, 0.5, q, r)
    assert r.tolist() == [1.5, 2.5] * 5
    y, q, z, v = (np.arange(size) + 0.5 for size in (4, 3, 2, 2))
    called("block", block, 1.0, y, q, z, v)
    assert v.tolist() == [4.5, 322.0]


@needs_compiler
def test_function_without_c_is_named(capsys):
    def nothing(t, y, r, q, z, u):
        u[0] = unknown(t)  # noqa: F821 # pyright: ignore[reportUndefinedVariable]

    assert address_of("law", nothing)
    assert re.search(r"'nothing' is not compiled .*'unknown' is not known", capsys.readouterr().err)


def test_entries_take_a_table_of_what_is_where():
    rows = [np.zeros(3), np.zeros((2, 5))]
    assert table_of([7], rows).tolist() == [7, rows[0].ctypes.data, 3, rows[1].ctypes.data, 2, 5]
