"""Information: against the inverse of partitioned matrices, a named direction, and an unobservable parameter."""

import numpy as np
import pytest

from polhode.sim.analysis.identification.information import Information, marginal


def matrix(p):
    root = np.random.default_rng(3).normal(size=(3 * p, p))
    return root.T @ root


def test_marginal_information_inverts_to_block_of_covariance():
    whole = matrix(7)
    found = marginal(whole, (0, 2, 3), np.full(7, 0.1))
    np.testing.assert_allclose(np.linalg.inv(found), np.linalg.inv(whole)[np.ix_((0, 2, 3), (0, 2, 3))], rtol=1e-10)


def test_sigma_and_correlation_are_those_of_inverse():
    whole = matrix(4)
    found = Information(names=tuple("abcd"), matrix=whole, scale=np.array((1.0, 10.0, 0.1, 3.0)))
    inverse = np.linalg.inv(whole)
    np.testing.assert_allclose(found.sigma, np.sqrt(np.diag(inverse)), rtol=1e-10)
    np.testing.assert_allclose(found.correlation[0, 1], inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1]))


def test_unobservable_combination_is_named():
    """Only the difference of two parameters is measured: their sum, relative to their magnitudes, is unobservable."""
    row = np.array((1.0 / 2.0, -1.0 / 4.0, 0.0))
    whole = 1e4 * np.outer(row, row) + np.diag((0.0, 0.0, 100.0))
    found = Information(names=("a", "b", "c"), matrix=whole, scale=np.array((2.0, 4.0, 1.0)))
    (one,) = found.unobservable(0.5)
    assert str(one) == "0.71 a + 0.71 b"
    assert one.sigma == np.inf or one.sigma > 1e6
    assert not np.isfinite(found.sigma[:2]).any() or (found.sigma[:2] > 1e5).all()
    assert found.sigma[2] == pytest.approx(0.1)
