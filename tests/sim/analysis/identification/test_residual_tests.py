"""Tests of residuals: white noise passes; a wrong variance and correlated residuals do not."""

import numpy as np
import pytest

from polhode.sim.analysis.identification.residual_tests import residual_test

WHITE = np.random.default_rng(4).normal(size=(3000, 2))


def test_white_noise_passes():
    found = residual_test("gyro", WHITE)
    assert found.fits
    assert found.is_white
    assert found.mean_square == pytest.approx((WHITE**2).mean())


def test_band_excludes_one_mean_square_in_a_thousand():
    rng = np.random.default_rng(5)
    outside = sum(not residual_test("a", rng.normal(size=(8, 1)), white=False).fits for _ in range(20000))
    assert 7 <= outside <= 36  # 20 expected, Poisson, 0.1 % in each tail


@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_wrong_noise_is_reported(factor):
    assert not residual_test("gyro", factor * WHITE).fits


def test_correlated_residuals_are_not_white():
    assert not residual_test("gyro", (WHITE[1:] + 0.2 * WHITE[:-1]) / np.sqrt(1.04)).is_white
