"""Arrays of a bundle in one piece of memory."""

import numpy as np
import pytest

from polhode.sim.engine.bundle import Counts, CountTable, Row, Rows, Table
from polhode.sim.engine.slab import slab_of
from polhode.sim.machine.compiler import table_of

NUMBERS = {
    "p": np.arange(4.0), "w": (3,), "rq": (0,), "r": (10,), "t": np.array([0.5, 1.0]), "since": (2,),
    "x": np.arange(14.0).reshape(2, 7), "u": (2, 3), "dx": (7,), "out": (2, 0),
}  # fmt: skip


def test_each_array_holds_what_was_given_or_zeros():
    slab = slab_of(Rows, NUMBERS)
    for name, given in NUMBERS.items():
        array = getattr(slab.arrays, name)
        np.testing.assert_array_equal(array, np.zeros(given) if isinstance(given, tuple) else given)
        assert array.flags.c_contiguous
        assert array.flags.writeable


def test_what_was_given_is_copied_and_arrays_do_not_meet():
    given = dict(NUMBERS, p=np.arange(4.0))
    slab = slab_of(Rows, given)
    for n, array in enumerate(slab.arrays, 1):
        array[...] = n
    for n, array in enumerate(slab.arrays, 1):
        assert (array == n).all()
    np.testing.assert_array_equal(given["p"], np.arange(4.0))


def test_its_table_is_that_of_arrays_anywhere():
    slab = slab_of(Rows, NUMBERS)
    made, wanted = slab.table((7, 8)).tolist(), table_of((7, 8), slab.arrays).tolist()
    place = 2
    for array in slab.arrays:
        if array.size:  # of what is empty no address is read
            assert made[place] == wanted[place]
        assert made[place + 1 : place + 1 + array.ndim] == list(array.shape)
        place += 1 + array.ndim
    assert made[:2] == [7, 8]
    assert len(made) == len(wanted) == place


def test_whole_numbers_stand_among_others():
    from typing import NamedTuple

    class Mixed(NamedTuple):
        a: Row
        b: Counts
        c: Table
        d: CountTable

    slab = slab_of(Mixed, {"a": (2,), "b": np.array([3, -4]), "c": np.eye(2), "d": np.array([[5, 6]])})
    assert [array.dtype for array in slab.arrays] == [np.float64, np.int64, np.float64, np.int64]
    assert slab.arrays.b.tolist() == [3, -4]
    assert slab.arrays.d.tolist() == [[5, 6]]
    np.testing.assert_array_equal(slab.arrays.c, np.eye(2))


def test_an_array_of_other_dimensions_is_refused():
    with pytest.raises(TypeError, match="2 dimensions"):
        slab_of(Rows, dict(NUMBERS, x=np.zeros(14)))
