"""The eigenaxis slew reaches its target, respects its limits, and is the fastest within them."""

from math import pi, sqrt

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from polhode import controllers, plant
from polhode.plant.attitude import attitude_error, from_rotation_vector, rotation_angle

REST = (1.0, 0.0, 0.0, 0.0)
J = np.array([[40.0, 12.0, -8.0], [12.0, 37.8, 15.0], [-8.0, 15.0, 50.0]])  # large products on purpose
AXIS = np.array((1.0, 2.0, -2.0)) / 3.0
PROFILES = ("bang-coast-bang", "smooth")


def about(axis, angle):
    return from_rotation_vector(np.asarray(axis) * angle)


def torque(rows):
    """Return the torque from Euler's equation on rows of the reference."""
    rate, acceleration = rows[..., 4:7], rows[..., 7:]
    return acceleration @ J + np.cross(rate, rate @ J)


@pytest.mark.parametrize("profile", PROFILES)
def test_slew_rests_before_and_after_and_takes_shorter_rotation(profile):
    rng = np.random.default_rng(5)
    for _ in range(20):
        start, end = rng.normal(size=(2, 4))
        start, end = start / np.linalg.norm(start), end / np.linalg.norm(end)
        slew = controllers.EigenaxisSlew(
            start, end, begin=7.0, rate_limit=0.05, acceleration_limit=0.01, profile=profile
        )
        for t, attitude in ((-1e9, start), (7.0 - 1e-9, start), (7.0 + slew.duration + 1e-9, end), (1e9, end)):
            r = slew.at(t)
            assert rotation_angle(attitude_error(r[:4], attitude)) < 1e-14
            assert not r[4:].any()
        turn = Rotation.from_quat(start, scalar_first=True).inv() * Rotation.from_quat(end, scalar_first=True)
        np.testing.assert_allclose(
            slew.axis * slew.angle, turn.as_rotvec(), rtol=0, atol=4e-15 * pi / slew.axis.max() ** 0
        )


def test_slew_does_not_depend_on_quaternion_sign():
    end = about(AXIS, 2.0)
    one, other = (controllers.EigenaxisSlew(REST, e, acceleration_limit=0.01) for e in (end, -end))
    np.testing.assert_array_equal(one.parameters[4:], other.parameters[4:])


def test_slew_of_half_turn_is_about_positive_axis():
    for end in ((0, 0.6, -0.8, 0), (0, -0.6, 0.8, 0), (1e-12, 0.6, -0.8, 0), (-1e-12, 0.6, -0.8, 0)):
        slew = controllers.EigenaxisSlew(REST, end, acceleration_limit=0.01)
        np.testing.assert_allclose(slew.axis, (-0.6, 0.8, 0), rtol=0, atol=1e-12)
        assert slew.angle == pytest.approx(pi, abs=1e-11)
        assert rotation_angle(attitude_error(slew.at(1e9)[:4], np.array(end) / np.linalg.norm(end))) < 1e-11


def test_slew_about_principal_axis_matches_closed_form():
    """Wertz: t = 2 sqrt(angle/acceleration) without coasting, angle/w + w/acceleration with it."""
    end = about((0, 0, 1), 1.2)
    body = (3.0, 2.0, 4.0)
    quick = controllers.EigenaxisSlew(REST, end, inertia=body, torque_limit=0.5)
    assert quick.duration == pytest.approx(2 * sqrt(1.2 / 0.125), rel=1e-14)
    assert quick.peak_rate == pytest.approx(sqrt(1.2 * 0.125), rel=1e-14)
    slow = controllers.EigenaxisSlew(REST, end, inertia=body, torque_limit=(9, 9, 0.5), rate_limit=0.1)
    assert slow.duration == pytest.approx(1.2 / 0.1 + 0.1 / 0.125, rel=1e-14)
    np.testing.assert_allclose(slow.peak_torque(body), (0, 0, 0.5), rtol=1e-14)
    smooth = controllers.EigenaxisSlew(REST, end, inertia=body, torque_limit=0.5, profile="smooth")
    assert smooth.duration == pytest.approx(sqrt(10 / sqrt(3) * 1.2 / 0.125), rel=1e-12)
    gentle = controllers.EigenaxisSlew(REST, end, acceleration_limit=9.0, rate_limit=0.1, profile="smooth")
    assert gentle.duration == pytest.approx(15 / 8 * 1.2 / 0.1, rel=1e-14)


