"""Positions on conics, against extended precision and against integration of the two-body equation."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode.plant.loads.potentials.kepler import kepler_position

MU = 3.986004415e14  # m^3/s^2
R = 7.0e6  # m, distance at periapsis
LONG = np.longdouble
EPS = float(np.finfo(np.float64).eps)
extended = pytest.mark.skipif(np.finfo(LONG).eps > 1e-18, reason="needs a long double of 64 bits of mantissa")


def periapsis(e: float):
    """Position and velocity at periapsis of an orbit of eccentricity e, tilted so that no component is zero."""
    x, y = np.array((0.36, 0.48, 0.8)), np.array((0.8, -0.6, 0.0))
    return R * x, np.sqrt(MU * (1.0 + e) / R) * y


def reference(t, r, v):
    """The same position in extended precision: Kepler's equation in the change of eccentric anomaly, bisected."""
    t, mu, r, v = LONG(t), LONG(MU), np.asarray(r, LONG), np.asarray(v, LONG)
    size, speed2, rv = np.sqrt(r @ r), v @ v, r @ v
    a = 1 / (2 / size - speed2 / mu)
    n, s = np.sqrt(mu / abs(a) ** 3), rv / np.sqrt(mu * abs(a))
    if a > 0:
        turn = 8 * np.arctan(LONG(1))
        m = n * t - turn * np.floor(n * t / turn)
        low, high = LONG(0), turn

        def f(x):
            return x - (1 - size / a) * np.sin(x) + s * (1 - np.cos(x)) - m
    else:
        m = n * abs(t)
        s = s if t >= 0 else -s
        low, high = LONG(0), LONG(80)  # sinh 80 = 3e34

        def f(x):
            return -x + (1 - size / a) * np.sinh(x) + s * (np.cosh(x) - 1) - m

    for _ in range(120):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) < 0 else (low, middle)
    x = (low + high) / 2
    if a > 0:
        return (1 - a / size * (1 - np.cos(x))) * r + (m / n - (x - np.sin(x)) / n) * v
    g = (abs(t) - (np.sinh(x) - x) / n) * (1 if t >= 0 else -1)
    return (1 - a / size * (1 - np.cosh(x))) * r + g * v


def off(t, r, v):
    """Position error relative to the radius of the reference."""
    expected = reference(t, r, v)
    return float(np.linalg.norm(np.array(kepler_position(t, MU, *r, *v), LONG) - expected) / np.linalg.norm(expected))


@extended
@pytest.mark.parametrize("e", [0.0, 1e-12, 1e-6, 0.01, 0.3, 0.7, 0.99])
def test_kepler_ellipses_match_extended_precision(e):
    r, v = periapsis(e)
    period = 2 * np.pi * np.sqrt((R / (1 - e)) ** 3 / MU) if e else 2 * np.pi * np.sqrt(R**3 / MU)
    for share in (1e-6, 0.01, 0.2, 0.4999, 0.5, 0.51, 0.8, 0.999, 3.3, -0.3, -7.77):
        # alpha = 2/r - v^2/mu is (1 - e)/R and carries a few eps/R of rounding error; so do the period and the time
        # since the last pericentre passage. The position error is the distance travelled in that time.
        t = share * period
        radius = float(np.linalg.norm(reference(t, r, v)))
        speed = np.sqrt(MU * (2 / radius - (1 - e) / R))
        late = 4 * EPS / (1 - e) * abs(t)
        assert off(t, r, v) < 16 * EPS / (1 - e) + speed * late / radius


@extended
@pytest.mark.parametrize("e", [1.01, 1.5, 3.0, 20.0, 102.0, 1e3, 1e6])
def test_kepler_hyperbolas_match_extended_precision(e):
    r, v = periapsis(e)
    for t in (1.0, 1e2, 1e4, 1e5, 1e6, 1e8, -1e3, -1e7):
        # a universal anomaly of up to 20 in cosh and sinh multiplies its rounding by 20; e - 1 = 0.01 by 100
        assert off(t, r, v) < 4e-14 * max(1.0, 0.1 / (e - 1.0))


@extended
@pytest.mark.parametrize("e", [0.3, 0.99, 1.5, 3.0])
def test_kepler_from_any_initial_point_of_the_orbit(e):
    r0, v0 = periapsis(e)
    for start in (-9000.0, 4000.0):
        # position from the reference, velocity from its fourth-order difference: their rounding error does not
        # matter, because both sides use the same initial state
        r = reference(start, r0, v0).astype(float)
        h = 0.5
        p = [reference(start + k * h, r0, v0) for k in (-2, -1, 1, 2)]
        v = ((8 * (p[2] - p[1]) - (p[3] - p[0])) / (12 * h)).astype(float)
        for t in (1.0, 3000.0, 8999.0, 9001.0, 20000.0, -5000.0, 1e6):
            # the fall from r to the periapsis amplifies an initial error by r/R
            radius = float(np.linalg.norm(r))
            turns = abs(t) / 5000.0 if e < 1 else 1.0
            assert off(t, r, v) < 3e-14 * (radius / R) ** 2 * (1 + turns) / abs(1 - e)


