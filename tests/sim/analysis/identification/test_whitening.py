"""Whitening and count innovations: against Cholesky factors of covariance matrices of the noise processes."""

import numpy as np
import pytest

from polhode.sim.analysis.identification.whitening import ColouredNoise, count_innovations, whitened

WALK, SIGMA, TIME = 0.3, 0.5, 2.0


def covariance(t, white, *, walk, sigma):
    return (
        white**2 * np.eye(t.size)
        + walk**2 * np.minimum.outer(t, t)
        + sigma**2 * np.exp(-np.abs(np.subtract.outer(t, t)) / TIME)
    )


@pytest.mark.parametrize(("walk", "sigma"), [(WALK, SIGMA), (WALK, 0.0), (0.0, SIGMA), (0.0, 0.0)])
@pytest.mark.parametrize("n", [1, 40])
def test_whitening_equals_cholesky_factor(walk, sigma, n):
    rng = np.random.default_rng(1)
    t, white = np.sort(rng.uniform(0.0, 10.0, n)), np.array((0.2, 0.2, 0.4))
    residuals = rng.normal(size=(2, n, 3))
    found = whitened(residuals, t, white, [ColouredNoise(walk=walk), ColouredNoise(sigma=sigma, time=TIME)])
    for axis in range(3):
        factor = np.linalg.cholesky(covariance(t, white[axis], walk=walk, sigma=sigma))
        np.testing.assert_allclose(found[1, :, axis], np.linalg.solve(factor, residuals[1, :, axis]), atol=1e-11)


def test_count_innovations_equal_cholesky_factor():
    """Each rate is a difference of two angles with independent errors: its covariance is a band of 2 and -1."""
    places = np.array((0, 1, 2, 3, 7, 8, 20, 22, 23, 24))
    turns = np.random.default_rng(2).normal(size=(2, places.size, 3))
    found = count_innovations(turns, places)
    later = places[1:]
    shared = np.equal.outer(later, later - 1)
    factor = np.linalg.cholesky(2.0 * np.eye(later.size) - shared - shared.T)
    for axis in range(3):
        expected = np.linalg.solve(factor, turns[1, 1:, axis])
        np.testing.assert_allclose(found[1, 1:, axis], expected, atol=1e-14)
    assert not found[:, 0].any()
