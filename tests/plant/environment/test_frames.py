"""Frames and dates against the numbers of Vallado et al. (2006) and SOFA."""

import numpy as np
import pytest

from polhode import plant

pytest.importorskip("erfa")

from polhode.plant.environment import Epoch, SGP4Orbit
from polhode.plant.environment.frames import gcrf_to_itrf, geodetic, lvlh, teme_to_gcrf

ARCSEC = np.pi / 648000.0
DATE, DUT1 = "2004-04-06T07:51:28.386009Z", -0.4399619
ITRF = 1e3 * np.array((-1033.4793830, 7901.2952754, 6380.3565958))
GCRF = 1e3 * np.array((5102.508959486, 6123.011392960, 6378.136934384))
TEME = 1e3 * np.array((5094.18016210, 6127.64465950, 6380.34453270))  # Vallado et al. 2006, table 4


def test_epoch_gives_terrestrial_time_and_ut1():
    epoch = Epoch(DATE, dut1=DUT1)
    day, fraction = epoch.tt()
    utc = 7 * 3600 + 51 * 60 + 28.386009  # s after Julian date 2453101.5
    assert (day - 2453101.5) * 86400 + fraction * 86400 == pytest.approx(utc + 64.184, abs=1e-9)
    day, fraction = epoch.ut1(10.0)
    assert (day - 2453101.5) * 86400 + fraction * 86400 == pytest.approx(utc + DUT1 + 10.0, abs=1e-9)
    assert Epoch("2026-07-02T12:00:00Z").decimal_year() == pytest.approx(2026.5, abs=1e-12)
    assert str(Epoch("2026-03-20T12:00:00.25Z").datetime64(0.5)) == "2026-03-20T12:00:00.750000000"


def test_terrestrial_position_turns_into_the_celestial_one():
    pole = (-0.140682 * ARCSEC, 0.333309 * ARCSEC)
    turn = gcrf_to_itrf(Epoch(DATE, dut1=DUT1), 0.0, polar_motion=pole)
    # without the celestial pole offsets dX, dY = -0.2, -0.1 milliarcsec: 1e-9 rad of 1e7 m
    np.testing.assert_allclose(turn.T @ ITRF, GCRF, rtol=0, atol=0.02)
    bare = gcrf_to_itrf(Epoch(DATE), 0.0)
    assert np.linalg.norm(bare.T @ ITRF - GCRF) == pytest.approx(261.76, abs=0.05)  # no Earth orientation at all


def test_teme_of_sgp4_turns_into_gcrf():
    position, _ = teme_to_gcrf(Epoch(DATE, dut1=DUT1), 0.0, TEME, np.zeros(3))
    # the polar motion of that day, which is omitted, and the 1982 sidereal time leave metres; TEME as it is, 9.78 km
    assert np.linalg.norm(position - GCRF) < 20.0
    assert np.linalg.norm(TEME - GCRF) == pytest.approx(9780.0, rel=1e-2)


def test_teme_turns_velocity_like_position():
    epoch = Epoch("2026-06-01T00:00:00Z")
    position, velocity = teme_to_gcrf(epoch, np.zeros(2), np.eye(3)[:2], np.eye(3)[:2])
    np.testing.assert_array_equal(position, velocity)
    assert position[0] @ position[1] == pytest.approx(0.0, abs=1e-15)


def test_geodetic_height_inverts_the_ellipsoid():
    longitude, latitude, height = 0.7, np.radians((-89.9, -30.0, 0.0, 45.0, 90.0)), 500e3
    square = (2 - 1 / 298.257223563) / 298.257223563
    n = 6378137.0 / np.sqrt(1 - square * np.sin(latitude) ** 2)
    c, s = np.cos(latitude), np.sin(latitude)
    rho = (n + height) * c
    fixed = np.stack([rho * np.cos(longitude), rho * np.sin(longitude), (n * (1 - square) + height) * s], -1)
    lon, lat, h = geodetic(fixed)
    np.testing.assert_allclose(lat, latitude, rtol=0, atol=1e-12)
    np.testing.assert_allclose(h, height, rtol=0, atol=1e-6)
    np.testing.assert_allclose(lon[1:4], longitude, rtol=0, atol=1e-12)


def test_orbital_axes_point_forward_and_down():
    axes = lvlh((7e6, 0, 0), (0, 7.5e3, 0))
    np.testing.assert_array_equal(axes, np.array(((0, 0, -1), (1, 0, 0), (0, -1, 0))))
    with pytest.raises(plant.InputError, match="not parallel"):
        lvlh((7e6, 0, 0), (1e3, 0, 0))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2026-13-01T00:00:00Z", "does not exist"),
        ("2026-02-30T00:00:00Z", "does not exist"),
        ("2026-01-01T25:00:00Z", "has an invalid time of day"),
        ("2026-01-01T12:00:60Z", "has an invalid time of day"),
        ("1960-01-01T00:00:00Z", "years 1972 to 2099"),
        ("tomorrow", "must be a UTC date"),
        (20260101, "must be a UTC date"),
    ],
)
def test_epoch_rejects_dates_that_do_not_exist(text, message):
    with pytest.raises(plant.InputError, match=message):
        Epoch(text)


LINES = (
    "1 00005U 58002B   00179.78495062  .00000023  00000-0  28098-4 0  4753",
    "2 00005  34.2682 348.7242 1859667 331.7664  19.3264 10.82419157413667",
)


def test_sgp4_orbit_reproduces_the_verification_run():
    pytest.importorskip("sgp4")
    orbit = SGP4Orbit(LINES, Epoch("2000-06-27T18:50:19.733568Z"))  # day 179.78495062
    position, velocity = orbit.state(np.array([0.0]))
    # printed at t = 0 in TEME by the SGP4 verification output (Vallado et al. 2006)
    teme = 1e3 * np.array((7022.46529266, -1400.08296755, 0.03995155))
    assert np.linalg.norm(position[0]) == pytest.approx(np.linalg.norm(teme), abs=0.05)
    assert np.linalg.norm(velocity[0]) == pytest.approx(
        1e3 * np.linalg.norm((1.893841015, 6.405893759, 4.534807250)), abs=1e-4
    )
    # half a year after J2000 precession and nutation turn by less than 40 arcsec
    assert 1.0 < np.linalg.norm(position[0] - teme) < 2000.0


def test_sgp4_orbit_rejects_bad_lines():
    pytest.importorskip("sgp4")
    epoch = Epoch("2000-06-27T18:50:00Z")
    with pytest.raises(plant.InputError, match="checksum 4, but its sum is 3"):
        SGP4Orbit((LINES[0][:-1] + "4", LINES[1]), epoch)
    with pytest.raises(plant.InputError, match="has 69 characters"):
        SGP4Orbit((LINES[0], "2 00005"), epoch)
    with pytest.raises(plant.InputError, match="9496 days after"):
        SGP4Orbit(LINES, Epoch("2026-06-27T18:50:00Z"))
