"""Euler rate matrices A and B of every sequence against derivatives of R, and Euler rates of a body rate."""

import numpy as np
import pytest

from polhode.plant.attitude import (
    SEQUENCES,
    euler_rate_matrix_body,
    euler_rate_matrix_inertial,
    euler_rates,
    from_euler_angles,
    matrix_G,
    parse_sequence,
    singular_middle_angles,
)
from polhode.plant.errors import InputError, SingularBasisError

EPS = float(np.finfo(np.float64).eps)
ANGLES = np.random.default_rng(6).uniform(-3, 3, (40, 3))
every_sequence = pytest.mark.parametrize("sequence", SEQUENCES)


def turned(angles, sequence):
    """R_i R_j R_k by Rodrigues' formula, also for complex angles; independent of the code under test."""
    turned = np.eye(3)
    for axis, angle in zip(parse_sequence(sequence), angles, strict=True):
        K = np.cross(np.eye(3)[axis], np.eye(3)).T
        turned = turned @ (np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K)
    return turned


def axial(S):
    return np.array((S[2, 1], S[0, 2], S[1, 0]))


@every_sequence
def test_euler_rate_matrices_match_complex_step_derivative(sequence):
    h = 1e-200  # complex step: no subtraction, so the step may be arbitrarily small
    for angles in ANGLES:
        R = turned(angles, sequence)
        A, B = np.empty((3, 3)), np.empty((3, 3))
        for n in range(3):
            dR = turned(angles + 1j * h * np.eye(3)[n], sequence).imag / h
            A[:, n] = axial(dR @ R.T)  # Schwab & Meijaard (8)-(11)
            B[:, n] = axial(R.T @ dR)
        # 16 eps: products of three matrices of numbers below one
        np.testing.assert_allclose(euler_rate_matrix_inertial(angles, sequence), A, rtol=0, atol=16 * EPS)
        np.testing.assert_allclose(euler_rate_matrix_body(angles, sequence), B, rtol=0, atol=16 * EPS)


@every_sequence
def test_euler_rate_matrix_body_matches_finite_differences(sequence):
    h = 1e-5
    for angles in ANGLES[:10]:
        columns = []
        for n in range(3):
            step = h * np.eye(3)[n]
            ahead, behind = (from_euler_angles(angles + s, sequence) for s in (step, -step))
            rate = (ahead - behind) / (2 * h)
            columns.append(2 * matrix_G(from_euler_angles(angles, sequence)) @ rate)
        # central difference: h^2/24 = 4e-12 of truncation and eps/h = 2e-11 of round-off, times a few
        np.testing.assert_allclose(euler_rate_matrix_body(angles, sequence), np.transpose(columns), rtol=0, atol=2e-10)


def test_euler_rate_matrices_match_schwab_meijaard():
    phi, theta, psi = angles = np.array((0.4, 1.1, -0.7))
    A = [
        [0, np.cos(phi), np.sin(phi) * np.sin(theta)],
        [0, np.sin(phi), -np.cos(phi) * np.sin(theta)],
        [1, 0, np.cos(theta)],
    ]  # (14)
    B = [
        [np.sin(psi) * np.sin(theta), np.cos(psi), 0],
        [np.cos(psi) * np.sin(theta), -np.sin(psi), 0],
        [np.cos(theta), 0, 1],
    ]  # (16)
    np.testing.assert_allclose(euler_rate_matrix_inertial(angles, "3-1-3"), A, rtol=0, atol=2 * EPS)
    np.testing.assert_allclose(euler_rate_matrix_body(angles, "3-1-3"), B, rtol=0, atol=2 * EPS)


def test_euler_rate_determinant_of_313_is_minus_sine():
    for matrix in (euler_rate_matrix_inertial, euler_rate_matrix_body):
        # 16 eps: a determinant of unit columns by elimination
        determinant = np.linalg.det(matrix(ANGLES, "3-1-3"))
        np.testing.assert_allclose(determinant, -np.sin(ANGLES[:, 1]), rtol=0, atol=16 * EPS)


@every_sequence
def test_euler_rate_determinant_of_all_sequences(sequence):
    i, j, k = parse_sequence(sequence)
    s = 1 if (j - i) % 3 == 1 else -1
    expected = -np.sin(ANGLES[:, 1]) if i == k else s * np.cos(ANGLES[:, 1])
    for matrix in (euler_rate_matrix_inertial, euler_rate_matrix_body):
        np.testing.assert_allclose(np.linalg.det(matrix(ANGLES, sequence)), expected, rtol=0, atol=16 * EPS)


