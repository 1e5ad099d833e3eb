"""Arrays of a bundle in one block of memory."""

import pickle
from typing import NamedTuple

import numpy as np
import pytest

from polhode.sim.engine.address_table import table_of
from polhode.sim.engine.arena import pattern_of
from polhode.sim.engine.loop_arrays import Counts, CountTable, LoopArrays, Row, Rows, Table

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
    return pattern_of(bundle, contents, functions=2).arena(())


def entries(arena):
    address = arena.table((7, 8))
    return arena._whole[: arena.pattern.addresses.size].tolist(), address


def test_each_array_holds_what_was_given_or_zeros():
    arena = slab_of(Rows, NUMBERS)
    for name, given in NUMBERS.items():
        array = getattr(arena.arrays, name)
        np.testing.assert_array_equal(array, np.zeros(given) if isinstance(given, tuple) else given)
        assert array.flags.c_contiguous
        assert array.flags.writeable
        assert getattr(arena.arrays, name) is array
    with pytest.raises(AttributeError):
        _ = arena.arrays.queue


def test_arena_copies_arrays_without_overlap():
    given = dict(NUMBERS, p=np.arange(4.0))
    pattern = pattern_of(Rows, given, functions=2)
    arena, other = pattern.arena(()), pattern.arena(())
    for n, array in enumerate(arena.arrays, 1):
        array[...] = n
    for n, array in enumerate(arena.arrays, 1):
        assert (array == n).all()
    np.testing.assert_array_equal(given["p"], np.arange(4.0))
    np.testing.assert_array_equal(other.arrays.p, np.arange(4.0))
    assert not other.arrays.w.any()


def test_arena_table_equals_table_of_separate_arrays():
    arena = slab_of(Rows, NUMBERS)
    (made, address), wanted = entries(arena), table_of((7, 8), list(arena.arrays)).tolist()
    assert address == arena._memory.ctypes.data
    place = 2
    for array in arena.arrays:
        if array.size:  # no address of an empty array is used
            assert made[place] == wanted[place]
        assert made[place + 1 : place + 1 + array.ndim] == list(array.shape)
        place += 1 + array.ndim
    assert made[:2] == [7, 8]
    assert len(made) == len(wanted) == place


def test_whole_numbers_stand_among_others():
    arena = slab_of(Mixed, {"a": (2,), "b": np.array([3, -4]), "c": np.eye(2), "d": np.array([[5, 6]])})
    assert [array.dtype for array in arena.arrays] == [np.float64, np.int64, np.float64, np.int64]
    assert arena.arrays.b.tolist() == [3, -4]
    assert arena.arrays.d.tolist() == [[5, 6]]
    np.testing.assert_array_equal(arena.arrays.c, np.eye(2))


def test_each_slab_has_contents_of_its_own():
    contents = {"a": (3,), "b": (2,), "c": (2, 2), "d": np.array([[5, 6]])}
    pattern = pattern_of(Mixed, contents, functions=2, own=("b", "c", "a"))
    one = pattern.arena((np.array([7, -8]), np.eye(2), np.array([0.5, np.nan])))
    assert one.arrays.b.tolist() == [7, -8]
    np.testing.assert_array_equal(one.arrays.c, np.eye(2))
    np.testing.assert_array_equal(one.arrays.a, [0.5, np.nan, 0.0])
    assert one.arrays.d.tolist() == [[5, 6]]


def test_numbers_from_another_process_are_not_cut_to_whole_ones():
    """An array that was pickled has an equal dtype in a different object."""
    given = pickle.loads(pickle.dumps(np.array([0.5, -2.5])))
    pattern = pattern_of(Mixed, {"a": (2,), "b": (0,), "c": (0, 0), "d": (0, 0)}, functions=0, own=("a",))
    assert pattern.arena((given,)).arrays.a.tolist() == [0.5, -2.5]


def test_slab_begins_as_another_did():
    contents = {"a": (3,), "b": (2,), "c": (2, 2), "d": np.array([[5, 6]])}
    first = pattern_of(Mixed, contents, functions=2, own=("b", "c", "a")).arena(
        (np.array([7, -8]), np.eye(2), np.zeros(3))
    )
    first.arrays.d[0, 1] = 9
    entries(first)
    second = first.begun(("c", "a")).arena((2.0 * np.eye(2), np.array([1.0, 2.0, 3.0])))
    assert second.arrays.d.tolist() == [[5, 9]]
    assert second.arrays.b.tolist() == [7, -8]
    np.testing.assert_array_equal(second.arrays.c, 2.0 * np.eye(2))
    np.testing.assert_array_equal(second.arrays.a, [1.0, 2.0, 3.0])
    made, wanted = entries(second)[0], table_of((7, 8), list(second.arrays)).tolist()
    assert made == wanted
    first.arrays.b[0] = 1
    assert second.arrays.b.tolist() == [7, -8]


def test_array_of_other_dimensions_is_refused():
    with pytest.raises(TypeError, match="2 dimensions"):
        slab_of(Rows, dict(NUMBERS, x=np.zeros(14)))


def test_arrays_of_run_are_its_bundle_in_order():
    assert set(LoopArrays._fields) >= {"x", "count", "out_x"}
    arena = slab_of(Rows, NUMBERS)
    assert [id(array) for array in arena.arrays] == [id(getattr(arena.arrays, name)) for name in Rows._fields]
