"""Nadir pointing compared with a spin on a circle and the integrated two-body problem on an ellipse."""

from math import pi, sqrt
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from polhode import controllers, plant
from polhode.controllers.guidance.kepler_equation import eccentric_anomaly
from polhode.plant.attitude import attitude_error, rotation_angle, rotation_matrix

MU = 3.986004418e14
LOW = np.array((6.9e6, 1.2e6, -0.4e6))
BODY = {"boresight": (0.0, 0.3, 1.0), "clock": (1.0, 0.1, 0.0)}


def unit(v):
    return v / np.linalg.norm(v)


def test_nadir_pointing_on_circular_orbit_is_a_spin():
    across = unit(np.cross((0.2, -0.3, 0.9), LOW))
    speed = sqrt(MU / np.linalg.norm(LOW))
    orbit = controllers.NadirPointing(LOW, speed * across, mu=MU, **BODY)
    start = orbit.at(0.0)
    spin = controllers.SpinReference(start[:4], rate=start[4:7])
    assert orbit.period == pytest.approx(2 * pi * sqrt(np.linalg.norm(LOW) ** 3 / MU), rel=1e-14)
    for t in np.linspace(-2e4, 2e4, 41):
        # 20 rad of true anomaly, an eccentricity of rounding
        np.testing.assert_allclose(orbit.at(t), spin.at(t), rtol=0, atol=2e-14)


@pytest.mark.parametrize("clock_target", ["orbit-normal", "velocity"])
@pytest.mark.parametrize("factor", [0.8, 1.05, 1.3, 1.38])
def test_nadir_pointing_on_ellipse_follows_two_body_problem(factor, clock_target):
    """Directions from the integrated orbit; rate and acceleration from the frame's own definition."""
    velocity = factor * sqrt(MU / np.linalg.norm(LOW)) * unit(np.cross((0.2, -0.3, 0.9), LOW) + 0.1 * LOW)
    orbit = controllers.NadirPointing(LOW, velocity, mu=MU, clock_target=clock_target, **BODY)
    last = min(2.2 * orbit.period, 2e5)

    def fall(_, x):
        return np.concatenate((x[3:], -MU * x[:3] / np.linalg.norm(x[:3]) ** 3))

    found = solve_ivp(
        fall,
        (0, last),
        np.concatenate((LOW, velocity)),
        rtol=3e-14,
        atol=1e-9,
        method="DOP853",
        t_eval=np.linspace(0, last, 60),
    )
    for t, x in zip(found.t, found.y.T, strict=True):
        r, v = x[:3], x[3:]
        reference = orbit.at(t)
        R = rotation_matrix(reference[:4])
        h = np.cross(r, v)
        # the integration keeps its energy to 1e-12 and is good to some 1e-11 here
        np.testing.assert_allclose(R @ unit(BODY["boresight"]), -unit(r), rtol=0, atol=2e-10)
        aim = unit(h) if clock_target == "orbit-normal" else unit(np.cross(h, r))
        assert R @ unit(BODY["clock"]) @ aim == pytest.approx(
            np.linalg.norm(np.cross(BODY["clock"], unit(BODY["boresight"]))) / np.linalg.norm(BODY["clock"]), abs=1e-9
        )
        d = np.linalg.norm(r)
        np.testing.assert_allclose(R @ reference[4:7], h / d**2, rtol=0, atol=1e-9 * np.linalg.norm(h) / d**2)
        acceleration = -2.0 * (r @ v) / d * h / d**3
        np.testing.assert_allclose(R @ reference[7:], acceleration, rtol=0, atol=2e-9 * np.linalg.norm(h) ** 2 / d**4)


def test_nadir_pointing_matches_position_of_gravity_gradient():
    """The potential computes the position by universal variables: another formula for the same ellipse."""
    from polhode.plant.loads.potentials.kepler import kepler_position

    velocity = (1.0e3, -4.1e3, 7.9e3)
    orbit = controllers.NadirPointing(LOW, velocity, mu=MU, **BODY)
    for t in np.linspace(-3e5, 3e5, 23):
        place = np.array(kepler_position(t, MU, *LOW, *velocity))
        R = rotation_matrix(orbit.at(t)[:4])
        np.testing.assert_allclose(R @ unit(BODY["boresight"]), -unit(place), rtol=0, atol=1e-12)


def test_nadir_pointing_is_periodic_with_sign_of_quaternion():
    orbit = controllers.NadirPointing(LOW, (1.0e3, -4.1e3, 7.9e3), mu=MU, **BODY)
    for turns in range(-3, 4):
        r = orbit.at(1234.5 + turns * orbit.period)
        assert rotation_angle(attitude_error(r[:4], orbit.at(1234.5)[:4])) < 1e-13 * 20
        assert r[:4] @ orbit.at(1234.5)[:4] == pytest.approx((-1.0) ** turns, abs=1e-12)


@pytest.mark.parametrize("e", [0.0, 1e-12, 0.3, 0.9, 0.999, 1 - 1e-9])
def test_kepler_equation_is_solved(e):
    for mean in (0.0, 1e-9, 1e-3, 0.1, 1.0, 3.0, pi):
        wanted: Any = brentq(lambda E, m=mean: E - e * np.sin(E) - m, 0.0, pi, xtol=1e-300, rtol=1e-15)
        for sign in (1.0, -1.0):
            if mean == pi:
                continue  # half a turn belongs to either side
            found, parity = eccentric_anomaly(sign * mean, e)
            # near periapsis of a thin ellipse E - sin E cancels: the equation is accurate to rounding only
            slack = 4e-16 * max(1.0, wanted) + 4e-16 * wanted / (1.0 - e * np.cos(wanted))
            assert found == pytest.approx(sign * wanted, abs=slack)
            assert parity == 1.0
    assert abs(eccentric_anomaly(pi, e)[0]) == pytest.approx(pi, rel=1e-15)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"velocity": (0, 12e3, 0)}, r"orbit must be an ellipse: 12000 m/s at .* not below the escape speed"),
        ({"velocity": (3.0 * LOW * 1e-3)}, "is parallel to the position: a straight fall has no orbit normal"),
        ({"velocity": (0, 0, 0)}, "is parallel to the position"),
        ({"position": (0, 0, 0)}, "orbit position must be away from the centre"),
        ({"mu": 0.0}, "mu of orbit must be greater than 0"),
        ({"clock": (0, 0.6, 2.0)}, "boresight and clock axis must not be parallel"),
        ({"clock_target": "normal"}, "clock target of orbit 'normal' is unknown; did you mean 'orbit-normal'"),
    ],
)
def test_nadir_pointing_rejects_bad_input(change, message):
    given = {"position": LOW, "velocity": (0, 0, 7.5e3), "mu": MU, **BODY, **change}
    with pytest.raises(plant.InputError, match=message):
        controllers.NadirPointing(given.pop("position"), given.pop("velocity"), **given)


def test_nadir_pointing_designs_at_the_attitude_of_its_start():
    """A fast orbit: a second later the attitude is another one."""
    reference = controllers.NadirPointing((1e3, 0.0, 0.0), (0.0, 300.0, 200.0), mu=1.6e8, **BODY)
    attitude, rate = reference.steady
    np.testing.assert_array_equal(attitude, reference.at(0.0)[:4])
    assert np.abs(attitude - reference.at(1.0)[:4]).max() > 0.1
    np.testing.assert_array_equal(rate, reference.at(0.0)[4:7])
