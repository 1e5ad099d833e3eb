"""Gauss-Newton steps on functions with known minima."""

import numpy as np

from polhode.sim.analysis.identification.output_error import fit_output_error


class CurvedValley:
    """Rosenbrock's function as residuals: steep across the parabola y = x^2, flat along it; minimum at (1, 1)."""

    scale = np.ones(2)

    def __init__(self, steep):
        self.steep = steep

    def residuals(self, points, share):
        del share
        x, y = points.T
        return [np.stack((self.steep * (y - x**2), 200.0 * (1.0 - x)), axis=1)[:, :, None]]

    def residuals_around(self, x, step, share):
        return self.residuals(np.concatenate((x[None], x + np.diag(step), x - np.diag(step))), share), ""


def test_steps_follow_a_curved_valley():
    """The steps of Gauss and Newton without correction leave the valley, and are cut to a twentieth."""
    found = fit_output_error(CurvedValley(1e6), np.array((-1.2, 1.44)))
    assert found.converged
    assert found.steps <= 15
    np.testing.assert_allclose(found.x, 1.0, atol=1e-6)
