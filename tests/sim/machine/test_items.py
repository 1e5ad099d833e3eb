"""Numbers of arrays, read and written by the shorter way, are those that numba reads and writes."""

import ctypes

import numba
import numpy as np
from numba.extending import register_jitable
from numba.np import arrayobj

from polhode.plant.kernels.kernel import complex_table_in
from polhode.sim.machine import compiler, deferred
from polhode.sim.machine.addresses import ENTRY
from polhode.sim.machine.entry import row_at, table_at

OPTIONS = {"error_model": "numpy", "_nrt": False}


def functions():
    """New ones each time: numba remembers what it has compiled."""

    @register_jitable(**OPTIONS)
    def shuffle(n, a, b, c):
        rows, columns = b.shape
        for i in range(rows):
            for j in range(columns):
                b[i, j] = b[i, j] * a[j] + a[a.size - 1 - i]
        row = b[n]
        row[0] = row[1] + b[rows - 1][columns - 1]
        c[n, 1] = c[0, n] * (1.0 + 2.0j) + a[np.uint64(2)]
        c[1, 0] += b[1, 2]
        return len(a) + b.size + c.shape[1]

    def outer(t):
        return shuffle(t[0], row_at(t, 1), table_at(t, 3), complex_table_in(row_at(t, 6), 0, 2, 2))

    return shuffle, outer


def filled():
    rng = np.random.default_rng(3)
    return rng.normal(size=4), rng.normal(size=(3, 4)), rng.normal(size=8)


def called(compiled):
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(compiled.address)


def run(function):
    arrays = filled()
    return function(compiler.table_of([1], arrays).ctypes.data), *arrays


def test_the_same_numbers_in_the_same_places():
    before = arrayobj.make_array, arrayobj.basic_indexing
    with deferred.deferred(lambda *_: False):
        assert arrayobj.make_array is not before[0]
        short = numba.cfunc(ENTRY, **OPTIONS)(functions()[1])
    assert (arrayobj.make_array, arrayobj.basic_indexing) == before
    plain, outer = functions()
    theirs = numba.cfunc(ENTRY, **OPTIONS)(outer)
    a, b, c = filled()
    expected = plain(1, a, b, c.view(complex).reshape(2, 2)), a, b, c
    for mine, other, by_hand in zip(run(called(short)), run(called(theirs)), expected, strict=True):
        assert np.array_equal(mine, other)
        assert np.allclose(mine, by_hand, rtol=1e-14, atol=1e-15)
