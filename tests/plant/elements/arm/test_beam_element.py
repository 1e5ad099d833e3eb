"""Beam element: momenta and forces against its energy, and its energy against an independent frame field."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from polhode.plant.elements.arm import arm_layout as at
from polhode.plant.elements.arm.beam_element import element_strain, element_sweep
from polhode.plant.elements.arm.tangent_stiffness import element_slopes, element_tangent

B = at.HEADER_SIZE
H = 1e-30
EA, GJ, EY, EZ, RHO_A, RHO_X, RHO_Y, RHO_Z, LENGTH = 3.0, 2.0, 1.5, 2.5, 1.1, 0.4, 0.3, 0.2, 0.7
PLACES, WEIGHTS = (0.5 * (1 + np.polynomial.legendre.leggauss(3)[0]), 0.5 * np.polynomial.legendre.leggauss(3)[1])
SPIN_WEIGHTS = np.array((5 / 9, -1 / 9, 5 / 9))


def parameters(eta=0.0):
    p = np.zeros(at.HEADER_SIZE + at.ARM_SIZE)
    p[at.POINTS] = 3
    p[at.GAUSS : at.GAUSS + 9] = np.column_stack((PLACES, WEIGHTS, SPIN_WEIGHTS)).reshape(9)
    p[B + at.ELEMENTS], p[B + at.LENGTH], p[B + at.DAMPING] = 1, LENGTH, eta
    p[B + at.AXIAL], p[B + at.TORSION], p[B + at.BEND_M], p[B + at.BEND_N] = EA, GJ, EY, EZ
    p[B + at.MASS], p[B + at.SPIN], p[B + at.SPIN_M], p[B + at.SPIN_N] = RHO_A, RHO_X, RHO_Y, RHO_Z
    return p


@pytest.fixture
def bent():
    """Two nodes with large deformation, and velocities."""
    rng = np.random.default_rng(1)
    first = Rotation.random(random_state=2).as_matrix()
    second = first @ Rotation.from_rotvec(0.5 * rng.normal(size=3)).as_matrix()
    pose = np.zeros((2, 13))
    pose[0, :3] = rng.normal(size=3)
    pose[1, :3] = pose[0, :3] + LENGTH * first[:, 0] + 0.1 * rng.normal(size=3)
    pose[0, 3:12], pose[1, 3:12] = first.T.reshape(9), second.T.reshape(9)
    pose[:, 12] = 0.1 * rng.normal(size=2)
    return pose, rng.normal(size=(2, 7))


def sweep(pose, vel, eta=0.0):
    kind = np.result_type(pose, vel)
    mom, frc = np.zeros((2, 7), kind), np.zeros((2, 7), kind)
    kinetic, potential, _ = element_sweep(parameters(eta), B, 0, pose.astype(kind), vel.astype(kind), mom, frc)
    return kinetic, potential, mom, frc


def moved(pose, change, h=1j * H):
    """Pose after h times a change of positions, rotations and strains."""
    computed = pose.astype(complex) if isinstance(h, complex) else pose.copy()
    for i in range(2):
        computed[i, :3] += h * change[i, :3]
        for k in (3, 6, 9):
            computed[i, k : k + 3] += h * np.cross(change[i, 3:6], pose[i, k : k + 3])
        computed[i, 12] += h * change[i, 6]
    return computed


def test_beam_element_forces_are_energy_gradients(bent):
    pose, vel = bent
    _, _, mom, frc = sweep(pose, vel)
    for k in range(14):
        unit = np.eye(14)[k].reshape(2, 7)
        kinetic, potential, _, _ = sweep(moved(pose, unit), vel)
        assert (kinetic - potential).imag / H == pytest.approx(frc.flat[k], rel=1e-12, abs=1e-13)
        faster = vel + 1j * H * unit
        assert sweep(pose, faster)[0].imag / H == pytest.approx(mom.flat[k], rel=1e-12, abs=1e-13)
    assert 0.5 * (mom * vel).sum() == pytest.approx(sweep(pose, vel)[0], rel=1e-13)


def frame(pose, xi):
    """r' and r'' by numpy differentiation of the interpolation; the section frame by scipy rotations."""
    L = LENGTH
    N = [np.poly1d(c) for c in ((2, -3, 0, 1), (1, -2, 1, 0), (-2, 3, 0, 0), (1, -1, 0, 0))]
    knots = (pose[0, :3], L * (1 + pose[0, 12]) * pose[0, 3:6], pose[1, :3], L * (1 + pose[1, 12]) * pose[1, 3:6])
    g = sum(n.deriv()(xi) * c for n, c in zip(N, knots, strict=True))
    h = sum(n.deriv(2)(xi) * c for n, c in zip(N, knots, strict=True))

    def swing(a, b):
        axis = np.cross(a, b)
        size = np.linalg.norm(axis)
        return Rotation.from_rotvec(axis / size * np.arctan2(size, a @ b)).as_matrix() if size > 0 else np.eye(3)

    first, second = pose[0, 3:12].reshape(3, 3).T, pose[1, 3:12].reshape(3, 3).T
    left = swing(first[:, 0], second[:, 0]) @ first
    alpha = Rotation.from_matrix(left.T @ second).as_rotvec()[0]
    t = g / np.linalg.norm(g)
    twist = Rotation.from_rotvec(alpha * xi * t).as_matrix()
    return g, h, twist @ swing(first[:, 0], t) @ first


