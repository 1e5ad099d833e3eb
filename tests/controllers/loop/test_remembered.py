"""What was found once is found again, to the bit, and belongs to who asked."""

import numpy as np
import pytest

from polhode.controllers.loop.remembered import KEPT, remembered


@pytest.fixture
def asked():
    calls = []

    @remembered
    def twice(A, *, factor=2.0):
        calls.append(factor)
        if factor < 0.0:
            raise ValueError
        return factor * A, A.T

    return twice, calls


def test_the_same_is_found_once(asked):
    twice, calls = asked
    A = np.arange(6.0).reshape(2, 3)
    first = twice(A, factor=3.0)
    again = twice(A.copy(), factor=3.0)
    assert len(calls) == 1
    for one, other, true in zip(first, again, (3.0 * A, A.T), strict=True):
        assert np.array_equal(one, true)
        assert np.array_equal(one, other)
        assert one.strides == other.strides


@pytest.mark.parametrize("other", [np.ones((2, 3)), np.arange(6.0), np.asfortranarray(np.arange(6.0).reshape(2, 3))])
def test_other_numbers_shapes_and_orders_are_asked_for(asked, other):
    twice, calls = asked
    twice(np.arange(6.0).reshape(2, 3))
    assert np.array_equal(twice(other)[0], 2.0 * other)
    twice(other, factor=1.0)
    assert len(calls) == 3


def test_what_is_returned_may_be_written_into(asked):
    twice, _ = asked
    A = np.ones((2, 2))
    twice(A)[0][:] = 7.0
    assert np.array_equal(twice(A)[0], 2.0 * A)


def test_a_refusal_is_not_remembered(asked):
    twice, calls = asked
    for _ in range(2):
        with pytest.raises(ValueError):
            twice(np.ones(2), factor=-1.0)
    assert len(calls) == 2


def test_the_latest_are_kept(asked):
    twice, calls = asked
    for n in range(KEPT + 1):
        twice(np.full(2, float(n)))
        twice(np.zeros(2))
    assert len(calls) == KEPT + 1
    twice(np.full(2, 1.0))
    assert len(calls) == KEPT + 2
