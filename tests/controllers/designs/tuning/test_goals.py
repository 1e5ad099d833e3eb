# pyright: reportOptionalMemberAccess=false, reportOptionalOperand=false, reportOptionalIterable=false
# pyright: reportOperatorIssue=false, reportGeneralTypeIssues=false
# (results that are None fail the test by themselves)
"""Rows of goals against polhode's own analysis, and their gradients against differences of the whole metric."""

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.controllers.designs.tuning import (
    BandGain,
    Crossings,
    DecayRate,
    DiskPeaks,
    PoleRadius,
    SensitivityPeaks,
    Value,
    quadratic_cost,
    tune_loops,
)
from polhode.controllers.designs.tuning.point import Point
from polhode.controllers.loop.robustness.measured import loop_margin
from polhode.plant.errors import DesignError, InputError
from polhode.plant.one_thread import one_thread

CRAFT = plant.Spacecraft(plant.RigidBody([[400.0, 12.0, -8.0], [12.0, 307.8, 15.0], [-8.0, 15.0, 200.0]]))
MODEL = CRAFT.linearize(CRAFT.at_rest())
X = np.log((25.0, 20.0, 30.0, 1.0, 2.0, 3.0))


def loop(x):
    q = np.exp(x)
    return controllers.lqr(MODEL, attitude=q[:3], rate=q[3:], effort=1.0, sample=0.1, delay=1.0).loop()


GOALS = {
    "disk_margin_inputs": (DiskPeaks(bound=1.0), 1e-5),
    "disk_margin_all": (DiskPeaks(bound=1.0, at="both"), 2e-3),  # Schatten norm of order 1024 of nine: 0.2 %
    "sensitivity_peak_dB": (SensitivityPeaks(bound=3.0), 1e-6),
    "gain_margin_dB": (Crossings(bound=10.0, kind="gain"), 1e-9),
    "phase_margin_deg": (Crossings(bound=40.0, kind="phase"), 1e-9),
    "one_input_phase_margin_deg": (Crossings(bound=40.0, kind="phase", one_input=True), 1e-9),
    "delay_margin_s": (Crossings(bound=1.0, kind="delay"), 2e-3),  # a fraction of a sample
}


@pytest.mark.slow
@pytest.mark.parametrize("name", GOALS)
def test_goal_row_is_margin_and_has_exact_gradient(name):
    goal, within = GOALS[name]
    direction = np.array((0.3, -0.5, 0.2, 0.6, 0.1, -0.4))

    @one_thread
    def top(x, gradients=False):
        return goal.rows(Point(x, [loop]), 0, gradients=gradients)[0]

    value, gradient = top(X, True)
    margin = loop_margin(loop(X), name)
    wanted = 10.0 ** ((margin - 3.0) / 20.0) if name == "sensitivity_peak_dB" else goal.bound / margin
    assert value == pytest.approx(wanted, rel=within)
    h = 2e-3  # of nine factors the norm is noisy by 3e-8: the minimum over D is not smooth
    slope = (top(X + h * direction)[0] - top(X - h * direction)[0]) / (2.0 * h)
    # 3e-3: a peak refined to 1e-4 of its frequency is below the maximum by as much as its change over 2 h
    assert gradient @ direction == pytest.approx(slope, rel=3e-3)


def test_pole_radius_has_exact_gradient():
    direction = np.array((0.3, -0.5, 0.2, 0.6, 0.1, -0.4))
    goal, h = PoleRadius(bound=0.9), 1e-4
    value, gradient = goal.rows(Point(X, [loop]), 0, gradients=True)[0]
    assert value == pytest.approx(loop(X).radius() / 0.9, rel=1e-12)
    slope = (loop(X + h * direction).radius() - loop(X - h * direction).radius()) / (2.0 * h * 0.9)
    assert gradient @ direction == pytest.approx(slope, rel=1e-5)


def test_decay_rate_is_relative_to_the_bound_and_has_exact_gradient():
    """The slowest pole decays with -log|z| / 0.1 s; a rate 1 % below the bound is a violation of 1 %."""
    direction = np.array((0.3, -0.5, 0.2, 0.6, 0.1, -0.4))

    def rate(x):
        return -np.log(loop(x).radius()) / 0.1

    goal, h = DecayRate(bound=rate(X) / 0.99), 1e-4
    value, gradient = goal.rows(Point(X, [loop]), 0, gradients=True)[0]
    assert value == pytest.approx(1.01, rel=1e-9)
    slope = (rate(X + h * direction) - rate(X - h * direction)) / (2.0 * h * goal.bound)
    assert gradient @ direction == pytest.approx(-slope, rel=1e-5)


