"""Orbits against closed forms and integration."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode import plant

pytest.importorskip("erfa")

from polhode.plant.environment import (
    EphemerisOrbit,
    Epoch,
    MeanOrbit,
    beta_angle,
    local_time_of_node,
    sun_position,
    sun_synchronous_inclination,
)
from polhode.plant.environment.constants import EARTH_RADIUS, J2, MU

EPOCH = Epoch("2026-03-20T12:00:00Z")
ORBIT = MeanOrbit(
    epoch=EPOCH, semi_major_axis=7.2e6, eccentricity=0.05, inclination=1.1, raan=0.4, argument_of_perigee=2.0,
    mean_anomaly=0.7, oblate=False,
)  # fmt: skip


def test_unperturbed_orbit_matches_integration():
    r, v = ORBIT.state(0.0)
    t = np.linspace(0.0, 9000.0, 7)
    found = solve_ivp(
        lambda _, y: np.concatenate([y[3:], -MU * y[:3] / np.linalg.norm(y[:3]) ** 3]),
        (0.0, 9000.0), np.concatenate([r, v]), method="DOP853", rtol=1e-13, atol=1e-6, t_eval=t,
    )  # fmt: skip
    position, velocity = ORBIT.state(t)
    np.testing.assert_allclose(position, found.y[:3].T, rtol=0, atol=1e-3)
    np.testing.assert_allclose(velocity, found.y[3:].T, rtol=0, atol=1e-6)


def test_node_of_the_oblate_orbit_drifts_as_integrated():
    orbit = MeanOrbit(epoch=EPOCH, semi_major_axis=7.2e6, eccentricity=0.01, inclination=0.9)

    def slope(_, y):
        x = y[:3]
        r = np.linalg.norm(x)
        u = (x[2] / r) ** 2
        pull = -MU / r**3 * x + 1.5 * J2 * MU * EARTH_RADIUS**2 / r**5 * x * (5 * u - np.array((1, 1, 3)))
        return np.concatenate([y[3:], pull])

    r, v = orbit.state(0.0)
    days = 3.0 * 86400.0
    found = solve_ivp(
        slope, (0.0, days), np.concatenate([r, v]), method="DOP853", rtol=1e-10, atol=1e-4, dense_output=True
    )
    normal = np.array([np.cross(y[:3], y[3:]) for y in found.sol(np.linspace(days - orbit.period, days, 200)).T])
    node = np.unwrap(np.arctan2(normal[:, 0], -normal[:, 1])).mean()
    normal = np.array([np.cross(y[:3], y[3:]) for y in found.sol(np.linspace(0.0, orbit.period, 200)).T])
    start = np.unwrap(np.arctan2(normal[:, 0], -normal[:, 1])).mean()
    drift = (node - start) / (days - orbit.period)
    # mean and osculating elements differ by J2: 1 % of the rate
    assert drift == pytest.approx(orbit.rates[0], rel=1.2e-2)


def test_oblate_velocity_is_the_derivative_of_position():
    orbit = MeanOrbit(epoch=EPOCH, semi_major_axis=7.2e6, eccentricity=0.05, inclination=1.1, argument_of_perigee=1.0)
    h = 0.05
    ahead, behind = orbit.state(777.0 + h)[0], orbit.state(777.0 - h)[0]
    # second difference of an orbit, (n h)^2 v/6, and rounding of the position over h
    np.testing.assert_allclose(orbit.state(777.0)[1], (ahead - behind) / (2 * h), rtol=0, atol=1e-5)


def test_sun_synchronous_inclination_matches_the_closed_form():
    assert np.degrees(sun_synchronous_inclination(6878137.0)) == pytest.approx(97.401808, abs=1e-6)
    with pytest.raises(plant.InputError, match="no orbit with a semi-major axis of 20000 km is sun-synchronous"):
        sun_synchronous_inclination(2e7)


def test_sun_synchronous_node_keeps_its_local_time():
    a = 6878137.0
    orbit = MeanOrbit(epoch=EPOCH, semi_major_axis=a, inclination=sun_synchronous_inclination(a), raan=0.5)
    year = 365.2421897 * 86400.0
    hours = [float(local_time_of_node(*orbit.state(t), sun=sun_position(EPOCH, t))) for t in (0.0, year)]
    # 2.8 h before the equinox of date, which has moved by 0.33 degrees since J2000: 0.03 h
    assert hours[0] == pytest.approx(12.0 + 0.5 * 12 / np.pi, abs=0.04)
    assert hours[1] == pytest.approx(hours[0], abs=0.02)


def test_beta_angle_is_that_to_the_orbital_plane():
    r, v = ORBIT.state(100.0)
    normal = np.cross(r, v) / np.linalg.norm(np.cross(r, v))
    assert float(beta_angle(r, v, sun=normal)) == pytest.approx(np.pi / 2)
    assert float(beta_angle(r, v, sun=r)) == pytest.approx(0.0, abs=1e-12)
    assert float(beta_angle(r, v, sun=r / np.linalg.norm(r) - normal)) == pytest.approx(-np.pi / 4)
    with pytest.raises(plant.InputError, match="no ascending node"):
        local_time_of_node((7e6, 0, 0), (0, 7.5e3, 0), sun=(1, 0, 0))


def test_ephemeris_orbit_interpolates_between_rows():
    t = np.arange(-600.0, 6600.0, 60.0)
    position, velocity = ORBIT.state(t)
    orbit = EphemerisOrbit(epoch=EPOCH, t=t, position=position, velocity=velocity)
    times = np.linspace(0.0, 6000.0, 333)
    # (n h)^4 r/384 of a 60 s step, at the perigee of this orbit
    np.testing.assert_allclose(orbit.state(times)[0], ORBIT.state(times)[0], rtol=0, atol=0.5)
    with pytest.raises(plant.InputError, match="covers -600 to 6540 s"):
        orbit.state(7000.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"t": (0.0, 60.0, 60.0)}, "must ascend; row 2 is at 60 s"),
        ({"velocity": np.ones((3, 3))}, "do not match its positions"),
        ({"position": np.ones((2, 3))}, r"got shapes \(3,\), \(2, 3\)"),
    ],
)
def test_ephemeris_orbit_rejects_tables_that_contradict_themselves(change, message):
    t = np.array((0.0, 60.0, 120.0))
    position, velocity = ORBIT.state(t)
    with pytest.raises(plant.InputError, match=message):
        EphemerisOrbit(**({"epoch": EPOCH, "t": t, "position": position, "velocity": velocity} | change))


def test_mean_orbit_rejects_elements_out_of_range():
    for change, message in (
        ({"eccentricity": 1.0}, "eccentricity must be 0 to below 1"),
        ({"eccentricity": 0.2}, "perigee is 5760 km from the centre"),
        ({"inclination": 4.0}, "inclination must be 0 to 180 degrees"),
        ({"semi_major_axis": -1.0}, "must be greater than 0"),
    ):
        with pytest.raises(plant.InputError, match=message):
            MeanOrbit(**({"epoch": EPOCH, "semi_major_axis": 7.2e6} | change))
