"""Matrices E and G, rotation matrix R = E G' and the inverse conversion."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.transform import Rotation

from polhode.plant.attitude import (
    from_rotation_matrix,
    matrix_E,
    matrix_G,
    quaternion_product,
    rotation_matrix,
)
from polhode.plant.errors import InputError

EPS = float(np.finfo(np.float64).eps)
units = arrays(np.float64, 4, elements=st.floats(-1, 1)).filter(lambda q: q @ q > 1e-3)
units = units.map(lambda q: q / np.linalg.norm(q))
vectors = arrays(np.float64, 3, elements=st.floats(-10, 10))


@given(units)
def test_matrices_E_and_G_satisfy_their_identities(e):
    for matrix in (matrix_E(e), matrix_G(e)):
        np.testing.assert_allclose(matrix @ e, 0, rtol=0, atol=4 * EPS)  # Shivarama & Fahrenthold (11)
        np.testing.assert_allclose(matrix @ matrix.T, np.eye(3), rtol=0, atol=8 * EPS)  # (10)


def test_misprinted_rows_of_E_and_G_violate_the_identities():
    e0, e1, e2, e3 = e = np.array((0.1, 0.5, 0.7, 0.5))
    assert abs(np.array((-e3, e2, e1, e0)) @ e) > 0.5  # (7) row 3
    assert abs(np.array((-e3, -e2, -e1, e0)) @ e) > 0.5  # (8) row 3


@given(units, vectors)
def test_matrices_E_and_G_relate_rates_and_angular_velocity(e, omega):
    rate = 0.5 * matrix_G(e).T @ omega  # (12)
    scale = max(1.0, float(np.abs(omega).max()))
    # 16 eps of the rate: two products of four terms
    np.testing.assert_allclose(2 * matrix_G(e) @ rate, omega, rtol=0, atol=16 * EPS * scale)
    inertial = 2 * matrix_E(e) @ rate
    np.testing.assert_allclose(inertial, rotation_matrix(e) @ omega, rtol=0, atol=16 * EPS * scale)
    pure = quaternion_product(e, (0.0, *omega))  # Schwab & Meijaard (36): the same rate from the product
    np.testing.assert_allclose(rate, 0.5 * pure, rtol=0, atol=8 * EPS * scale)
    skew = 2 * matrix_G(e) @ matrix_G(rate).T  # (14)
    expected = np.cross(omega, np.eye(3)).T
    np.testing.assert_allclose(skew, expected, rtol=0, atol=16 * EPS * scale)


def test_rotation_matrix_matches_scipy(attitudes):
    oracle = Rotation.from_quat(attitudes, scalar_first=True).as_matrix()
    # 4 eps: four products of numbers below one
    np.testing.assert_allclose(rotation_matrix(attitudes), oracle, rtol=0, atol=4 * EPS)


def test_rotation_matrix_is_equal_for_e_and_minus_e(attitudes):
    np.testing.assert_array_equal(rotation_matrix(attitudes), rotation_matrix(-attitudes))  # exact: signs


def test_rotation_matrix_maps_body_to_inertial_components():
    quarter = (np.sqrt(0.5), 0, 0, np.sqrt(0.5))  # body turned 90 degrees about z: its x axis lies along y
    np.testing.assert_allclose(rotation_matrix(quarter) @ (1, 0, 0), (0, 1, 0), rtol=0, atol=2 * EPS)


def test_from_rotation_matrix_round_trip(attitudes, distance):
    back = from_rotation_matrix(rotation_matrix(attitudes))
    # 16 eps: 4 eps per element of R, halved by 4 e_m >= 2, over four components, doubled as angle
    assert distance(back, attitudes) < 16 * EPS
    assert (back[:, 0] >= 0).all()
    np.testing.assert_allclose((back * back).sum(axis=-1), 1.0, rtol=0, atol=4 * EPS)


def test_from_rotation_matrix_keeps_accuracy_of_tiny_rotations():
    e = np.array((1.0, 3e-13, -2e-14, 5e-13))
    # each product e0 e_n is a difference of elements that are exact sums here: no cancellation
    np.testing.assert_allclose(from_rotation_matrix(rotation_matrix(e)), e, rtol=8 * EPS, atol=0)


def test_from_rotation_matrix_of_half_turns_has_unique_sign():
    turns = np.array([np.diag((1, -1, -1)), np.diag((-1, 1, -1)), np.diag((-1, -1, 1))])
    np.testing.assert_array_equal(from_rotation_matrix(turns), np.eye(4)[1:])
    half = from_rotation_matrix(rotation_matrix((0, -0.6, 0, 0.8)))
    np.testing.assert_allclose(half, (0, 0.6, 0, -0.8), rtol=0, atol=4 * EPS)


def test_from_rotation_matrix_accepts_rounded_decimals(distance):
    e = np.array((0.5, -0.1, 0.7, -0.5)) / np.linalg.norm((0.5, -0.1, 0.7, -0.5))
    printed = np.round(rotation_matrix(e), 7)
    back = from_rotation_matrix(printed)
    assert distance(back, e) < 4e-7  # nine elements within 0.5e-7
    assert abs(np.linalg.norm(back) - 1) < 4 * EPS


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (
            np.diag((1.0, 1.0, 1.001)),
            r"R must be orthogonal: the largest element of R'R - I is 0.002, above 1e-06",
        ),
        (np.diag((1.0, 1.0, -1.0)), r"determinant \+1; got a reflection"),
        (np.eye(4), r"R must be 3 x 3 numbers, in the last axes; got shape \(4, 4\)"),
        (np.full((3, 3), np.nan), "R must be finite"),
        ([np.eye(3), 2 * np.eye(3)], "R must be orthogonal"),
    ],
)
def test_from_rotation_matrix_rejects_improper_matrices(bad, message):
    with pytest.raises(InputError, match=message):
        from_rotation_matrix(bad)


def test_rotation_matrix_accepts_batch_axes(attitudes):
    many = attitudes.reshape(2, -1, 4)
    R = rotation_matrix(many)
    assert R.shape == (*many.shape[:-1], 3, 3)
    np.testing.assert_array_equal(R[1, 5], rotation_matrix(many[1, 5]))
    np.testing.assert_array_equal(from_rotation_matrix(R)[1, 5], from_rotation_matrix(R[1, 5]))
    assert matrix_E(many).shape == matrix_G(many).shape == (*many.shape[:-1], 3, 4)
    np.testing.assert_array_equal(matrix_G(many)[0, 2], matrix_G(many[0, 2]))
