"""Magnetic field, density and their tables against the libraries called directly and against printed numbers."""

import numpy as np
import pytest

from polhode import plant

pytest.importorskip("erfa")

from polhode.plant.environment import (
    DipoleField,
    Epoch,
    ExponentialDensity,
    IGRFField,
    MeanOrbit,
    NRLMSISDensity,
    fields_along,
)
from polhode.plant.environment.frames import gcrf_to_itrf, geodetic
from polhode.plant.environment.magnetic_field import _spherical_field
from polhode.plant.environment.spline_table import COLUMNS

EPOCH = Epoch("2026-03-20T12:00:00Z")
ORBIT = MeanOrbit(epoch=EPOCH, semi_major_axis=6878137.0, eccentricity=0.002, inclination=1.7, raan=0.3)


def test_igrf_matches_the_reference_program():
    pytest.importorskip("ppigrf")
    theta, phi, r = np.radians(48.37), np.radians(185.20), 6862.91e3
    place = r * np.array((np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)))
    start = np.datetime64("2014-01-01T00:00:00.000000")
    date = start + np.timedelta64(round(0.9 * 365 * 86400), "s")
    field = _spherical_field(place[None], [date])[0, 0] * 1e9
    north = np.array((-np.cos(theta) * np.cos(phi), -np.cos(theta) * np.sin(phi), np.sin(theta)))
    east = np.array((-np.sin(phi), np.cos(phi), 0.0))
    # igrf14syn counts 2010 to 2015 in years, ppigrf in days: 0.1 nT
    np.testing.assert_allclose(
        (field @ north, field @ east, -field @ place / r), (19498.65137, 2350.63958, 29187.72904), rtol=0, atol=0.1
    )


def test_field_at_a_pole_is_finite():
    pytest.importorskip("ppigrf")
    r = np.array(((0.0, 0.0, 6.9e6), (0.0, 0.0, -6.9e6)))
    found = _spherical_field(r, [np.datetime64("2026-01-01T00:00:00.000000")])
    assert np.isfinite(found).all()
    near = _spherical_field(r + np.array((30.0, 0.0, 0.0)), [np.datetime64("2026-01-01T00:00:00.000000")])
    np.testing.assert_allclose(found, near, rtol=0, atol=1e-9)


def test_dipole_is_the_first_degree_of_igrf():
    ppigrf = pytest.importorskip("ppigrf")
    epoch = Epoch("2025-01-01T00:00:00Z")
    position = np.array(((5e6, 3e6, -4e6), (-2e6, 1e6, 6.5e6)))
    t = np.zeros(2)
    found = DipoleField().along(epoch, t, position=position)
    turn = gcrf_to_itrf(epoch, t)
    fixed = np.einsum("nij,nj->ni", turn, position)
    r = np.linalg.norm(fixed, axis=1)
    theta, phi = np.arccos(fixed[:, 2] / r), np.arctan2(fixed[:, 1], fixed[:, 0])
    when = epoch.datetime64().astype("datetime64[us]").item()
    radial, south, east = (
        np.ravel(each) for each in ppigrf.igrf_gc(r / 1e3, np.degrees(theta), np.degrees(phi), when, max_degree=1)
    )
    in_earth = np.einsum("nij,nj->ni", turn, found) * 1e9
    up = fixed / r[:, None]
    np.testing.assert_allclose(np.sum(in_earth * up, 1), radial, rtol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(in_earth, axis=1), np.sqrt(radial**2 + south**2 + east**2), rtol=1e-9)
    dipole = np.asarray(DipoleField().coefficients) * 1e9
    assert np.linalg.norm(dipole) == pytest.approx(29733.3654, abs=1e-3)
    pole = -dipole / np.linalg.norm(dipole)
    assert np.degrees(np.arcsin(pole[2])) == pytest.approx(80.789, abs=1e-3)
    assert np.degrees(np.arctan2(pole[1], pole[0])) == pytest.approx(-72.763, abs=1e-3)


def test_exponential_density_matches_the_printed_example():
    assert float(ExponentialDensity.at(np.array(747211.9))) == pytest.approx(2.121985e-14, rel=1e-6)
    for height, density in ((0.0, 1.225), (500e3, 6.967e-13), (1000e3, 3.019e-15)):
        assert float(ExponentialDensity.at(np.array(height))) == density


def test_nrlmsis_density_is_that_of_pymsis():
    pymsis = pytest.importorskip("pymsis")
    t = np.array((0.0, 600.0))
    position, _ = ORBIT.state(t)
    found = NRLMSISDensity(f107=150.0, f107a=140.0, ap=7.0).along(EPOCH, t, position=position)
    lon, lat, height = geodetic(np.einsum("nij,nj->ni", gcrf_to_itrf(EPOCH, t), position))
    for k in range(2):
        date = EPOCH.datetime64(float(t[k]))
        direct = pymsis.calculate(
            date, np.degrees(lon[k]), np.degrees(lat[k]), height[k] / 1e3, 150.0, 140.0, [[7.0] * 7]
        )
        assert found[k] == pytest.approx(float(np.ravel(direct)[0]), rel=1e-6)
    assert (found > 1e-13).all()
    assert (found < 1e-11).all()


@pytest.mark.parametrize("density", [ExponentialDensity(), NRLMSISDensity(f107=150.0, f107a=150.0, ap=7.0)])
def test_table_reproduces_the_models_between_its_rows(density):
    pytest.importorskip("ppigrf")
    if isinstance(density, NRLMSISDensity):
        pytest.importorskip("pymsis")
    field = IGRFField()
    table = fields_along(ORBIT, 6000.0, magnetic=field, density=density)
    t = np.random.default_rng(3).uniform(0.0, 6000.0, 60)
    rows = table.at(t)
    position, _ = ORBIT.state(t)
    direct = field.along(EPOCH, t, position=position)
    off = np.linalg.norm(rows[:, COLUMNS.field : COLUMNS.wind] - direct, axis=1) / np.linalg.norm(direct, axis=1)
    assert off.max() < 1e-4
    np.testing.assert_allclose(rows[:, :3], position, rtol=0, atol=1e-4 * 7e6)
    direct = np.log(density.along(EPOCH, t, position=position))
    np.testing.assert_allclose(rows[:, COLUMNS.log_density], direct, rtol=0, atol=1e-4)
    assert max(table.errors.values()) < 1e-4


def test_wind_turns_with_the_earth():
    equator = MeanOrbit(epoch=EPOCH, semi_major_axis=6878137.0, inclination=0.0, oblate=False)
    table = fields_along(equator, 600.0, density=ExponentialDensity())
    wind = table.at(np.array((0.0, 300.0)))[:, COLUMNS.wind : COLUMNS.log_density]
    speed = np.sqrt(3.986004418e14 / 6878137.0) - 7.292115e-5 * 6878137.0
    # the pole of date is 0.15 degrees from that of the GCRF: second order in the length
    np.testing.assert_allclose(np.linalg.norm(wind, axis=1), speed, rtol=1e-5)


def test_fields_reject_dates_and_orbits_outside_the_models():
    pytest.importorskip("ppigrf")
    late = MeanOrbit(epoch=Epoch("2031-01-01T00:00:00Z"), semi_major_axis=6878137.0)
    with pytest.raises(plant.InputError, match="IGRF-14 covers the years 1900 to 2030"):
        fields_along(late, 600.0, magnetic=IGRFField())
    with pytest.raises(plant.InputError, match="f107 must be 50 to 500"):
        NRLMSISDensity(f107=10.0, f107a=150.0, ap=7.0)
