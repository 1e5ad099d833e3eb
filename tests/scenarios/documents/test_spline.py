"""The cubic spline of the documents' tables against scipy's."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from polhode.scenarios.documents.spline import Spline

EVEN = np.linspace(0.0, 30.0, 301)
UNEVEN = np.cumsum(np.random.default_rng(3).uniform(0.02, 0.2, 250))


@pytest.fixture(params=[EVEN, UNEVEN], ids=["even", "uneven"])
def both(request):
    t = request.param
    values = np.sin(t) + 0.3 * np.cos(2.7 * t) + 0.01 * t
    return t, Spline(t, values), CubicSpline(t, values)


def test_spline_equals_scipy_spline(both):
    t, ours, theirs = both
    times = np.linspace(t[0], t[-1], 1234)
    # both solve the same well-conditioned system, with different rounding
    np.testing.assert_allclose(ours(times), theirs(times), rtol=0, atol=1e-14)
    assert float(ours(t[7])) == pytest.approx(float(theirs(t[7])), abs=1e-15)


def test_spline_extremes_have_zero_slope(both):
    _, ours, theirs = both
    wanted = theirs.derivative().roots(extrapolate=False)
    found = ours.turning
    assert found.size == wanted.size > 10
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12)  # of slopes rounded to 1e-15, over bends near 1e-2


@pytest.mark.parametrize("level", [0.0, 0.3, 0.5])
def test_spline_crosses_levels(both, level):
    _, ours, theirs = both
    wanted = theirs.solve(level, extrapolate=False)
    wanted = wanted[wanted > 1e-9]  # it begins on one of them, which is not a crossing
    found = ours.crossings(level)
    assert found.size == wanted.size > 5
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-13)


def test_two_crossings_between_two_rows_are_found():
    t = np.linspace(0.0, 3.0, 4)
    ours, theirs = Spline(t, np.array([1.0, 0.0, 0.0, 1.0])), CubicSpline(t, (1.0, 0.0, 0.0, 1.0))
    np.testing.assert_allclose(ours.crossings(-0.05), theirs.solve(-0.05, extrapolate=False), rtol=1e-14)


def test_level_met_at_row_is_passed_once():
    t = np.linspace(-2.0, 2.0, 5)
    np.testing.assert_allclose(Spline(t, t**3).crossings(0.0), [0.0], atol=1e-15)
    np.testing.assert_allclose(Spline(t, -(t**3)).crossings(0.0), [0.0], atol=1e-15)


def test_cubics_are_met_exactly():
    t = np.array([0.0, 0.3, 1.0, 1.2, 2.0])
    values = 1.0 - 2.0 * t + 0.5 * t**2 + 0.25 * t**3
    times = np.linspace(0.0, 2.0, 50)
    np.testing.assert_allclose(
        Spline(t, values)(times), 1.0 - 2.0 * times + 0.5 * times**2 + 0.25 * times**3, rtol=0, atol=2e-15
    )
