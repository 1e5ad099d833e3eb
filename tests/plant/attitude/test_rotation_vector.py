"""Rotation vectors, both conversions, from the smallest numbers to beyond half a turn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from polhode.plant.attitude import from_rotation_vector, rotation_angle, to_rotation_vector
from polhode.plant.errors import InputError

EPS = float(np.finfo(np.float64).eps)
AXIS = np.array((2.0, -3.0, 6.0)) / 7.0
sizes = [0.0, 5e-324, 1e-300, 1e-160, 1e-20, 1e-8, 1e-3, 1.0, 3.0, np.pi - 1e-8, np.pi - 1e-14]


def test_rotation_vector_matches_scipy(attitudes, distance):
    oracle = Rotation.from_quat(attitudes, scalar_first=True).as_rotvec()
    clear = np.abs(attitudes[:, 0]) > 1e-15  # at half a turn both signs are valid
    # 8 eps of pi: the norm, an arctangent and a product in each code
    np.testing.assert_allclose(to_rotation_vector(attitudes)[clear], oracle[clear], rtol=0, atol=8 * EPS * np.pi)
    back = Rotation.from_rotvec(oracle).as_quat(scalar_first=True)
    assert distance(from_rotation_vector(oracle), back) < 8 * EPS


def test_to_rotation_vector_round_trip(attitudes, distance):
    # 16 eps: the vector is off by 4 eps of pi at most, and the inverse conversion adds 2 eps
    assert distance(from_rotation_vector(to_rotation_vector(attitudes)), attitudes) < 16 * EPS


@pytest.mark.parametrize("size", sizes)
def test_from_rotation_vector_round_trip(size):
    vector = size * AXIS
    e = from_rotation_vector(vector)
    # relative, per component: tiny vectors keep all their digits (5e-324 loses the last bit in halving)
    np.testing.assert_allclose(to_rotation_vector(e), vector, rtol=8 * EPS, atol=1e-323)
    np.testing.assert_allclose(to_rotation_vector(-e), vector, rtol=8 * EPS, atol=1e-323)
    np.testing.assert_allclose(np.linalg.norm(e), 1.0, rtol=0, atol=2 * EPS)


@given(st.floats(0, 100), st.sampled_from([AXIS, -AXIS, np.eye(3)[1]]))
def test_rotation_vector_angle_is_folded_to_half_a_turn(size, axis):
    folded = abs((size + np.pi) % (2 * np.pi) - np.pi)
    # the fold itself rounds off eps times the angle
    np.testing.assert_allclose(rotation_angle(from_rotation_vector(size * axis)), folded, atol=8 * EPS * (size + 1))
    assert np.linalg.norm(to_rotation_vector(from_rotation_vector(size * axis))) <= np.pi * (1 + 4 * EPS)


def test_rotation_vector_of_half_a_turn_has_unique_sign():
    np.testing.assert_allclose(to_rotation_vector((0, 0, -1, 0)), (0, np.pi, 0), rtol=EPS)
    np.testing.assert_allclose(to_rotation_vector((0, 0, 1, 0)), (0, np.pi, 0), rtol=EPS)


def test_from_rotation_vector_is_smooth_beyond_half_a_turn():
    e = from_rotation_vector(np.array((3.0, 3.3))[:, np.newaxis] * AXIS)
    assert e[0] @ e[1] > 0.98  # 0.15 rad apart in four dimensions, not on opposite sides
    assert e[1, 0] < 0


def test_rotation_vector_accepts_batch_axes(attitudes):
    many = attitudes.reshape(2, -1, 4)
    vectors = to_rotation_vector(many)
    assert vectors.shape == (*many.shape[:-1], 3)
    np.testing.assert_array_equal(vectors[1, 4], to_rotation_vector(many[1, 4]))
    np.testing.assert_array_equal(from_rotation_vector(vectors)[1, 4], from_rotation_vector(vectors[1, 4]))


def test_rotation_vector_rejects_bad_input():
    with pytest.raises(InputError, match=r"vector must be 3 numbers \(rad\), in the last axes; got shape \(4,\)"):
        from_rotation_vector((1, 0, 0, 0))
    with pytest.raises(InputError, match=r"vector must be finite \(rad\)"):
        from_rotation_vector((np.inf, 0, 0))
    with pytest.raises(InputError, match="e must be unit Euler parameters"):
        to_rotation_vector((0, 0, 0, 0))
