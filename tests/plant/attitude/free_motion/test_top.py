"""Heavy top in closed form: the published top, integration, limits, rejected input."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from polhode.plant.attitude.free_motion import HeavyTop, heavy_top
from polhode.plant.errors import InputError


@pytest.fixture(scope="module")
def table_4() -> HeavyTop:
    return heavy_top(5.0, 1.0, weight_moment=20.0, axial_momentum=50.0, tilt=0.3)


def test_heavy_top_matches_published_table_4(table_4: HeavyTop) -> None:
    # the 12 digits after the point that the reference gives
    assert table_4.nutation_frequency == pytest.approx(9.209424558206, abs=1e-12)
    assert table_4.mean_precession == pytest.approx(0.416425036235, abs=1e-12)
    assert table_4.tilt_limits == pytest.approx((0.3, 0.326733714644854), abs=1e-15)
    assert table_4.precession_limits == pytest.approx((0.0, 0.8), abs=1e-14)


def test_heavy_top_matches_reference_at_two_times(table_4: HeavyTop) -> None:
    e = (
        (-0.791902492159700, -0.121323377514481, -0.0917920046608163, 0.591392685835803),
        (0.979325100768092, 0.140206927390516, 0.0821374128216831, -0.120489874812107),
    )
    np.testing.assert_allclose(table_4.attitude((0.1, 1.0)), e, rtol=0.0, atol=3e-15)  # 15 digits given
    phi, theta, _ = table_4.angles(1.0)
    c = (np.sin(theta) * np.sin(phi), -np.sin(theta) * np.cos(phi), np.cos(theta))  # l = 1 m
    np.testing.assert_allclose(c, (0.127091429918704, -0.294409779766753, 0.947190925853341), rtol=0.0, atol=1e-15)


def test_heavy_top_mean_precession_matches_quadrature(table_4: HeavyTop) -> None:
    """Integral over the polar angle of the nutation by the trapezoidal rule, without elliptic functions."""
    u1, u2, u3 = table_4.cosines
    angle = (np.arange(400) + 0.5) * np.pi / 400.0
    u = 0.5 * (u1 + u2) - 0.5 * (u2 - u1) * np.cos(angle)
    slowness = 1.0 / np.sqrt(2.0 * 20.0 / 5.0 * (u3 - u))  # dt / d(angle)
    rate = (10.0 * np.cos(0.3) - 10.0 * u) / (1.0 - u * u)
    assert (rate * slowness).sum() / slowness.sum() == pytest.approx(table_4.mean_precession, rel=1e-13)
    assert 2.0 * np.pi / 400.0 * slowness.sum() == pytest.approx(table_4.period, rel=1e-13)


def test_heavy_top_matches_integration(integrate: Callable[..., np.ndarray]) -> None:
    rng = np.random.default_rng(3)
    for case in range(8):
        transverse, axial, wl = rng.uniform(0.6, 3.0), rng.uniform(0.1, 1.1), rng.uniform(0.2, 5.0)
        h3, tilt = rng.normal() * (0.3, 1.0, 8.0)[case % 3], rng.uniform(0.1, 2.9)
        thetadot, phidot = rng.normal() * (case % 2), rng.normal() * (case % 4 > 1)
        top = heavy_top(
            transverse,
            axial,
            weight_moment=wl,
            axial_momentum=h3,
            tilt=tilt,
            tilt_rate=thetadot,
            precession_rate=phidot,
        )
        h = (transverse * thetadot, transverse * phidot * np.sin(tilt), h3)
        e = (np.cos(0.5 * tilt), np.sin(0.5 * tilt), 0.0, 0.0)
        t = np.array([0.0, 0.1, 1.0, 5.0])
        expected = integrate((transverse, transverse, axial), h, e, times=t, weight_moment=wl)[:, 3:]
        np.testing.assert_allclose(top.attitude(t), expected, rtol=0.0, atol=2e-11)  # DOP853 at 1e-13 over 5 s
        angles = top.angles(np.linspace(0.0, 3.0 * top.period, 2001))
        low, high = top.tilt_limits
        assert low - 1e-13 <= angles[:, 1].min()
        assert angles[:, 1].max() <= high + 1e-13
        rate = np.diff(angles[:, 0]) / (3.0 * top.period / 2000.0)
        slack = 1e-10 * (1.0 + np.abs(rate).max())  # a mean of phidot over a step is between its limits
        assert top.precession_limits[0] - slack <= rate.min()
        assert rate.max() <= top.precession_limits[1] + slack


def test_fast_heavy_top_matches_the_approximation() -> None:
    top = heavy_top(5.0, 1.0, weight_moment=20.0, axial_momentum=5e4, tilt=0.3)
    # corrections are of the order W l I1 / h3^2 = 4e-8
    assert top.nutation_frequency == pytest.approx(5e4 / 5.0, rel=1e-7)
    assert top.mean_precession == pytest.approx(20.0 / 5e4, rel=1e-7)


def test_heavy_top_in_steady_precession_does_not_nutate() -> None:
    tilt, h3, wl, i1 = 0.8, 6.0, 2.0, 1.5
    slow = (h3 - np.sqrt(h3**2 - 4.0 * i1 * wl * np.cos(tilt))) / (2.0 * i1 * np.cos(tilt))
    top = heavy_top(i1, 0.9, weight_moment=wl, axial_momentum=h3, tilt=tilt, precession_rate=slow)
    assert np.ptp(top.tilt_limits) < 1e-14
    assert top.mean_precession == pytest.approx(slow, rel=1e-14)
    np.testing.assert_allclose(top.angles((0.0, 3.0, 50.0))[:, 0], slow * np.array([0.0, 3.0, 50.0]), rtol=1e-13)


def test_heavy_top_stays_accurate_over_many_periods(table_4: HeavyTop) -> None:
    n = 1000
    phi, theta, _ = table_4.angles(n * table_4.period)
    assert phi == pytest.approx(n * table_4.period * table_4.mean_precession, rel=1e-13)
    assert theta == pytest.approx(0.3, abs=1e-12)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tilt": 0.0}, "tilt must be between"),
        ({"weight_moment": 0.0}, "greater than 0"),
        ({"axial_momentum": 0.0}, "through the vertical"),  # a pendulum
        ({"axial_momentum": float("nan")}, "must be finite"),
        ({"axial": 11.0}, "triangle inequality"),
    ],
)
def test_heavy_top_rejects_bad_input(change: dict[str, float], words: str) -> None:
    given = {"axial": 1.0, "weight_moment": 20.0, "axial_momentum": 50.0, "tilt": 0.3, **change}
    with pytest.raises(InputError, match=words):
        heavy_top(5.0, given.pop("axial"), **given)
