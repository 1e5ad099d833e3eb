"""The cache returns equal results to the bit, as independent copies."""

import numpy as np
import pytest

from polhode.controllers.loop.solution_cache import KEPT, cached_solution


@pytest.fixture
def asked():
    calls = []

    @cached_solution
    def twice(A, *, factor=2.0):
        calls.append(factor)
        if factor < 0.0:
            raise ValueError
        return factor * A, A.T

    return twice, calls


def test_cache_computes_equal_arguments_once(asked):
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
def test_cache_distinguishes_numbers_shapes_and_orders(asked, other):
    twice, calls = asked
    twice(np.arange(6.0).reshape(2, 3))
    assert np.array_equal(twice(other)[0], 2.0 * other)
    twice(other, factor=1.0)
    assert len(calls) == 3


def test_cache_results_may_be_modified(asked):
    twice, _ = asked
    A = np.ones((2, 2))
    twice(A)[0][:] = 7.0
    assert np.array_equal(twice(A)[0], 2.0 * A)


def test_cache_does_not_store_errors(asked):
    twice, calls = asked
    for _ in range(2):
        with pytest.raises(ValueError):
            twice(np.ones(2), factor=-1.0)
    assert len(calls) == 2


def test_cache_keeps_the_latest(asked):
    twice, calls = asked
    for n in range(KEPT + 1):
        twice(np.full(2, float(n)))
        twice(np.zeros(2))
    assert len(calls) == KEPT + 1
    twice(np.full(2, 1.0))
    assert len(calls) == KEPT + 2