@pytest.mark.parametrize("t", [1.0, 600.0, 1e5, 1e7, -600.0, -1e7])
def test_kepler_parabola_matches_barkers_equation(t):
    r, v = periapsis(1.0)
    # Barker: with q = R, tan(nu/2) = s solves s + s^3/3 = sqrt(mu/(2 q^3)) t
    m = np.sqrt(MU / (2 * R**3)) * t
    s = 2 * np.sinh(np.arcsinh(1.5 * m) / 3)
    x, y = r / R, v / np.linalg.norm(v)
    expected = R * ((1 - s * s) * x + 2 * s * y)
    # alpha is only rounding error here, about 1e-16/R: at distance r its relative effect is alpha r = 1e-16 r/R
    share = 1e-13 + 1e-14 * np.linalg.norm(expected) / R
    np.testing.assert_allclose(kepler_position(t, MU, *r, *v), expected, rtol=0, atol=share * np.linalg.norm(expected))


@pytest.mark.parametrize("e", [0.0, 0.4, 0.9, 1.0, 1.3])
def test_kepler_matches_numerical_integration(e):
    r, v = periapsis(e)

    def f(t, y):
        return np.concatenate([y[3:], -MU * y[:3] / np.linalg.norm(y[:3]) ** 3])

    times = np.array((500.0, 3000.0, 9000.0))
    scale = np.concatenate([np.full(3, R), np.full(3, 1e4)])
    y = solve_ivp(f, (0, 9000), [*r, *v], method="DOP853", rtol=1e-13, atol=1e-13 * scale, t_eval=times).y
    for n, t in enumerate(times):
        # the global error of DOP853 over an orbit is about a hundred times its rtol
        np.testing.assert_allclose(
            kepler_position(t, MU, *r, *v), y[:3, n], rtol=0, atol=2e-11 * np.linalg.norm(y[:3, n])
        )


def test_kepler_at_time_zero_is_the_initial_position():
    r, v = periapsis(0.3)
    np.testing.assert_array_equal(kepler_position(0.0, MU, *r, *v), r)


def test_kepler_stays_accurate_over_many_revolutions():
    r, v = periapsis(0.1)
    alpha = 2 / R - v @ v / MU
    period = 2 * np.pi / np.sqrt(MU * alpha**3)
    once, often = (np.array(kepler_position(0.3 * period + n * period, MU, *r, *v)) for n in (0, 100_000))
    # the time itself, 100,000 periods, is rounded to eps, which is 6e5 eps = 1.4e-10 rad of phase
    np.testing.assert_allclose(often, once, rtol=0, atol=3e-10 * R)


def test_kepler_backwards_is_the_mirror_image():
    r, v = periapsis(0.6)
    there = np.array(kepler_position(-1234.5, MU, *r, *v))
    np.testing.assert_allclose(kepler_position(1234.5, MU, *r, *-v), there, rtol=1e-15)


@pytest.mark.parametrize("ratio", [12.0, 1e2, 1e4, 1e6])
@pytest.mark.parametrize("aim", [0.9, 0.3, 0.02])
def test_kepler_fast_fly_by_matches_integration(ratio, aim):
    """Ratio: speed over circular speed. Aim: miss distance over initial distance."""
    r, v = np.array((1.0, 0.0, 0.0)), ratio * np.array((-np.sqrt(1.0 - aim**2), aim, 0.0))
    for passed in (0.5, 1.0, 1.7):
        t = passed / ratio

        def slope(_, y):
            return np.concatenate([y[3:], -y[:3] / np.linalg.norm(y[:3]) ** 3])

        expected = solve_ivp(slope, (0.0, t), np.concatenate([r, v]), rtol=1e-13, atol=1e-15, method="DOP853").y[:3, -1]
        # the aim is a difference of initial components: the relative error grows by 1/aim beyond the pericentre
        np.testing.assert_allclose(kepler_position(t, 1.0, *r, *v), expected, rtol=0, atol=1e-12 / aim)


def test_kepler_fast_fly_by_is_straight():
    r, v = np.array((-1e6, 2e4, 0.0)), np.array((5e3, 0.0, 0.0))  # past an asteroid at two million times its circle
    for t in (1.0, 199.0, 200.0, 201.0, 1e5):
        line = r + t * v
        np.testing.assert_allclose(kepler_position(t, 4.9, *r, *v), line, rtol=0, atol=1e-9 * np.linalg.norm(line))
