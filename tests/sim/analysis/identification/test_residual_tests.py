"""Tests of residuals: white noise passes, wrong size and correlation do not."""

import numpy as np
import pytest

from polhode.sim.analysis.identification import residual_test

WHITE = np.random.default_rng(4).normal(size=(3000, 2))


def test_white_noise_passes():
    found = residual_test("gyro", WHITE)
    assert found.fits
    assert found.is_white
    assert found.mean_square == pytest.approx((WHITE**2).mean())


def test_band_contains_95_percent_of_mean_squares():
    rng = np.random.default_rng(5)
    inside = [residual_test("a", rng.normal(size=(50, 1))).fits for _ in range(2000)]
    assert np.mean(inside) == pytest.approx(0.95, abs=0.02)  # 4 sigma of a binomial of 2000


@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_wrong_noise_is_reported(factor):
    assert not residual_test("gyro", factor * WHITE).fits


def test_correlated_residuals_are_not_white():
    assert not residual_test("gyro", (WHITE[1:] + 0.2 * WHITE[:-1]) / np.sqrt(1.04)).is_white
