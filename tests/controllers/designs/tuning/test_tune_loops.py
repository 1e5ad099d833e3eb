"""Tuning reaches known optima, meets margins by polhode's own analysis, and repeats itself."""

import copy

import numpy as np
import pytest
from scipy import linalg

from polhode import controllers, plant
from polhode.controllers.designs.tuning import BandGain, DiskPeaks, Value, tune_loops
from polhode.plant.errors import DesignError, InputError

CRAFT = plant.Spacecraft(plant.RigidBody([[4.0, 0.12, -0.08], [0.12, 3.0, 0.15], [-0.08, 0.15, 2.0]]))
MODEL = CRAFT.linearize(CRAFT.at_rest())


def weighted(x):
    q, r = np.exp(x)
    return controllers.lqr(MODEL, attitude=q, rate=r, effort=1.0, sample=0.1, delay=0.3).loop()


def test_free_state_feedback_reaches_riccati_cost():
    """18 free gains from a PD law: the cost of the discrete Riccati equation to 1e-6."""
    plain = controllers.lqr(MODEL, attitude=2.0, rate=1.0, effort=1.0, sample=0.1).loop()
    F, G, _ = plain.matrices()
    best = float(np.trace(linalg.solve_discrete_are(F, G, np.eye(6), np.eye(3))))

    def loop(x):
        found = copy.copy(plain)
        found.__dict__.pop("_poles", None)
        a, b, c, _ = plain._law  # the plant of a loop with other gains
        found._law = a, b, c, -x.reshape(3, 6)
        return found

    def cost(loop):
        F, G, K = loop.matrices()
        return float(np.trace(linalg.solve_discrete_lyapunov((F - G @ K).T, np.eye(6) + K.T @ K)))

    start = np.hstack((0.5 * np.eye(3), np.eye(3))).ravel()
    found = tune_loops(
        [loop],
        start,
        low=np.full(18, -20.0),
        high=np.full(18, 20.0),
        hard=[],
        soft=[Value(bound=best, function=cost, step=1e-5)],
        starts=1,
        steps=200,
    )
    assert cost(loop(found.x)) / best - 1.0 < 1e-6


@pytest.mark.slow
def test_disk_margin_is_met_by_own_analysis_and_seed_decides_all():
    goal = DiskPeaks(bound=1.25)
    arguments = {"low": [-4.0, -4.0], "high": [4.0, 4.0], "hard": [goal], "starts": 2, "seed": 5}
    found = tune_loops([weighted], [1.5, -1.5], **arguments)
    alpha = controllers.disk_margins(controllers.open_loop(weighted(found.x))).simultaneous.alpha
    assert found.met
    assert alpha > 1.25 * 0.999  # Schatten norm in the search
    assert found.values[0] == pytest.approx(1.0, abs=1e-4)  # the least change ends at the bound
    again = tune_loops([weighted], [1.5, -1.5], **arguments)
    np.testing.assert_array_equal(again.x, found.x)
    assert again.starts == found.starts


@pytest.mark.slow
def test_goals_beyond_reach_are_reported_not_met():
    found = tune_loops([weighted], [0.0, 0.0], low=[-1.0, -1.0], high=[1.0, 1.0], hard=[DiskPeaks(bound=1.9)], starts=1)
    assert not found.met
    assert found.violation > 0.01
    assert found.active == (0,)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"low": [1.0, 0.0]}, "start of parameter 0, 0, is outside its bounds 1 and 4"),
        ({"low": [5.0, 0.0]}, "bounds of parameter 0 are not in order: 5 and 4"),
        ({"low": [1.0]}, "one entry each"),
    ],
)
def test_tune_loops_refuses(change, message):
    arguments = {"low": [-4.0, -4.0], "high": [4.0, 4.0], "hard": [], **change}
    with pytest.raises(InputError, match=message):
        tune_loops([weighted], [0.0, 0.0], **arguments)


def test_tune_loops_names_goal_without_value():
    """The loop is stable: the band is at fault, not the start."""
    goal = BandGain(bound=0.0, band=(40.0, 50.0))
    with pytest.raises(DesignError, match="the band begins at 40 rad/s, above the Nyquist frequency"):
        tune_loops([weighted], [0.0, 0.0], low=[-4.0, -4.0], high=[4.0, 4.0], hard=[goal], starts=1)