def rate_of(make, size):
    """Body components of the rotation vector of d frame / d parameter, by a high-order central difference."""
    h = size
    total = np.zeros((3, 3))
    for step, weight in ((1, 672), (2, -168), (3, 32), (4, -3)):
        total += weight * (make(step * h) - make(-step * h))
    spin = make(0.0).T @ total / (840 * h)
    return np.array((spin[2, 1] - spin[1, 2], spin[0, 2] - spin[2, 0], spin[1, 0] - spin[0, 1])) / 2


def test_beam_element_strain_energy_matches_frame_field(bent):
    pose, vel = bent
    total = 0.0
    for xi, weight in zip(PLACES, WEIGHTS, strict=True):
        kappa = rate_of(lambda s, xi=xi: frame(pose, xi + s)[2], 0.01) / LENGTH
        strain = np.linalg.norm(frame(pose, xi)[0]) / LENGTH - 1
        total += 0.5 * weight * LENGTH * (EA * strain**2 + GJ * kappa[0] ** 2 + EY * kappa[1] ** 2 + EZ * kappa[2] ** 2)
    assert sweep(pose, vel)[1] == pytest.approx(total, rel=1e-10)


def test_beam_element_kinetic_energy_matches_frame_field(bent):
    pose, vel = bent

    def later(s):
        computed = pose.copy()
        for i in range(2):
            computed[i, :3] += s * vel[i, :3]
            turn = Rotation.from_rotvec(s * vel[i, 3:6]).as_matrix()
            computed[i, 3:12] = (turn @ pose[i, 3:12].reshape(3, 3).T).T.reshape(9)
            computed[i, 12] += s * vel[i, 6]
        return computed

    def place(s, xi):
        q = later(s)
        a, b = (1 + q[0, 12]) * q[0, 3:6] * LENGTH, (1 + q[1, 12]) * q[1, 3:6] * LENGTH
        N3 = 3 * xi**2 - 2 * xi**3
        return (1 - N3) * q[0, :3] + N3 * q[1, :3] + xi * (1 - xi) ** 2 * a - xi**2 * (1 - xi) * b

    total = 0.0
    for xi, weight in zip(*np.polynomial.legendre.leggauss(5), strict=True):
        x, w = 0.5 * (1 + xi), 0.5 * weight
        v = np.zeros(3) + sum(
            c * (place(k * 1e-3, x) - place(-k * 1e-3, x)) for k, c in ((1, 672), (2, -168), (3, 32), (4, -3))
        )
        v = v / 0.84
        total += 0.5 * w * LENGTH * RHO_A * v @ v
    for xi, weight, spin_weight in zip(PLACES, WEIGHTS, SPIN_WEIGHTS, strict=True):
        omega = rate_of(lambda s, xi=xi: frame(later(s), xi)[2], 0.003)
        across = RHO_Y * omega[1] ** 2 + RHO_Z * omega[2] ** 2
        total += 0.5 * LENGTH * (weight * across + spin_weight * RHO_X * omega[0] ** 2)
    assert sweep(pose, vel)[0] == pytest.approx(total, rel=1e-10)


