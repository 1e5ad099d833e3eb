"""Euler angles of all twelve sequences, both conversions, against scipy and at singular poses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from polhode.plant.attitude import (
    SEQUENCES,
    from_euler_angles,
    rotation_matrix,
    singular_middle_angles,
    to_euler_angles,
)
from polhode.plant.errors import InputError

EPS = float(np.finfo(np.float64).eps)
# Both conversions: three products (2 eps each), the wrap of an angle of 2 pi (4 eps) and, within 16 eps of a
# singular pose, up to 16 eps from the convention that the third angle is 0 there.
ROUND_TRIP = 32 * EPS
every_sequence = pytest.mark.parametrize("sequence", SEQUENCES)
any_angle = st.floats(-np.pi, np.pi)


def scipy_word(sequence: str) -> str:
    """Upper case is intrinsic in scipy: each rotation is about an axis of the rotated frame."""
    return sequence.replace("-", "").translate(str.maketrans("123", "XYZ"))


@every_sequence
def test_from_euler_angles_matches_scipy(sequence, distance):
    angles = np.random.default_rng(1).uniform(-7, 7, (300, 3))
    oracle = Rotation.from_euler(scipy_word(sequence), angles).as_quat(scalar_first=True)
    # 16 eps: two products in each code, as an angle
    assert distance(from_euler_angles(angles, sequence), oracle) < 16 * EPS


@every_sequence
def test_to_euler_angles_matches_scipy(sequence):
    e = np.random.default_rng(2).standard_normal((300, 4))
    e /= np.linalg.norm(e, axis=1)[:, np.newaxis]
    angles = to_euler_angles(e, sequence)
    oracle = Rotation.from_quat(e, scalar_first=True).as_euler(scipy_word(sequence))
    away = np.abs(angles[:, 1:2] - np.array(singular_middle_angles(sequence))).min(axis=1)
    assert np.median(away) > 0.1  # most samples have a tight tolerance
    error = np.abs(np.exp(1j * angles) - np.exp(1j * oracle)).max(axis=1)
    assert (error < 16 * EPS / away).all()  # round-off over the distance to the singular pose, twice (scipy)


def test_euler_angles_match_published_formulas():
    phi, theta, psi = 0.4, 1.1, -0.7
    e = from_euler_angles((phi, theta, psi), "3-1-3")
    cp, sp, ct, st_, cs, ss = np.cos(phi), np.sin(phi), np.cos(theta), np.sin(theta), np.cos(psi), np.sin(psi)
    turns = (
        np.array([[cp, -sp, 0], [sp, cp, 0], [0, 0, 1]]),
        np.array([[1, 0, 0], [0, ct, -st_], [0, st_, ct]]),
        np.array([[cs, -ss, 0], [ss, cs, 0], [0, 0, 1]]),
    )
    product = turns[0] @ turns[1] @ turns[2]  # Schwab & Meijaard (5)
    np.testing.assert_allclose(rotation_matrix(e), product, rtol=0, atol=8 * EPS)
    e0, e1, e2, e3 = e  # Shivarama & Fahrenthold (2)-(4), in the quadrant where single-argument arctangents hold
    np.testing.assert_allclose(np.arctan(e3 / e0) + np.arctan(e2 / e1), phi, rtol=8 * EPS)
    np.testing.assert_allclose(np.arctan(e3 / e0) - np.arctan(e2 / e1), psi, rtol=8 * EPS)
    np.testing.assert_allclose(2 * np.arcsin(np.hypot(e1, e2)), theta, rtol=8 * EPS)


@every_sequence
def test_to_euler_angles_round_trip_stays_in_range(sequence, attitudes, distance):
    angles = to_euler_angles(attitudes, sequence)
    assert distance(from_euler_angles(angles, sequence), attitudes) < ROUND_TRIP
    low, high = singular_middle_angles(sequence)
    assert (angles[:, 1] >= low).all()
    assert (angles[:, 1] <= high).all()
    assert (np.abs(angles[:, ::2]) <= np.pi).all()
    np.testing.assert_array_equal(to_euler_angles(-attitudes, sequence), angles)  # e and -e are the same attitude


@pytest.mark.thinned(4)
@every_sequence
@given(data=st.data())
def test_from_euler_angles_round_trip(sequence, data):
    low, high = singular_middle_angles(sequence)
    first, third = data.draw(any_angle), data.draw(any_angle)
    middle = data.draw(st.floats(low + 0.01, high - 0.01))
    back = to_euler_angles(from_euler_angles((first, middle, third), sequence), sequence)
    there = np.array((first, middle, third))
    # outer angles are determined to round-off over sin(0.01); compared on the circle, since -pi may be returned as pi
    np.testing.assert_allclose(np.exp(1j * back), np.exp(1j * there), rtol=0, atol=1600 * EPS)


@every_sequence
@pytest.mark.parametrize("end", [0, 1])
def test_to_euler_angles_at_singular_pose_sets_third_angle_zero(sequence, end, distance):
    rng = np.random.default_rng(3)
    angles = rng.uniform(-np.pi, np.pi, (1000, 3))
    angles[:, 1] = singular_middle_angles(sequence)[end]
    e = from_euler_angles(angles, sequence)
    back = to_euler_angles(e, sequence)
    np.testing.assert_array_equal(back[:, 2], 0.0)  # the convention, exactly
    np.testing.assert_array_equal(back[:, 1], angles[0, 1])
    assert distance(from_euler_angles(back, sequence), e) < ROUND_TRIP


@every_sequence
@pytest.mark.parametrize("end", [0, 1])
def test_to_euler_angles_near_singular_pose_stays_accurate(sequence, end, distance):
    rng = np.random.default_rng(5)
    angles = rng.uniform(-np.pi, np.pi, (2000, 3))
    away = 10.0 ** rng.uniform(-18, -1, 2000)
    angles[:, 1] = singular_middle_angles(sequence)[end] + (away if end == 0 else -away)
    e = from_euler_angles(angles, sequence)
    back = to_euler_angles(e, sequence)
    assert distance(from_euler_angles(back, sequence), e) < ROUND_TRIP
    # the middle angle keeps its absolute accuracy (an arcsine would lose half the digits): 16 eps as above
    np.testing.assert_allclose(back[:, 1], angles[:, 1], rtol=0, atol=ROUND_TRIP)
    # and the outer angles are the ones put in, to round-off over the distance from the pose
    clear = away > 1e-14
    error = np.abs(np.exp(1j * back[clear]) - np.exp(1j * angles[clear])).max(axis=-1)
    assert (error < 16 * EPS / away[clear] + ROUND_TRIP).all()


def test_to_euler_angles_of_identity_has_no_negative_zero():
    for sequence in SEQUENCES:
        angles = to_euler_angles((1, 0, 0, 0), sequence)
        np.testing.assert_array_equal(angles, 0.0)
        assert not np.signbit(angles).any()


def test_euler_angles_accept_batch_axes(attitudes):
    many = attitudes.reshape(2, -1, 4)
    angles = to_euler_angles(many, "2-1-3")
    assert angles.shape == (*many.shape[:-1], 3)
    np.testing.assert_array_equal(angles[1, 4], to_euler_angles(many[1, 4], "2-1-3"))
    np.testing.assert_array_equal(from_euler_angles(angles, "2-1-3")[1, 4], from_euler_angles(angles[1, 4], "2-1-3"))


def test_euler_angles_reject_bad_input():
    with pytest.raises(InputError, match=r"angles must be 3 numbers \(rad\)"):
        from_euler_angles((0, 0), "3-1-3")
    with pytest.raises(InputError, match=r"angles must be finite \(rad\); got nan at index \(0,\)"):
        from_euler_angles((np.nan, 0, 0), "3-1-3")
    with pytest.raises(InputError, match="unit Euler parameters"):
        to_euler_angles((1, 1, 0, 0), "3-1-3")
    for function, value in ((from_euler_angles, (0, 0, 0)), (to_euler_angles, (1, 0, 0, 0))):
        with pytest.raises(InputError, match="sequence 'zxz' is unknown"):
            function(value, "zxz")