@pytest.mark.thinned(5)
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("angle", [0.02, 0.7, 3.0])
@pytest.mark.parametrize("rate_limit", [None, 0.02, 0.2])
@pytest.mark.parametrize("box", [1.0, (0.3, 5.0, 5.0), (5.0, 5.0, 0.2)])
def test_slew_respects_limits_and_reaches_one(profile, angle, rate_limit, box):
    slew = controllers.EigenaxisSlew(
        REST, about(AXIS, angle), inertia=J, torque_limit=box, rate_limit=rate_limit, profile=profile
    )
    t = np.linspace(0.0, slew.duration, 4001)
    rows = np.array([slew.at(x) for x in t])
    needed = np.abs(torque(rows)).max(axis=0)
    rate = np.linalg.norm(rows[:, 4:7], axis=1).max()
    acceleration = np.linalg.norm(rows[:, 7:], axis=1).max()
    assert (needed <= np.array(box) * (1 + 1e-12)).all()
    assert rate <= (rate_limit or np.inf) * (1 + 1e-12)
    # on 4001 points the grid is within 1e-7 of a peak
    np.testing.assert_allclose(slew.peak_torque(J), needed, rtol=1e-3 if profile == "bang-coast-bang" else 1e-6)
    assert slew.peak_rate == pytest.approx(rate, rel=1e-3)
    assert slew.peak_acceleration == pytest.approx(acceleration, rel=1e-6)
    used = max((slew.peak_torque(J) / box).max(), slew.peak_rate / (rate_limit or np.inf))
    assert used == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("angle", [0.02, 0.7, 3.0])
@pytest.mark.parametrize("rate_limit", [0.02, 0.2])
def test_slew_is_fastest_bang_coast_bang_within_torque(angle, rate_limit):
    """Compared with a search over every peak rate, with the acceleration allowed by Euler's equation."""
    box = np.array((1.0, 0.5, 2.0))
    slew = controllers.EigenaxisSlew(REST, about(AXIS, angle), inertia=J, torque_limit=box, rate_limit=rate_limit)
    w = np.linspace(1e-4, rate_limit, 200001)
    spin = np.cross(AXIS, J @ AXIS)
    left = box - np.abs(spin) * w[:, None] ** 2
    with np.errstate(divide="ignore"):
        acceleration = np.where((left > 0).all(axis=1), (left / np.abs(J @ AXIS)).min(axis=1), 0.0)
        duration = np.where((acceleration > 0) & (w**2 <= acceleration * angle), angle / w + w / acceleration, np.inf)
    best = duration.min()
    assert slew.duration <= best * (1 + 1e-12)
    assert slew.duration == pytest.approx(best, rel=1e-6)  # the grid's step, near a minimum or at an end of it


def test_slew_includes_gyroscopic_torque():
    """Without it, the same slew would need a third more torque than available."""
    slew = controllers.EigenaxisSlew(REST, about(AXIS, 3.0), inertia=J, torque_limit=1.0)
    naive = 1.0 / np.abs(J @ AXIS).max()
    w = sqrt(3.0 * naive)
    asked = np.abs(J @ AXIS) * naive + np.abs(np.cross(AXIS, J @ AXIS)) * w**2
    assert asked.max() > 1.3
    assert slew.peak_torque(J).max() == pytest.approx(1.0, rel=1e-13)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"end": REST}, "slew start and end are the same attitude"),
        ({"end": (-1.0, 1e-10, 0, 0)}, "so there is no rotation; hold the attitude with FixedReference"),
        ({"end": (1, 1, 0, 0)}, "end of slew must be unit Euler parameters"),
        ({"rate_limit": 0.0}, r"rate limit of slew must be greater than 0 \(rad/s\); got 0"),
        ({"acceleration_limit": -1.0}, r"acceleration limit of slew must be greater than 0 \(rad/s\^2\); got -1"),
        ({"acceleration_limit": None}, "give acceleration_limit"),
        ({"inertia": J}, r"give inertia \(kg m\^2\) and torque_limit \(N m\) together"),
        ({"torque_limit": 1.0}, r"give inertia \(kg m\^2\) and torque_limit \(N m\) together"),
        ({"inertia": J, "torque_limit": 0.0}, r"torque limit of slew must be greater than 0 \(N m\); got 0"),
        ({"inertia": J, "torque_limit": (1, 0, 1)}, "torque limit of slew must be greater than 0"),
        ({"profile": "bang-bang"}, "profile of slew 'bang-bang' is unknown; did you mean 'bang-coast-bang'"),
        ({"begin": np.inf}, "begin of slew must be finite"),
    ],
)
def test_slew_rejects_bad_input(change, message):
    given = {"end": about(AXIS, 1.0), "acceleration_limit": 0.01, **change}
    with pytest.raises(plant.InputError, match=message):
        controllers.EigenaxisSlew(REST, given.pop("end"), **given)
