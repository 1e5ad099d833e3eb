"""The projection onto the unit sphere."""

import numpy as np
import pytest

from polhode.sim.steppers.sphere import project


@pytest.mark.parametrize("scale", [0.5, 1.0, 1.0 + 1e-9, 3.0])
def test_project_scales_the_euler_parameters_only(scale):
    rng = np.random.default_rng(3)
    e = rng.normal(size=4)
    e /= np.linalg.norm(e)
    x = np.concatenate([rng.normal(size=3), scale * e, rng.normal(size=6)])
    rest = np.delete(x, range(3, 7))
    drift = project(x)
    assert drift == pytest.approx(scale**2 - 1.0, abs=1e-15 * scale**2 * 4)  # a few units in the last place
    np.testing.assert_allclose(x[3:7], e, rtol=0, atol=4e-16)
    np.testing.assert_array_equal(np.delete(x, range(3, 7)), rest)


def test_project_tells_what_is_not_finite():
    x = np.full(7, np.nan)
    assert np.isnan(project(x))
