"""Arrays of a bundle in one piece of memory."""

import pickle
from typing import NamedTuple

import numpy as np
import pytest

from polhode.sim.engine.address_table import table_of
from polhode.sim.engine.bundle import Bundle, Counts, CountTable, Row, Rows, Table
from polhode.sim.engine.slab import pattern_of

NUMBERS = {
    "p": np.arange(4.0), "w": (3,), "rq": (0,), "r": (10,), "t": np.array([0.5, 1.0]), "since": (2,),
    "x": np.arange(14.0).reshape(2, 7), "u": (2, 3), "dx": (7,), "out": (2, 0),
}  # fmt: skip


class Mixed(NamedTuple):
    a: Row
    b: Counts
    c: Table
    d: CountTable


def slab_of(bundle, contents):
    return pattern_of(bundle, contents, functions=2).slab(())


def entries(slab):
    address = slab.table((7, 8))
    return slab._whole[: slab.pattern.addresses.size].tolist(), address


def test_each_array_holds_what_was_given_or_zeros():
    slab = slab_of(Rows, NUMBERS)
    for name, given in NUMBERS.items():
        array = getattr(slab.arrays, name)
        np.testing.assert_array_equal(array, np.zeros(given) if isinstance(given, tuple) else given)
        assert array.flags.c_contiguous
        assert array.flags.writeable
        assert getattr(slab.arrays, name) is array
    with pytest.raises(AttributeError):
        _ = slab.arrays.queue


def test_what_was_given_is_copied_and_arrays_do_not_meet():
    given = dict(NUMBERS, p=np.arange(4.0))
    pattern = pattern_of(Rows, given, functions=2)
    slab, other = pattern.slab(()), pattern.slab(())
    for n, array in enumerate(slab.arrays, 1):
        array[...] = n
    for n, array in enumerate(slab.arrays, 1):
        assert (array == n).all()
    np.testing.assert_array_equal(given["p"], np.arange(4.0))
    np.testing.assert_array_equal(other.arrays.p, np.arange(4.0))
    assert not other.arrays.w.any()


def test_its_table_is_that_of_arrays_anywhere():
    slab = slab_of(Rows, NUMBERS)
    (made, address), wanted = entries(slab), table_of((7, 8), list(slab.arrays)).tolist()
    assert address == slab._memory.ctypes.data
    place = 2
    for array in slab.arrays:
        if array.size:  # of what is empty no address is read
            assert made[place] == wanted[place]
        assert made[place + 1 : place + 1 + array.ndim] == list(array.shape)
        place += 1 + array.ndim
    assert made[:2] == [7, 8]
    assert len(made) == len(wanted) == place


def test_whole_numbers_stand_among_others():
    slab = slab_of(Mixed, {"a": (2,), "b": np.array([3, -4]), "c": np.eye(2), "d": np.array([[5, 6]])})
    assert [array.dtype for array in slab.arrays] == [np.float64, np.int64, np.float64, np.int64]
    assert slab.arrays.b.tolist() == [3, -4]
    assert slab.arrays.d.tolist() == [[5, 6]]
    np.testing.assert_array_equal(slab.arrays.c, np.eye(2))


def test_each_slab_has_contents_of_its_own():
    contents = {"a": (3,), "b": (2,), "c": (2, 2), "d": np.array([[5, 6]])}
    pattern = pattern_of(Mixed, contents, functions=2, own=("b", "c", "a"))
    one = pattern.slab((np.array([7, -8]), np.eye(2), np.array([0.5, np.nan])))
    assert one.arrays.b.tolist() == [7, -8]
    np.testing.assert_array_equal(one.arrays.c, np.eye(2))
    np.testing.assert_array_equal(one.arrays.a, [0.5, np.nan, 0.0])
    assert one.arrays.d.tolist() == [[5, 6]]


def test_numbers_from_another_process_are_not_cut_to_whole_ones():
    """An array that was pickled has a dtype that is equal, and another object."""
    given = pickle.loads(pickle.dumps(np.array([0.5, -2.5])))
    pattern = pattern_of(Mixed, {"a": (2,), "b": (0,), "c": (0, 0), "d": (0, 0)}, functions=0, own=("a",))
    assert pattern.slab((given,)).arrays.a.tolist() == [0.5, -2.5]


def test_a_slab_begins_as_another_did():
    contents = {"a": (3,), "b": (2,), "c": (2, 2), "d": np.array([[5, 6]])}
    first = pattern_of(Mixed, contents, functions=2, own=("b", "c", "a")).slab(
        (np.array([7, -8]), np.eye(2), np.zeros(3))
    )
    first.arrays.d[0, 1] = 9
    entries(first)
    second = first.begun(("c", "a")).slab((2.0 * np.eye(2), np.array([1.0, 2.0, 3.0])))
    assert second.arrays.d.tolist() == [[5, 9]]
    assert second.arrays.b.tolist() == [7, -8]
    np.testing.assert_array_equal(second.arrays.c, 2.0 * np.eye(2))
    np.testing.assert_array_equal(second.arrays.a, [1.0, 2.0, 3.0])
    made, wanted = entries(second)[0], table_of((7, 8), list(second.arrays)).tolist()
    assert made == wanted
    first.arrays.b[0] = 1
    assert second.arrays.b.tolist() == [7, -8]


def test_an_array_of_other_dimensions_is_refused():
    with pytest.raises(TypeError, match="2 dimensions"):
        slab_of(Rows, dict(NUMBERS, x=np.zeros(14)))


def test_the_arrays_of_a_run_are_its_bundle_in_order():
    assert set(Bundle._fields) >= {"x", "count", "out_x"}
    slab = slab_of(Rows, NUMBERS)
    assert [id(array) for array in slab.arrays] == [id(getattr(slab.arrays, name)) for name in Rows._fields]
