"""Inertia matrices: accepted input, and the errors for rejected input."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polhode.plant import InputError
from polhode.plant.attitude import from_rotation_vector, rotation_matrix
from polhode.plant.hub.inertia import inertia_matrices, inertia_matrix, inverse_inertia, parallel_axis


@given(
    masses=st.lists(st.floats(1e-3, 1e3), min_size=4, max_size=8),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=60)
def test_inertia_matrix_accepts_any_point_masses(masses, seed):
    places = np.random.default_rng(seed).normal(size=(len(masses), 3))
    J = sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, places, strict=True))
    np.testing.assert_allclose(inertia_matrix(J), J, rtol=1e-15)


def test_inertia_matrix_accepts_moments_and_tensor():
    np.testing.assert_array_equal(inertia_matrix((3, 2, 4)), np.diag((3.0, 2.0, 4.0)))
    J = [[4.0, -0.5, 0.3], [-0.5, 3.1, 0.2], [0.3, 0.2, 2.0]]
    np.testing.assert_array_equal(inertia_matrix(J), J)


def test_inertia_matrix_symmetrises_rounded_decimals():
    J = np.array([[4.0, -0.5, 0.3], [-0.5 + 1e-10, 3.1, 0.2], [0.3, 0.2, 2.0]])
    computed = inertia_matrix(J)
    np.testing.assert_array_equal(computed, computed.T)


def test_inertia_matrix_accepts_flat_body_in_any_frame():
    # triangle equality up to rounding of the rotation
    for seed in range(50):
        R = rotation_matrix(from_rotation_vector(np.random.default_rng(seed).normal(size=3)))
        inertia_matrix(R @ np.diag((1.0, 2.0, 3.0)) @ R.T)


@pytest.mark.parametrize(
    ("inertia", "message"),
    [
        ((20, 10, 5), r"fails the triangle inequality: 20 > 10 \+ 5 kg m\^2; no mass distribution has such"),
        (np.array([[1, 0, 0], [0, 1, 0.9], [0, 0.9, 1]]), "fails the triangle inequality"),
        ((1, 2), r"inertia must be 3 numbers or 3 x 3 \(kg m\^2\); got shape \(2,\)"),
        (5.0, r"got shape \(\)"),
        (np.eye(4), r"got shape \(4, 4\)"),
        ([[1, 2], [3]], "got rows of unequal length"),
        ((1, np.nan, 1), r"inertia must be finite \(kg m\^2\)"),
        (("a", "b", "c"), r"inertia must be numbers \(kg m\^2\)"),
        ((1, 1, 1j), r"inertia must be numbers"),
        ((1, 1, 0), "inertia must be positive definite; its smallest principal moment is 0 kg"),
        ((1, 1, -1), "inertia must be positive definite; its smallest principal moment is -1 kg"),
        (np.zeros(3), "inertia must be positive definite"),
        ([[4, 1, 0], [0, 4, 0], [0, 0, 4]], "inertia must be symmetric: J12 = 1 but J21 = 0 kg"),
    ],
)
def test_inertia_matrix_rejects_bad_input(inertia, message):
    with pytest.raises(InputError, match=message):
        inertia_matrix(inertia)


def test_parallel_axis_matches_point_masses():
    rng = np.random.default_rng(8)
    masses, places = rng.uniform(0.1, 1, 6), rng.normal(size=(6, 3))
    places -= masses @ places / masses.sum()
    d = np.array((0.3, -1.2, 0.8))

    def about(origin):
        return sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, places - origin, strict=True))

    np.testing.assert_allclose(about(d), about(0 * d) + parallel_axis(masses.sum(), d), rtol=0, atol=1e-14)


def exact_inverse(J):
    """Inverse by cofactors in exact rational arithmetic."""
    a = [[Fraction(float(each)) for each in row] for row in J]

    def cofactor(i, j):
        (k, m), (n, o) = ((i + 1) % 3, (i + 2) % 3), ((j + 1) % 3, (j + 2) % 3)
        return a[k][n] * a[m][o] - a[k][o] * a[m][n]

    determinant = sum(a[0][j] * cofactor(0, j) for j in range(3))
    return [[cofactor(j, i) / determinant for j in range(3)] for i in range(3)]


@pytest.mark.parametrize("smallest", [1.0, 1e-3, 1e-6, 1e-10])
def test_inverse_inertia_matches_exact_arithmetic(smallest):
    """Accuracy: a few roundings times the condition number, as for any backward stable method."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        Q = np.linalg.qr(rng.standard_normal((3, 3)))[0]
        turned = (Q * np.array([smallest, 1.0, 1.0 + 0.9 * smallest])) @ Q.T
        J = 0.5 * (turned + turned.T)
        computed, exact = inverse_inertia(J), exact_inverse(J)
        largest = max(abs(each) for row in exact for each in row)
        off = max(abs(Fraction(float(computed[i, j])) - exact[i][j]) for i in range(3) for j in range(3))
        assert off / largest < 4e-16 / smallest
        assert (computed == computed.T).all()
        assert inverse_inertia(np.array([np.eye(3), J]))[1].tobytes() == computed.tobytes()


def test_single_tensors_are_accepted_as_in_a_batch():
    """The rules of a single tensor and of a batch are written twice."""
    rng = np.random.default_rng(8)
    moments = [(1, 1, 1), (3, 2, 1), (3, 2, 1.0001), (3, 2, 0.999), (1, 1, 1e-13), (1, 1, -1), (0, 0, 0), (1, 1, 0)]
    moments += [(1e151, 1e151, 1e151), (1e-151, 1e-151, 1e-151), (1e149, 1e149, 1e149)]
    tensors = [np.diag(each) for each in moments]
    for each in moments:
        Q = np.linalg.qr(rng.standard_normal((3, 3)))[0]
        tensors += [(Q * np.array(each)) @ Q.T, (Q * np.array(each)) @ Q.T + 1e-7 * rng.standard_normal((3, 3))]
    symmetric, faults = inertia_matrices(np.array(tensors))
    assert 5 < (faults == 0).sum() < len(tensors)
    for tensor, expected, fault in zip(tensors, symmetric, faults, strict=True):
        if fault:
            with pytest.raises(InputError):
                inertia_matrix(tensor)
        else:
            assert inertia_matrix(tensor).tobytes() == expected.tobytes()
