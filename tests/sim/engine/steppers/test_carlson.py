"""Carlson's integrals as kernels against those of scipy."""

import numpy as np
import pytest
from scipy.special import elliprc, elliprj

from polhode.sim.engine.steppers.carlson import r_c, r_j


@pytest.mark.parametrize("e", [-0.999, -0.3, -1.01e-4, -0.99e-4, 0.0, 0.99e-4, 1.01e-4, 0.7, 1e6])
def test_r_c(e):
    assert r_c(e) == pytest.approx(elliprc(1.0, 1.0 + e), rel=1e-13)  # scipy forms 1 + e


def test_r_j():
    rng = np.random.default_rng(1)
    for x, y, z, p in 10.0 ** rng.uniform(-4, 4, (200, 4)):
        assert r_j(x, y, z, p) == pytest.approx(elliprj(x, y, z, p), rel=2e-13)
    for y, p in 10.0 ** rng.uniform(-16, 3, (100, 2)):  # whole periods, up to the separatrix
        assert r_j(0.0, y, 1.0, p) == pytest.approx(elliprj(0.0, y, 1.0, p), rel=5e-14)
