"""Poles on the map against an LQR designed by scipy on the same sampled plant."""

import numpy as np
import pytest
from scipy.linalg import expm, solve_discrete_are

from polhode import controllers, plant
from polhode.scenarios.pictures.loop.pole_map import draw_pole_map

MOMENTS, SAMPLE = np.array((40.0, 30.0, 20.0)), 0.5


def closed_loop_poles():
    """Poles of three double integrators under the LQR of scipy, z."""
    found = []
    for moment in MOMENTS:
        whole = expm(np.array(((0.0, 1.0, 0.0), (0.0, 0.0, 1.0 / moment), (0.0, 0.0, 0.0))) * SAMPLE)
        a, b = whole[:2, :2], whole[:2, 2:]
        q = np.diag((25.0, 4.0))
        x = solve_discrete_are(a, b, q, np.eye(1))
        gain = np.linalg.solve(np.eye(1) + b.T @ x @ b, b.T @ x @ a)
        found += [*np.linalg.eigvals(a - b @ gain)]
    return np.array(found)


@pytest.fixture(scope="module")
def analysis():
    craft = plant.Spacecraft(plant.RigidBody(MOMENTS))
    model = craft.linearize(craft.at_rest())
    law = controllers.lqr(model, attitude=25.0, rate=4.0, effort=1.0, sample=SAMPLE)
    return controllers.analyse(law, model)


def marked(axes):
    lines = [line for line in axes.lines if str(line.get_label()).endswith("pole")]
    return np.concatenate([np.asarray(line.get_xdata()) + 1j * np.asarray(line.get_ydata()) for line in lines])


def test_map_has_the_poles_of_the_loop_in_both_views(analysis):
    figure = draw_pole_map(analysis.modes, sample=SAMPLE, title="x")
    assert figure is not None
    z = closed_loop_poles()
    upper = np.sort_complex(z[z.imag >= 0.0])
    np.testing.assert_allclose(np.sort_complex(marked(figure.axes[1])), upper, atol=1e-9)
    s = np.log(upper) / SAMPLE
    shown = np.sort_complex(np.abs(s) - 1j * s.real / np.abs(s))
    np.testing.assert_allclose(np.sort_complex(marked(figure.axes[0])), shown, atol=1e-9)
    assert draw_pole_map([], sample=None, title="x") is None


def test_unstable_pole_is_marked():
    rest = {"frequency_rad_s": 0.2, "damping_ratio": 0.5, "time_constant_s": 5.0}
    modes = [controllers.LoopMode(pole=pole, **rest) for pole in (1.02 + 0.1j, 0.9 + 0.0j)]
    figure = draw_pole_map(modes, sample=0.1, title="x")
    assert figure is not None
    for axes in figure.axes:
        labels = [str(line.get_label()) for line in axes.lines]
        assert "unstable pole" in labels
        assert "pole" in labels