def test_beam_element_damping_power_matches_strain_rates(bent):
    pose, vel = bent
    eta, h = 0.3, 1e-4

    def strains(xi, s):
        q = moved(pose, vel, s)
        kappa = rate_of(lambda d: orthonormal(q, xi + d), 0.01) / LENGTH
        return np.array((np.linalg.norm(frame(q, xi)[0]) / LENGTH - 1, *kappa))

    def orthonormal(q, xi):
        return frame(q, xi)[2]

    power = 0.0
    for xi, weight in zip(PLACES, WEIGHTS, strict=True):
        rates = (strains(xi, h) - strains(xi, -h)) / (2 * h)
        power -= eta * weight * LENGTH * (np.array((EA, GJ, EY, EZ)) @ rates**2)
    damped, free = sweep(pose, vel, eta)[3], sweep(pose, vel)[3]
    assert ((damped - free) * vel).sum() == pytest.approx(power, rel=1e-5)  # a central difference of order 2


def test_beam_element_rigid_motion_has_no_strain_energy():
    pose = np.zeros((2, 13))
    pose[0, 3:12] = pose[1, 3:12] = np.eye(3).reshape(9)
    pose[1, 0] = LENGTH
    omega, v = np.array((0.3, -0.2, 0.5)), np.array((1.0, 2.0, -1.0))
    vel = np.array([(*v, *omega, 0), (*(v + np.cross(omega, (LENGTH, 0, 0))), *omega, 0)])
    kinetic, potential, mom, _ = sweep(pose, vel)
    middle = v + np.cross(omega, (LENGTH / 2, 0, 0))
    slender = RHO_A * LENGTH**3 / 12
    inertia = LENGTH * np.array((RHO_X, RHO_Y, RHO_Z)) + (0, slender, slender)
    assert abs(potential) < 1e-30
    assert kinetic == pytest.approx(0.5 * RHO_A * LENGTH * middle @ middle + 0.5 * inertia @ omega**2, rel=1e-13)
    assert mom[:, :3].sum(axis=0) == pytest.approx(RHO_A * LENGTH * middle, rel=1e-13)


def test_element_strain_matches_element_sweep(bent):
    pose, vel = bent
    assert element_strain(parameters(), B, 0, pose) == pytest.approx(sweep(pose, vel)[1], rel=1e-14)
    straight = np.zeros((2, 13))
    straight[1, 0], straight[:, 3:12] = LENGTH, np.eye(3).reshape(9)
    assert element_strain(parameters(), B, 0, straight) < 1e-30


def test_element_slopes_approximate_element_tangent(bent):
    pose, _ = bent
    exact, about = np.zeros((14, 14)), np.zeros((14, 14))
    element_tangent(parameters(), B, 0, pose, *(np.zeros((2, k), dtype=complex) for k in (13, 7, 7, 7)), exact)
    element_slopes(parameters(), B, 0, pose, *(np.zeros((2, k)) for k in (13, 7, 7, 7)), about)
    # differences of 1e-5: truncation of order 1e-10 and rounding of 1e-16 / 1e-5
    np.testing.assert_allclose(about, exact, rtol=0.0, atol=1e-8 * np.abs(exact).max())
