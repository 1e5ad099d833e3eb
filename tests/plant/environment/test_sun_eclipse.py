"""Sun, Moon and eclipses against printed and closed-form numbers."""

import numpy as np
import pytest

pytest.importorskip("erfa")

import erfa

from polhode.plant.environment import (
    Epoch,
    eclipse_contacts,
    moon_position,
    sun_position,
    sunlit_fraction,
)
from polhode.plant.environment.constants import ASTRONOMICAL_UNIT, EARTH_RADIUS, MU, SUN_RADIUS

ARCSEC = np.pi / 648000.0


def test_apparent_sun_matches_meeus():
    epoch = Epoch("1992-10-12T23:59:00.816Z")  # 1992-10-13.0 TT
    sun = sun_position(epoch)
    of_date = erfa.pnm06a(*epoch.tt()) @ (sun / np.linalg.norm(sun))
    right_ascension = np.degrees(np.arctan2(of_date[1], of_date[0])) % 360.0 / 15.0
    declination = np.degrees(np.arcsin(of_date[2]))
    assert right_ascension == pytest.approx(13 + 13 / 60 + 30.749 / 3600, abs=0.1 / 15 / 3600)
    assert declination == pytest.approx(-(7 + 47 / 60 + 1.74 / 3600), abs=0.1 / 3600)
    geometric = sun_position(epoch, apparent=False)
    turn = np.linalg.norm(np.cross(geometric, sun)) / np.linalg.norm(sun) ** 2
    assert turn / ARCSEC == pytest.approx(20.5, abs=0.5)
    assert np.linalg.norm(sun) == pytest.approx(0.997608 * ASTRONOMICAL_UNIT, rel=2e-6)


def test_moon_matches_meeus():
    epoch = Epoch("1992-04-11T23:59:00.816Z")  # 1992-04-12.0 TT, example 47.a
    moon = moon_position(epoch)
    of_date = erfa.pnm06a(*epoch.tt()) @ moon
    assert np.linalg.norm(moon) == pytest.approx(368409.7e3, abs=2e3)
    # apparent ascension and declination printed
    ascension, declination = (
        np.degrees(np.arctan2(of_date[1], of_date[0])),
        np.degrees(np.arcsin(of_date[2] / np.linalg.norm(of_date))),
    )
    assert ascension == pytest.approx(134.688469, abs=3e-3)
    assert declination == pytest.approx(13.768367, abs=3e-3)


def circular(t, sun):
    """Circular orbit at 500 km through the direction of the Sun, and a Sun at rest."""
    a = EARTH_RADIUS + 500e3
    u = np.sqrt(MU / a**3) * np.asarray(t)
    return a * np.stack([np.cos(u), np.sin(u), 0.0 * u], -1), np.broadcast_to(sun, (*np.shape(t), 3))


def test_eclipse_at_500_km_lasts_as_the_closed_form_says():
    sun = np.array((ASTRONOMICAL_UNIT, 0.0, 0.0))
    contacts = eclipse_contacts(lambda t: circular(t, sun), start=0.0, stop=5670.0)
    assert [(each.shadow, each.enters) for each in contacts] == [
        ("penumbra", True), ("umbra", True), ("umbra", False), ("penumbra", False),
    ]  # fmt: skip
    assert contacts[3].t - contacts[0].t == pytest.approx(2153.7057, abs=1e-3)
    assert contacts[2].t - contacts[1].t == pytest.approx(2136.8985, abs=1e-3)


def test_contacts_are_those_of_the_tangent_cones():
    sun = np.array((0.0, ASTRONOMICAL_UNIT, 0.0))
    for contact in eclipse_contacts(lambda t: circular(t, sun), start=0.0, stop=5670.0):
        r, _ = circular(contact.t, sun)
        slope = (SUN_RADIUS + (EARTH_RADIUS if contact.shadow == "penumbra" else -EARTH_RADIUS)) / ASTRONOMICAL_UNIT
        tangent, secant = slope / np.sqrt(1 - slope**2), 1.0 / np.sqrt(1 - slope**2)
        sign = 1.0 if contact.shadow == "penumbra" else -1.0
        radius = EARTH_RADIUS * secant + sign * tangent * -r[1]
        assert np.hypot(r[0], r[2]) == pytest.approx(radius, rel=1e-10)


def test_grazing_eclipse_between_grid_rows_is_found():
    a = EARTH_RADIUS + 500e3
    beta = np.arcsin(EARTH_RADIUS / a) - 1e-6
    tilt = beta + SUN_RADIUS / ASTRONOMICAL_UNIT  # penumbra only; the parallax of the craft, 4e-5, deepens it
    for angle, longest in ((beta, 400.0), (tilt, 40.0)):
        sun = ASTRONOMICAL_UNIT * np.array((np.cos(angle), 0.0, np.sin(angle)))
        contacts = eclipse_contacts(lambda t, s=sun: circular(t, s), start=0.0, stop=5670.0, step=300.0)
        assert [each.enters for each in contacts if each.shadow == "penumbra"] == [True, False]
        assert 0.0 < contacts[-1].t - contacts[0].t < longest


def test_sunlit_fraction_is_half_behind_a_straight_edge():
    r = np.array((-(EARTH_RADIUS + 500e3), 0.0, 0.0))
    b = np.arcsin(EARTH_RADIUS / -r[0])
    toward = ASTRONOMICAL_UNIT * np.array((np.cos(b), np.sin(b), 0.0))  # its centre on the limb
    value = float(sunlit_fraction(r, r + toward))
    a = SUN_RADIUS / ASTRONOMICAL_UNIT
    assert value == pytest.approx(0.5 + a / (3 * np.pi * b), abs=1e-6)  # first order in the curvature of the limb
    assert float(sunlit_fraction(r, r - toward)) == 1.0
    assert float(sunlit_fraction(r, r + ASTRONOMICAL_UNIT * np.array((1.0, 0.0, 0.0)))) == 0.0


def test_sunlit_fraction_matches_integration_over_the_disc():
    r = np.array((-(EARTH_RADIUS + 500e3), 0.0, 0.0))
    b, a = np.arcsin(EARTH_RADIUS / -r[0]), np.arcsin(SUN_RADIUS / ASTRONOMICAL_UNIT)
    for share in (-0.9, -0.3, 0.2, 0.8):
        c = b + share * a
        s = ASTRONOMICAL_UNIT * np.array((np.cos(c), np.sin(c), 0.0))
        x = np.linspace(-a, a, 200001)
        x = 0.5 * (x[1:] + x[:-1])
        half = np.sqrt(a * a - x * x)
        hidden = np.clip(b * b - (c + x) ** 2, 0.0, None) ** 0.5  # plane discs, as in the model
        lens = np.minimum(half, hidden).sum() * (2 * a / 200000) * 2
        assert float(sunlit_fraction(r, r + s)) == pytest.approx(1 - lens / (np.pi * a * a), abs=1e-6)
