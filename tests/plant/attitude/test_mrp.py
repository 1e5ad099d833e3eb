"""Modified Rodrigues parameters, short and shadow set."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from polhode.plant.attitude import from_mrp, from_rotation_vector, shadow_mrp, to_mrp
from polhode.plant.errors import InputError

EPS = float(np.finfo(np.float64).eps)
AXIS = np.array((2.0, -3.0, 6.0)) / 7.0


def test_mrp_matches_scipy(attitudes, distance):
    oracle = Rotation.from_quat(attitudes, scalar_first=True).as_mrp()
    clear = np.abs(attitudes[:, 0]) > 1e-15  # at half a turn both sets are valid
    # 4 eps: one sum and one division of numbers up to two
    np.testing.assert_allclose(to_mrp(attitudes)[clear], oracle[clear], rtol=0, atol=4 * EPS)
    assert distance(from_mrp(oracle), Rotation.from_mrp(oracle).as_quat(scalar_first=True)) < 16 * EPS


def test_mrp_round_trip_uses_the_short_set(attitudes, distance):
    sigma = to_mrp(attitudes)
    assert (np.linalg.norm(sigma, axis=-1) <= 1 + 2 * EPS).all()
    # 16 eps: 1 eps in sigma is 4 eps of angle at most, and the inverse conversion adds as much
    assert distance(from_mrp(sigma), attitudes) < 16 * EPS


@given(st.floats(1e-300, 6.28), st.sampled_from([AXIS, -AXIS, np.eye(3)[0]]))
def test_mrp_magnitude_is_tangent_of_quarter_angle(angle, axis):
    sigma = np.tan(angle / 4) * axis
    e = from_mrp(sigma)
    # 8 eps: an error in sigma is worth 4/(1 + |sigma|^2) of angle, and half of that in e
    np.testing.assert_allclose(e, from_rotation_vector(angle * axis), rtol=0, atol=8 * EPS)
    expected = sigma if angle <= np.pi else -np.tan((2 * np.pi - angle) / 4) * axis
    # relative for tiny rotations; absolute where 2 pi - angle cancels; at half a turn both sets are valid
    if abs(angle - np.pi) > 1e-12:
        np.testing.assert_allclose(to_mrp(e), expected, rtol=8 * EPS, atol=0 if angle < 3 else 8 * EPS)


def test_shadow_mrp_is_the_same_attitude(attitudes, distance):
    sigma = to_mrp(attitudes)
    sigma = sigma[np.linalg.norm(sigma, axis=-1) > 1e-300]
    assert len(sigma) > 500
    shadow = shadow_mrp(sigma)
    assert distance(from_mrp(shadow), from_mrp(sigma)) < 16 * EPS  # as the round trip
    np.testing.assert_allclose(shadow_mrp(shadow), sigma, rtol=8 * EPS)  # four divisions
    e = from_mrp(np.array((0.3, 0.1, -0.2)))
    np.testing.assert_allclose(from_mrp(shadow_mrp((0.3, 0.1, -0.2))), -e, rtol=0, atol=4 * EPS)  # the other sign


def test_mrp_of_extreme_length_does_not_overflow():
    for size in (1e200, 1.7e308):
        np.testing.assert_allclose(from_mrp((0, size, 0)), (-1, 0, 2 / size, 0), rtol=4 * EPS)
    np.testing.assert_allclose(from_mrp((0, 1e-200, 0)), (1, 0, 2e-200, 0), rtol=4 * EPS)


def test_mrp_of_basilisk_end_attitude_round_trips():
    sigma = (0.373034285, -0.00239564413, 0.208570797)
    np.testing.assert_allclose(to_mrp(from_mrp(sigma)), sigma, rtol=8 * EPS)


def test_mrp_accepts_batch_axes(attitudes):
    many = attitudes.reshape(2, -1, 4)
    sigma = to_mrp(many)
    assert sigma.shape == (*many.shape[:-1], 3)
    np.testing.assert_array_equal(sigma[1, 4], to_mrp(many[1, 4]))
    np.testing.assert_array_equal(from_mrp(sigma)[1, 4], from_mrp(sigma[1, 4]))


def test_mrp_rejects_bad_input():
    with pytest.raises(InputError, match=r"sigma must be 3 numbers, in the last axes; got shape \(4,\)"):
        from_mrp((1, 0, 0, 0))
    with pytest.raises(InputError, match="e must be unit Euler parameters"):
        to_mrp((1, 1, 1, 1))
    for short in ((0, 0, 0), (0, 1e-320, 0), [(0.1, 0, 0), (0, 0, 0)]):
        with pytest.raises(InputError, match="sigma must not be zero: the shadow of"):
            shadow_mrp(short)
