"""The four torque bases against their construction from elementary rotations, for all sequences."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant.attitude import (
    euler_rate_matrix_body,
    euler_rates,
    from_euler_angles,
    parse_sequence,
    rotation_matrix,
    singular_middle_angles,
)
from polhode.plant.loads.torque.torque_kernels import (
    BODY,
    DUAL,
    EULER,
    INERTIAL,
    basis_vectors,
    components,
    conjugate_rates,
    pose_distance,
    torque_in_body,
)

EPS = float(np.finfo(np.float64).eps)
# Attitudes are at least 0.1 rad from the pose. A dual vector is up to 10 long; it is formed by two divisions by
# c >= 0.1 of numbers with an error of a few eps. 1000 eps covers that, and is far below any error in an equation.
NEAR = 1000 * EPS
U = np.array((0.7, -0.4, 1.3))


def columns(code, axes, e):
    """The three vectors of a basis, body components, as the columns of a matrix."""
    return np.column_stack([torque_in_body(code, *axes, *e, *unit) for unit in np.eye(3)])


def test_euler_basis_vectors_are_the_three_rotation_axes(sequence, angles):
    axes = parse_sequence(sequence)
    for a in angles:
        e = from_euler_angles(a, sequence)
        B = euler_rate_matrix_body(a, sequence)  # [R'g1, R'g2, R'g3] from elementary rotation matrices
        np.testing.assert_allclose(columns(EULER, axes, e), B, rtol=0, atol=NEAR)
        np.testing.assert_allclose(columns(DUAL, axes, e), np.linalg.inv(B).T, rtol=0, atol=10 * NEAR)


def test_euler_and_dual_euler_bases_are_reciprocal(sequence, angles):
    axes = parse_sequence(sequence)
    for a in angles:
        e = from_euler_angles(a, sequence)
        np.testing.assert_allclose(columns(EULER, axes, e).T @ columns(DUAL, axes, e), np.eye(3), rtol=0, atol=NEAR)


def test_torque_basis_vector_lengths(sequence, angles):
    axes = parse_sequence(sequence)
    for a in angles:
        e = from_euler_angles(a, sequence)
        c = abs(np.sin(a[1]) if axes[0] == axes[2] else np.cos(a[1]))
        np.testing.assert_allclose(np.linalg.norm(columns(EULER, axes, e), axis=0), 1.0, rtol=NEAR)
        lengths = np.linalg.norm(columns(DUAL, axes, e), axis=0)
        np.testing.assert_allclose(lengths, (1 / c, 1.0, 1 / c), rtol=NEAR)  # Choi (2014), (11)
        assert pose_distance(*axes, *e) == pytest.approx(c, rel=NEAR)


@pytest.mark.parametrize("code", [BODY, INERTIAL, EULER, DUAL])
def test_torque_basis_components_invert_to_body(sequence, angles, code):
    axes = parse_sequence(sequence)
    for a in angles:
        e = from_euler_angles(a, sequence)
        torque = torque_in_body(code, *axes, *e, *U)
        np.testing.assert_allclose(components(code, *axes, *e, *torque), U, rtol=0, atol=10 * NEAR)


def test_inertial_basis_components_are_rotated_by_R(angles, sequence):
    for a in angles:
        e = from_euler_angles(a, sequence)
        vectors = plant.TorqueBasis("inertial").to_body(U, e)
        np.testing.assert_allclose(vectors, rotation_matrix(e).T @ U, rtol=0, atol=8 * EPS)


def test_dual_components_are_generalised_forces_of_the_angles(sequence, angles):
    axes = parse_sequence(sequence)
    for a in angles:
        e = from_euler_angles(a, sequence)
        forces = U @ euler_rate_matrix_body(a, sequence)  # Q_i = tau . g_i
        np.testing.assert_allclose(components(DUAL, *axes, *e, *U), forces, rtol=0, atol=NEAR)


def test_conjugate_rates_of_dual_basis_are_euler_rates(sequence, angles):
    axes = parse_sequence(sequence)
    for a in angles:
        e = from_euler_angles(a, sequence)
        rates = euler_rates(a, U, sequence=sequence)
        np.testing.assert_allclose(conjugate_rates(DUAL, *axes, *e, *U), rates, rtol=0, atol=10 * NEAR)


@pytest.mark.parametrize("code", [BODY, INERTIAL, EULER, DUAL])
def test_torque_components_times_conjugate_rates_are_power(sequence, angles, code):
    axes, omega = parse_sequence(sequence), np.array((0.3, 1.1, -0.6))
    for a in angles:
        e = from_euler_angles(a, sequence)
        power = np.dot(torque_in_body(code, *axes, *e, *U), omega)
        vectors = np.dot(U, conjugate_rates(code, *axes, *e, *omega))
        assert vectors == pytest.approx(power, rel=0, abs=10 * NEAR)


def test_torque_basis_is_invariant_to_the_sign_of_the_quaternion(sequence, angles):
    axes = parse_sequence(sequence)
    for a in angles[:5]:
        e = from_euler_angles(a, sequence)
        for code in (BODY, INERTIAL, EULER, DUAL):
            assert torque_in_body(code, *axes, *e, *U) == torque_in_body(code, *axes, *-e, *U)


def at_pose(sequence):
    """An attitude at the pose without rounding error: c is exactly zero."""
    i, j, k = parse_sequence(sequence)
    if i == k:
        return np.array((1.0, 0.0, 0.0, 0.0))
    e = np.zeros(4)
    e[0] = e[1 + j] = np.sqrt(0.5)  # a quarter turn about the middle axis
    return e


def test_torque_bases_at_the_exact_pose(sequence):
    i, j, k = parse_sequence(sequence)
    e = at_pose(sequence)
    assert pose_distance(i, j, k, *e) == 0.0
    dual, euler = plant.TorqueBasis("dual-euler", sequence), plant.TorqueBasis("euler", sequence)
    # the direction of g2 is the body axis j there, the convention a3 = 0 of to_euler_angles
    for basis in (dual, euler):
        np.testing.assert_allclose(basis.to_body((0, 1, 0), e), np.eye(3)[j], rtol=0, atol=4 * EPS)
    # the Euler basis stays bounded, but its first and third vectors are parallel
    g1, g3 = euler.to_body((1, 0, 0), e), euler.to_body((0, 0, 1), e)
    np.testing.assert_allclose(np.cross(g1, g3), 0.0, atol=4 * EPS)
    assert np.linalg.norm(g1) == pytest.approx(1.0, rel=4 * EPS)
    # the first and third dual vectors are infinite
    for u in ((1, 0, 0), (0, 0, 1)):
        assert not np.isfinite(dual.to_body(u, e)).all()
    vectors = basis_vectors(i, j, k, *e)
    assert vectors[-1] == 0.0
    assert abs(vectors[-2]) == pytest.approx(1.0, rel=4 * EPS)


@pytest.mark.parametrize("offset", [1e-3, 1e-6, 1e-9])
def test_dual_vectors_grow_as_one_over_pose_distance(sequence, offset):
    axes = parse_sequence(sequence)
    symmetric = axes[0] == axes[2]
    low, high = singular_middle_angles(sequence)
    for middle in (low + offset, high - offset):
        e = from_euler_angles((0.4, middle, -1.1), sequence)
        # c is a difference of numbers near one: its absolute error is about eps, its relative error about 4 eps/offset
        near = 8 * EPS / offset
        assert pose_distance(*axes, *e) == pytest.approx(np.sin(offset), rel=near), symmetric
        lengths = np.linalg.norm(columns(DUAL, axes, e), axis=0)
        np.testing.assert_allclose(lengths, (1 / np.sin(offset), 1.0, 1 / np.sin(offset)), rtol=4 * near)


def test_second_basis_vector_changes_sign_across_the_pose():
    basis = plant.TorqueBasis("dual-euler", "1-2-3")
    # phi swept through 90 deg along one great circle; from_euler_angles has no standard range
    before, after = (
        basis.to_body((0, 1, 0), from_euler_angles((0.4, np.pi / 2 + d, 0.3), "1-2-3")) for d in (-1e-4, 1e-4)
    )
    np.testing.assert_allclose(before, -after, rtol=0, atol=1e-10)  # eps/1e-4 of rounding in the direction


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "dual"}, "torque basis 'dual' is unknown; did you mean 'dual-euler'"),
        ({"name": 3}, "torque basis 3 is unknown"),
        ({"name": "euler"}, "torque basis 'euler' needs an Euler sequence such as '3-1-3'"),
        ({"name": "dual-euler"}, "torque basis 'dual-euler' needs an Euler sequence"),
        ({"name": "body", "sequence": "3-1-3"}, "torque basis 'body' takes no Euler sequence; got '3-1-3'"),
        ({"name": "euler", "sequence": "3-1-1"}, "sequence '3-1-1' is unknown; did you mean"),
        ({"name": "euler", "sequence": "zxz"}, "sequence 'zxz' is unknown"),
        ({"limit": 0.0}, r"torque limit must be greater than 0 \(N m\); got 0"),
        ({"limit": (1, 2)}, r"torque limit must be 3 numbers \(N m\); got shape \(2,\)"),
        ({"limit": (1, -2, 3)}, r"torque limit must be greater than 0 \(N m\) on every axis; got \[1.0, -2.0, 3.0\]"),
        ({"limit": "x"}, r"torque limit must be numbers \(N m\); got 'x'"),
        ({"limit": True}, r"torque limit must be numbers \(N m\); got True"),
        ({"limit": np.inf}, r"torque limit must be finite \(N m\); got inf"),
    ],
)
def test_torque_basis_rejects_bad_input(arguments, message):
    with pytest.raises(plant.InputError, match=message):
        plant.TorqueBasis(**arguments)


def test_torque_basis_stores_limits():
    np.testing.assert_array_equal(plant.TorqueBasis().limits(), np.inf)
    np.testing.assert_array_equal(plant.TorqueBasis(limit=0.5).limits(), 0.5)
    np.testing.assert_array_equal(plant.TorqueBasis(limit=(1, 2, 3)).limits(), (1, 2, 3))


def test_torque_basis_codes_and_axes():
    assert [plant.TorqueBasis(n).code for n in ("body", "inertial")] == [BODY, INERTIAL]
    assert plant.TorqueBasis("euler", "3-1-3").code == EULER
    assert plant.TorqueBasis("dual-euler", "3-1-3").code == DUAL
    assert plant.TorqueBasis("dual-euler", "2-3-1").axes == (1, 2, 0)
    assert plant.TorqueBasis().axes == (0, 0, 0)


def test_torque_basis_to_body_rejects_bad_vectors():
    basis = plant.TorqueBasis("inertial")
    with pytest.raises(plant.InputError, match=r"torque components must be 3 numbers \(N m\)"):
        basis.to_body((1, 2), (1, 0, 0, 0))
    with pytest.raises(plant.InputError, match="attitude must be 4 numbers"):
        basis.to_body((1, 2, 3), (1, 0, 0))
