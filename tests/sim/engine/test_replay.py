"""A block over recorded rows returns what it writes in a run."""

import numpy as np
import pytest

from polhode.controllers import Block, Clock, draw_normals
from polhode.plant import InputError
from polhode.sim.codegen.library import has_library
from polhode.sim.engine import addresses


def smooth(t, y, q, z, v):
    for n in range(3):
        z[n] = q[0] * z[n] + (1.0 - q[0]) * y[n]
        v[n] = z[n]


def noisy(t, y, q, z, v):
    for n in range(3):
        one, _ = draw_normals(q, z[0], n)
        v[n] = y[n] + one
    v[3] = t
    z[0] += 1.0


def breaks(t, y, q, z, v):
    for n in range(3):
        v[n] = y[n] if t < 0.25 else np.nan


T = np.arange(5) * 0.1
Y = np.arange(15.0).reshape(5, 3)


@pytest.mark.parametrize("compiled", [True, False])
def test_rows_are_its_samples_in_order(compiled):
    block = Block(smooth, reads="rate", writes="rate", clock=Clock(0.1), parameters=(0.5,), memory=(0, 0, 0))
    z, expected = np.zeros(3), []
    for y in Y:
        z = 0.5 * z + 0.5 * y
        expected.append(z)
    for _ in range(2):  # and its memory restarts
        np.testing.assert_array_equal(block.replay(T, Y, compiled=compiled), expected)


def test_compiled_and_plain_draw_the_same():
    block = Block(noisy, reads="rate", writes={"seen": 4}, clock=Clock(0.1), memory=(0,), random=True)
    fast = block.replay(T, Y, seed=3, run_index=2)
    np.testing.assert_array_equal(block.replay(T, Y, seed=3, run_index=2, compiled=False), fast)
    np.testing.assert_array_equal(fast[:, 3], T)
    assert np.abs(block.replay(T, Y, seed=3) - fast).max() > 0.1


@pytest.mark.parametrize(
    ("block", "t", "y", "words"),
    [
        (
            Block(breaks, reads="rate", writes="rate", clock=Clock(0.1)),
            T,
            Y,
            r"'breaks' returned a value that is not finite at t = 0\.3 s",
        ),
        (
            Block(noisy, reads="a", writes={"s": 4}, clock=Clock(1.0), random=True),
            T,
            Y,
            r"no seed .*give replay\(.*seed=1",
        ),
        (
            Block(breaks, reads="rate", writes="attitude", clock=Clock(0.1)),
            T,
            Y,
            "does not give the width of its output",
        ),
        (Block(breaks, reads="rate", writes="rate", clock=Clock(0.1)), T[::-1], Y, "ascending"),
        (Block(breaks, reads="rate", writes="rate", clock=Clock(0.1)), T, Y[:3], "a row for each of 5"),
    ],
)
def test_replay_refuses_bad_input(block, t, y, words):
    with pytest.raises(InputError, match=words):
        block.replay(t, y)


@pytest.mark.skipif(not has_library(), reason="no engine library on this machine")
def test_table_of_a_replay_outlives_the_call(monkeypatch):
    """Other threads run during the call, and new arrays take the memory of freed ones."""
    compiled = addresses.entry_function("replay_entry")

    def called_amid_others(table):
        others = [np.zeros(n, dtype=np.int64) for n in range(1, 65) for _ in range(4)]
        compiled(table)
        assert not any(each.any() for each in others)

    monkeypatch.setattr(addresses, "entry_function", lambda _: called_amid_others)
    block = Block(smooth, reads="rate", writes="rate", clock=Clock(0.1), parameters=(0.0,), memory=(0, 0, 0))
    np.testing.assert_array_equal(block.replay(T, Y), Y)