@every_sequence
def test_euler_rates_invert_the_body_matrix(sequence):
    omega = np.random.default_rng(7).standard_normal(ANGLES.shape)
    rates = euler_rates(ANGLES, omega, sequence=sequence)
    back = (euler_rate_matrix_body(ANGLES, sequence) @ rates[..., np.newaxis])[..., 0]
    # 8 eps of the largest Euler rate: three products each
    np.testing.assert_allclose(back, omega, rtol=0, atol=8 * EPS * np.abs(rates).max())


@every_sequence
def test_euler_rates_of_parameters_and_angles_agree(sequence):
    low, high = singular_middle_angles(sequence)
    angles = np.column_stack((ANGLES[:, 0], np.linspace(low + 0.1, high - 0.1, len(ANGLES)), ANGLES[:, 2]))
    omega = np.array((0.3, -0.2, 0.5))
    by_angles = euler_rates(angles, omega, sequence=sequence)
    by_parameters = euler_rates(from_euler_angles(angles, sequence), omega, sequence=sequence)
    # round-off of the angles, 16 eps over sin 0.1, times the slope of 1/sin there, 100
    np.testing.assert_allclose(by_parameters, by_angles, rtol=0, atol=16000 * EPS)


@every_sequence
@pytest.mark.parametrize("end", [0, 1])
def test_euler_rates_reject_singular_pose(sequence, end):
    middle = singular_middle_angles(sequence)[end]
    angles = (0.3, middle, -0.2)
    message = rf"Euler rates of sequence '{sequence}' do not exist at middle angle .* rad: .* deg; use Euler param"
    for attitude in (angles, from_euler_angles(angles, sequence), [(0.3, 0.7, 0.1), angles]):
        with pytest.raises(SingularBasisError, match=message):
            euler_rates(attitude, (0.1, 0.2, 0.3), sequence=sequence)
    inward = middle + (1e-9 if end == 0 else -1e-9)  # close to it the rates are large but correct
    rates = euler_rates((0.3, inward, -0.2), (0.1, 0.2, 0.3), sequence=sequence)
    assert np.abs(rates).max() > 1e6
    back = euler_rate_matrix_body((0.3, inward, -0.2), sequence) @ rates
    np.testing.assert_allclose(back, (0.1, 0.2, 0.3), rtol=0, atol=8 * EPS * np.abs(rates).max())


def test_euler_rates_reject_bad_input():
    with pytest.raises(InputError, match=r"attitude must be 4 Euler parameters or 3 Euler angles \(rad\)"):
        euler_rates((1, 0), (0, 0, 0), sequence="3-1-3")
    with pytest.raises(InputError, match=r"rate must be 3 numbers \(rad/s\)"):
        euler_rates((1, 1, 0), (0, 0), sequence="3-1-3")
    with pytest.raises(InputError, match="attitude must be unit Euler parameters"):
        euler_rates((1, 1, 0, 0), (0, 0, 0), sequence="3-1-3")
    with pytest.raises(InputError, match="sequence '3-1' is unknown; did you mean"):
        euler_rates((1, 1, 0), (0, 0, 0), sequence="3-1")
    with pytest.raises(InputError, match="attitude and rate must have leading axes that broadcast"):
        euler_rates(np.ones((2, 3)), np.ones((3, 3)), sequence="3-1-3")
    for matrix in (euler_rate_matrix_inertial, euler_rate_matrix_body):
        with pytest.raises(InputError, match=r"angles must be 3 numbers \(rad\)"):
            matrix((0, 0, 0, 0), "3-1-3")
        with pytest.raises(InputError, match="sequence '1-1-3' is unknown"):
            matrix((0, 0, 0), "1-1-3")


def test_euler_rates_accept_batch_axes():
    many = ANGLES.reshape(2, -1, 3)
    for matrix in (euler_rate_matrix_inertial, euler_rate_matrix_body):
        assert matrix(many, "1-3-2").shape == (*many.shape[:-1], 3, 3)
        np.testing.assert_array_equal(matrix(many, "1-3-2")[1, 4], matrix(many[1, 4], "1-3-2"))
    rates = euler_rates(many, (0.1, 0.2, 0.3), sequence="1-3-2")
    # 4 eps: numpy may multiply one matrix and a stack of them by different routines
    one = euler_rates(many[1, 4], (0.1, 0.2, 0.3), sequence="1-3-2")
    np.testing.assert_allclose(rates[1, 4], one, rtol=4 * EPS, atol=4 * EPS)
