"""Quaternion products, product matrices, error attitude and rotation angle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.transform import Rotation

from polhode.plant.attitude import (
    attitude_error,
    conjugate,
    quaternion_matrices,
    quaternion_product,
    rotation_angle,
    rotation_matrix,
)
from polhode.plant.errors import InputError

EPS = float(np.finfo(np.float64).eps)
components = st.floats(-10, 10).filter(lambda x: x == 0 or abs(x) > 1e-60)  # avoids underflow in the compared values
quaternions = arrays(np.float64, 4, elements=components)
units = quaternions.filter(lambda q: q @ q > 1e-3).map(lambda q: q / np.linalg.norm(q))


def test_quaternion_product_satisfies_hamilton_table():
    one, i, j, k = np.eye(4)
    table = {(0, 0): one, (1, 2): k, (2, 3): i, (3, 1): j, (2, 1): -k, (3, 2): -i, (1, 3): -j, (1, 1): -one}
    for (left, right), expected in table.items():
        # exact: products of zeros and ones
        np.testing.assert_array_equal(quaternion_product(np.eye(4)[left], np.eye(4)[right]), expected)


def test_quaternion_product_matches_scipy(attitudes, distance):
    p, q = attitudes, attitudes[::-1]
    oracle = Rotation.from_quat(p, scalar_first=True) * Rotation.from_quat(q, scalar_first=True)
    # 8 eps: one product of unit quaternions rounds off about 2 eps in each of the two codes, twice as angle
    assert distance(quaternion_product(p, q), oracle.as_quat(scalar_first=True)) < 8 * EPS


@given(quaternions, quaternions, quaternions)
def test_quaternion_product_is_associative_and_multiplies_norms(p, q, r):
    left = quaternion_product(quaternion_product(p, q), r)
    right = quaternion_product(p, quaternion_product(q, r))
    size = np.linalg.norm(p) * np.linalg.norm(q) * np.linalg.norm(r)
    # 16 eps of the norm: two products of four terms on each side
    np.testing.assert_allclose(left, right, rtol=0, atol=16 * EPS * size)
    product = np.linalg.norm(quaternion_product(p, q))
    # 8 eps: three norms and a product
    np.testing.assert_allclose(product, np.linalg.norm(p) * np.linalg.norm(q), rtol=8 * EPS)


@given(quaternions, quaternions)
def test_quaternion_matrices_reproduce_products_and_commute(p, q):
    left, right = quaternion_matrices(q)
    scale = np.linalg.norm(p) * np.linalg.norm(q)
    # 8 eps: the same four products, summed in another order
    np.testing.assert_allclose(left @ p, quaternion_product(q, p), rtol=0, atol=8 * EPS * scale)
    np.testing.assert_allclose(right @ p, quaternion_product(p, q), rtol=0, atol=8 * EPS * scale)
    other = quaternion_matrices(p)[1]
    np.testing.assert_allclose(left @ other, other @ left, rtol=0, atol=16 * EPS * scale)
    for matrix, transposed in zip((left, right), quaternion_matrices(conjugate(q)), strict=True):
        np.testing.assert_array_equal(matrix.T, transposed)  # exact: signs only


def test_quaternion_matrices_compose_the_rotation_matrix(attitudes):
    left, right = quaternion_matrices(attitudes)
    both = left @ np.swapaxes(right, -1, -2)  # Schwab & Meijaard (28)
    expected = np.zeros_like(both)
    expected[:, 0, 0] = 1.0
    expected[:, 1:, 1:] = rotation_matrix(attitudes)
    np.testing.assert_allclose(both, expected, rtol=0, atol=8 * EPS)  # four products of numbers below one


@given(units)
def test_quaternion_conjugate_is_the_inverse(q):
    np.testing.assert_allclose(quaternion_product(q, conjugate(q)), (1, 0, 0, 0), rtol=0, atol=4 * EPS)


def test_attitude_error_is_the_shorter_rotation(attitudes):
    e, ref = attitudes, attitudes[::-1]
    error = attitude_error(e, ref)
    assert (error[:, 0] >= 0.0).all()
    long_way = quaternion_product(conjugate(ref), e)[:, 0] < -0.1
    assert long_way.sum() > 100  # the long rotation does occur
    for signed in (attitude_error(-e, ref), attitude_error(e, -ref)):
        clear = error[:, 0] > 8 * EPS  # not half a turn, where both signs are short
        np.testing.assert_array_equal(signed[clear], error[clear])
    expected = np.swapaxes(rotation_matrix(ref), -1, -2) @ rotation_matrix(e)
    # 16 eps: two matrices of 3 eps each and their product
    np.testing.assert_allclose(rotation_matrix(error), expected, rtol=0, atol=16 * EPS)


def test_attitude_error_is_in_body_components():
    ref = Rotation.from_rotvec((0.3, -0.2, 0.5))
    turn = Rotation.from_rotvec((0.0, 0.1, 0.0))  # in body axes: after the reference, on the right
    e = (ref * turn).as_quat(scalar_first=True)
    error = attitude_error(e, ref.as_quat(scalar_first=True))
    np.testing.assert_allclose(error, (np.cos(0.05), 0, np.sin(0.05), 0), rtol=0, atol=8 * EPS)


@given(units)
def test_attitude_error_of_equal_attitudes_is_exactly_zero(e):
    error = attitude_error(e, e)
    np.testing.assert_array_equal(error[1:], 0.0)
    np.testing.assert_array_equal(attitude_error(-e, e)[1:], 0.0)


def test_attitude_error_broadcasts_one_reference(attitudes):
    many = attitude_error(attitudes.reshape(2, -1, 4), attitudes[7])
    assert many.shape == (2, len(attitudes) // 2, 4)
    np.testing.assert_array_equal(many[1, 3], attitude_error(attitudes.reshape(2, -1, 4)[1, 3], attitudes[7]))


@pytest.mark.parametrize("angle", [0.0, 1e-300, 1e-20, 1e-8, 0.1, 3.0, np.pi - 1e-12, np.pi])
def test_rotation_angle_has_full_relative_accuracy(angle):
    e = np.array((np.cos(angle / 2), 0.6 * np.sin(angle / 2), 0, -0.8 * np.sin(angle / 2)))
    for signed in (e, -e):
        # 4 eps: sine, hypotenuse and arctangent, one rounding each
        np.testing.assert_allclose(rotation_angle(signed), angle, rtol=4 * EPS, atol=0)


def test_rotation_angle_matches_scipy(attitudes):
    oracle = Rotation.from_quat(attitudes, scalar_first=True).magnitude()
    np.testing.assert_allclose(rotation_angle(attitudes), oracle, rtol=0, atol=4 * EPS * np.pi)


@pytest.mark.parametrize("function", [rotation_angle, lambda e: attitude_error(e, (1, 0, 0, 0)), rotation_matrix])
def test_unit_norm_is_enforced_within_tolerance(function):
    np.testing.assert_allclose(
        function((0.6000003, 0, 0, 0.8)),
        function((0.6000003, 0, 0, 0.8) / np.hypot(0.6000003, 0.8)),
        atol=4 * EPS,
    )  # normalised: the norm is off by 2e-7
    with pytest.raises(InputError, match=r"must be unit Euler parameters.*norm of \[0.61, .*divide by the norm"):
        function((0.61, 0, 0, 0.8))


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ((1, 0, 0), r"q must be 4 numbers, in the last axes; got shape \(3,\)"),
        (1.0, r"q must be 4 numbers, in the last axes; got shape \(\)"),
        ((1, 0, np.nan, 0), r"q must be finite; got nan at index \(2,\)"),
        ([(1, 0, 0, 0), (1, 0, 0, np.inf)], r"q must be finite; got inf at index \(1, 3\)"),
        ("1000", "q must be numbers; got '1000'"),
        ((1, 0, 0, 1j), "q must be numbers"),
        ((True, False, False, False), "q must be numbers"),
        ([(1, 0, 0, 0), (1, 0)], "q must be numbers"),
        (None, "q must be numbers"),
    ],
)
def test_quaternions_reject_bad_components(bad, message):
    for function in (conjugate, quaternion_matrices, lambda q: quaternion_product((1, 0, 0, 0), q)):
        with pytest.raises(InputError, match=message):
            function(bad)


def test_quaternion_product_rejects_incompatible_batch_axes():
    with pytest.raises(InputError, match=r"p and q must have leading axes that broadcast; got .*\(2, 4\) and \(3, 4\)"):
        quaternion_product(np.ones((2, 4)), np.ones((3, 4)))
