"""Pointing by orbit and Sun against directions computed without it."""

import numpy as np
import pytest

from polhode.controllers import NadirPointing, OrbitPointing
from polhode.plant import InputError
from polhode.plant.attitude import rotation_matrix
from polhode.plant.environment import Epoch, MeanOrbit, beta_angle, sun_position
from polhode.plant.environment.constants import MU

EPOCH = Epoch("2026-03-20T12:00:00Z")
ORBIT = MeanOrbit(epoch=EPOCH, semi_major_axis=7e6, inclination=1.1, raan=1.2, oblate=False)
TIMES = np.linspace(0.0, 5800.0, 97)


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def turned(reference, axis):
    """Inertial directions (n, 3) of a body axis at `TIMES`."""
    return np.array([rotation_matrix(reference.at(t)[:4]) @ axis for t in TIMES])


def test_nadir_on_an_ellipse_is_that_of_the_closed_form():
    orbit = MeanOrbit(
        epoch=EPOCH, semi_major_axis=8e6, eccentricity=0.1, inclination=0.8, raan=0.4, mean_anomaly=2.0, oblate=False
    )
    axes = {"boresight": (0.2, 0.1, 1.0), "clock": (0, -1, 0)}
    for target in ("orbit-normal", "velocity"):
        reference = OrbitPointing(orbit, 7000.0, **axes, clock_target=target)
        r, v = orbit.state(0.0)
        exact = NadirPointing(r, v, mu=MU, **axes, clock_target=target)
        for t in np.linspace(0, 7000, 57):
            one, other = reference.at(t), exact.at(t)
            np.testing.assert_allclose(rotation_matrix(one[:4]), rotation_matrix(other[:4]), rtol=0, atol=2e-7)
            np.testing.assert_allclose(one[4:7], other[4:7], rtol=0, atol=1e-8)
    assert reference.follows_orbit
    np.testing.assert_allclose(reference.center_direction(100.0), -unit(orbit.state(100.0)[0]), atol=1e-15)


def test_yaw_steering_keeps_the_panel_axis_square_to_the_sun():
    reference = OrbitPointing(ORBIT, 5800.0, boresight=(0, 0, 1), clock=(1, 0, 0), clock_target="sun")
    r, _ = ORBIT.state(TIMES)
    sun = unit(sun_position(EPOCH, TIMES) - r)
    np.testing.assert_allclose(turned(reference, (0, 0, 1)), -unit(r), rtol=0, atol=2e-7)
    np.testing.assert_allclose((turned(reference, (0, 1, 0)) * sun).sum(axis=1), 0, atol=2e-7)
    assert ((turned(reference, (1, 0, 0)) * sun).sum(axis=1) > 0).all()


def test_yaw_steering_rate_is_that_of_the_closed_form():
    # yaw about nadir from the orbital frame: tan psi = tan beta / sin mu, with mu the angle from orbit midnight
    reference = OrbitPointing(ORBIT, 5800.0, boresight=(0, 0, 1), clock=(1, 0, 0), clock_target="sun")
    beta, n = float(beta_angle(*ORBIT.state(0.0), sun=sun_position(EPOCH))), np.sqrt(MU / 7e6**3)
    q, r = reference.parameters, np.zeros(10)
    rates: list[float] = []
    for t in np.linspace(0.0, 5800.0, 2901).tolist():
        reference.kernel(t, q, r)
        rates.append(abs(r[6]))
    assert max(rates) == pytest.approx(n / np.tan(abs(beta)), rel=1e-3)  # at noon and midnight


def test_sun_pointing_follows_the_sun():
    reference = OrbitPointing(ORBIT, 5800.0, boresight=(0, 1, 0), clock=(0, 0, 1), target="sun", clock_target=(0, 0, 1))
    sun = unit(sun_position(EPOCH, TIMES) - ORBIT.state(TIMES)[0])
    np.testing.assert_allclose(turned(reference, (0, 1, 0)), sun, rtol=0, atol=2e-7)
    assert not reference.follows_orbit
    assert not reference.steady[1].any()


def test_targets_that_meet_are_rejected():
    axes = {"boresight": (0, 0, 1), "clock": (1, 0, 0)}
    with pytest.raises(InputError, match="target and clock target are both 'nadir'"):
        OrbitPointing(ORBIT, 100.0, **axes, clock_target="nadir")
    with pytest.raises(InputError, match="clock target 'moon' is unknown"):
        OrbitPointing(ORBIT, 100.0, **axes, clock_target="moon")
    sun = sun_position(EPOCH)
    noon = MeanOrbit(
        epoch=EPOCH, semi_major_axis=7e6, inclination=float(np.pi / 2), raan=float(np.arctan2(sun[1], sun[0])),
        oblate=False,
    )  # fmt: skip
    with pytest.raises(InputError, match=r"too fast for steps of 1 s|comes within"):
        OrbitPointing(noon, 5800.0, **axes, clock_target="sun")
