"""Norms of rows against numpy's, bitwise."""

import numpy as np
import pytest

from polhode.sim.results.row_norms import row_norms, row_squares


@pytest.mark.parametrize("columns", range(11))
@pytest.mark.parametrize("rows", [0, 1, 2, 1501])
def test_row_norms_equal_numpy_to_the_bit(rows, columns):
    table = np.random.default_rng(rows + 13 * columns).normal(size=(rows, columns + 5)) * 10.0**columns
    for each in (table[:, 2 : 2 + columns], np.ascontiguousarray(table[:, :columns])):
        np.testing.assert_array_equal(row_norms(each), np.linalg.norm(each, axis=1), strict=True)
        np.testing.assert_array_equal(row_squares(each), (each**2).sum(axis=1), strict=True)


def test_row_norms_keep_values_that_are_not_finite():
    table = np.array([(np.nan, 0.0, 1.0), (np.inf, 0.0, 1.0), (-np.inf, 1.0, 0.0), (1e200, 0.0, 0.0)])
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(row_norms(table), np.linalg.norm(table, axis=1))
