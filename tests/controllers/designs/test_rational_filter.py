"""Rational filters compared with scipy and python-control."""

from typing import Any, cast

import control
import numpy as np
import pytest
from scipy import signal

from polhode import controllers
from polhode.controllers.designs.discretize import discrete_matrices, sampled

FILTERS = [
    controllers.notch(6.0, width=0.3, depth=0.2),
    controllers.roll_off(5.0, order=1),
    controllers.roll_off(5.0, order=4),
    controllers.RationalFilter(np.array([2.0]), np.array([1.0, 3.0, 5.0])),
]


@pytest.mark.parametrize("each", FILTERS)
def test_rational_filter_state_space_matches_scipy(each):
    for ours, theirs in zip(each.matrices(), signal.tf2ss(each.numerator, each.denominator), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-15, atol=0.0)


@pytest.mark.parametrize("method", ["tustin", "zoh"])
@pytest.mark.parametrize("each", FILTERS)
def test_rational_filter_sampled_matches_python_control(each, method):
    theirs = control.sample_system(
        control.ss(*each.matrices()), 0.1, method={"tustin": "bilinear", "zoh": "zoh"}[method]
    )
    expected = (theirs.A, theirs.B, theirs.C, theirs.D)
    for ours, matrix in zip(sampled(each.matrices(), 0.1, method=method), expected, strict=True):
        np.testing.assert_allclose(ours, matrix, rtol=1e-12, atol=1e-15)


def test_rational_filter_to_control_is_equal():
    each = FILTERS[0]
    system = each.to_control()
    assert complex(system(3.0j)) == pytest.approx(complex(each(3.0j)), rel=1e-14)
    for ours, theirs in zip(
        sampled(each.matrices(), 0.1, prewarp=6.0), discrete_matrices(system, 0.1, prewarp=6.0), strict=True
    ):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-15)
    assert np.sort_complex(each.poles) == pytest.approx(np.sort_complex(system.poles()), rel=1e-12)
    assert np.sort_complex(each.zeros) == pytest.approx(np.sort_complex(system.zeros()), rel=1e-12)


@pytest.mark.parametrize("order", range(1, 9))
def test_roll_off_matches_scipy_butterworth(order):
    numerator, denominator = cast("Any", signal).butter(order, 5.0, analog=True)
    found = controllers.roll_off(5.0, order=order)
    np.testing.assert_allclose(found.denominator, denominator, rtol=1e-13)
    np.testing.assert_allclose(found.numerator, numerator, rtol=1e-13)