@pytest.mark.parametrize("side", [-1.0, 1.0])
@pytest.mark.parametrize("goal", [PoleRadius(bound=1.0), Value(bound=1.0, function=lambda each: each.radius())])
def test_gradient_at_a_bound_is_that_of_the_interior(goal, side):
    """A parameter stops at its bound, so a difference across the bound would be half the derivative."""
    low, high = (X, X + 1.0) if side < 0.0 else (X - 1.0, X)

    def stopped(x):
        return loop(np.clip(x, low, high))

    (_, bounded), *_ = goal.rows(Point(X, [stopped], low=low, high=high), 0, gradients=True)
    (_, free), *_ = goal.rows(Point(X, [loop]), 0, gradients=True)
    np.testing.assert_allclose(bounded, free, rtol=0.02, atol=1e-6 * np.abs(free).max())


@pytest.mark.parametrize("missing", [np.inf, np.nan])
def test_goal_without_finite_value_is_refused(missing):
    goal = Value(bound=2.0, function=lambda each: missing, name="ape_budget_deg")
    with pytest.raises(DesignError, match=rf"ape_budget_deg is {missing} for this loop, so it cannot be tuned"):
        tune_loops([loop], X, low=X - 1.0, high=X + 1.0, hard=[PoleRadius(bound=1.0), goal], starts=1)


@pytest.mark.slow
def test_quadratic_cost_is_that_of_recursion():
    found = loop(X)
    F, G, K = found.matrices()
    s = np.zeros((len(F), 3))
    s[:3] = np.eye(3)
    total = 0.0
    for _ in range(30000):
        u = -found.scale * (K @ s)
        total += 0.1 * (25.0 * (s[:3] ** 2).sum() + 2.0 * (u**2).sum())
        s = (F - G @ K) @ s
    assert quadratic_cost(found, attitude=25.0, effort=2.0) == pytest.approx(total, rel=1e-9)


def test_value_is_differenced():
    goal = Value(bound=2.0, function=lambda each: each.radius())
    value, gradient = goal.rows(Point(X, [loop]), 0, gradients=True)[0]
    assert value == pytest.approx(loop(X).radius() / 2.0)
    assert gradient.shape == (6,)


BAND = (0.05, 0.3)


@pytest.mark.parametrize(
    ("response", "size"),
    [
        ("loop", lambda L: np.linalg.norm(L, 2)),
        ("inverse loop", lambda L: 1.0 / np.linalg.svd(L, compute_uv=False)[-1]),
        ("sensitivity", lambda L: 1.0 / np.linalg.svd(np.eye(3) + L, compute_uv=False)[-1]),
        ("complementary sensitivity", lambda L: np.linalg.norm(np.linalg.solve(np.eye(3) + L, L), 2)),
    ],
)
def test_band_gain_is_largest_in_band_and_has_exact_gradient(response, size):
    direction = np.array((0.3, -0.5, 0.2, 0.6, 0.1, -0.4))
    goal, h = BandGain(bound=-3.0, band=BAND, response=response), 1e-4

    def largest(x):
        opened, w = controllers.open_loop(loop(x)), np.geomspace(*BAND, 201)
        n = int(np.argmax([size(L) for L in opened.response(w)]))
        near = np.linspace(w[max(n - 1, 0)], w[min(n + 1, 200)], 201)
        return 10.0 ** (3.0 / 20.0) * max(size(L) for L in opened.response(near))

    value, gradient = max(goal.rows(Point(X, [loop]), 0, gradients=True), key=lambda row: row[0])
    assert value == pytest.approx(largest(X), rel=1e-6)
    slope = (largest(X + h * direction) - largest(X - h * direction)) / (2.0 * h)
    assert gradient @ direction == pytest.approx(slope, abs=1e-3 * np.linalg.norm(gradient))


def test_band_gain_of_one_input_is_entry_of_its_loop():
    goal = BandGain(bound=0.0, band=(0.1, 0.1), input=1)
    L = controllers.open_loop(loop(X)).response([0.1])[0]
    assert goal.rows(Point(X, [loop]), 0, gradients=False)[0][0] == pytest.approx(abs(L[1, 1]), rel=1e-12)


def test_band_gain_refuses_bands_without_frequencies():
    with pytest.raises(InputError, match="positive ends in order, rad/s; got 2 to 1"):
        BandGain(bound=0.0, band=(2.0, 1.0))
    with pytest.raises(InputError, match="response 'looop' is unknown"):
        BandGain(bound=0.0, band=(1.0, 2.0), response="looop")
    with pytest.raises(DesignError, match=r"above the Nyquist frequency of the loop, 31\.4159 rad/s"):
        BandGain(bound=0.0, band=(40.0, 50.0)).rows(Point(X, [loop]), 0, gradients=False)


def test_value_of_response_has_a_row_at_each_high_maximum():
    def response(loop):
        return 1.0 + np.array((0.1, 0.9, 0.2, 0.3, 1.0, 0.0, 0.2)) * loop.radius()

    radius, goal = loop(X).radius(), Value(bound=2.0, function=response)
    rows = goal.rows(Point(X, [loop]), 0, gradients=True)
    assert [value for value, _ in rows] == pytest.approx([(1.0 + radius) / 2.0, (1.0 + 0.9 * radius) / 2.0])
    np.testing.assert_allclose(rows[1][1], 0.9 * rows[0][1], atol=1e-9)
