"""Reference values computed with numpy and scipy by different methods, without using polhode.

Quaternions are multiplied as SU(2) matrices. Rotation matrices follow from the action of SU(2) matrices on the Pauli
matrices. The motion of the free body and of the heavy top comes from elliptic functions and quadrature.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ellipj, ellipk

Array = NDArray[np.float64]

PAULI = np.array([[[0.0, 1.0], [1.0, 0.0]], [[0.0, -1.0j], [1.0j, 0.0]], [[1.0, 0.0], [0.0, -1.0]]])


def _su2(e: ArrayLike) -> NDArray[np.complex128]:
    parts = np.asarray(e, dtype=np.float64)
    return parts[0] * np.eye(2) - 1.0j * np.einsum("n,nij->ij", parts[1:], PAULI)


def product(p: ArrayLike, q: ArrayLike) -> Array:
    """Return the product of two quaternions, scalar first."""
    U = _su2(p) @ _su2(q)
    return np.array([0.5 * np.trace(U).real, *(-0.5 * np.trace(U @ pauli).imag for pauli in PAULI)])


def rotation(e: ArrayLike) -> Array:
    """Return the rotation matrix of unit Euler parameters, R_ij = tr(s_i U s_j U*) / 2."""
    U = _su2(e)
    return np.array([[0.5 * np.trace(a @ U @ b @ U.conj().T).real for b in PAULI] for a in PAULI])


def elementary(axis: int, angle: float) -> Array:
    """Return the matrix of a rotation by an angle, rad, about axis 0, 1 or 2."""
    c, s = np.cos(angle), np.sin(angle)
    R = np.eye(3)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    R[j, j], R[j, k], R[k, j], R[k, k] = c, -s, s, c
    return R


def velocity_matrices(e: ArrayLike) -> tuple[Array, Array]:
    """Return E and G, with omega = 2 E e' in inertial axes and omega = 2 G e' in body axes.

    They follow from the vector parts of e' conj(e) and conj(e) e'.
    """
    unit = np.asarray(e, dtype=np.float64)
    conjugate = unit * np.array((1.0, -1.0, -1.0, -1.0))
    E = np.array([product(column, conjugate)[1:] for column in np.eye(4)]).T
    G = np.array([product(conjugate, column)[1:] for column in np.eye(4)]).T
    return E, G


def force_matrices(e: ArrayLike, point: ArrayLike) -> tuple[Array, Array]:
    """Return B1 and B2 of a body point u.

    B1 maps e' to A (omega x u). B2 is d(A u)/de, with A the polynomial (5) of the notes.
    """
    unit, u = np.asarray(e, dtype=np.float64), np.asarray(point, dtype=np.float64)
    _, G = velocity_matrices(unit)
    B1 = rotation(unit) @ np.cross(2.0 * G.T, u).T

    def turned(q: Array) -> Array:
        return (2.0 * q[0] ** 2 - 1.0) * u + 2.0 * (q[1:] * (q[1:] @ u) + q[0] * np.cross(q[1:], u))

    # the central difference of a quadratic polynomial is exact
    B2 = np.array([0.5 * (turned(unit + step) - turned(unit - step)) for step in np.eye(4)]).T
    return B1, B2


def _jacobi(inertia: ArrayLike, a1: float, a3: float) -> tuple[float, float, float]:
    one, two, three = (1.0 / np.asarray(inertia, dtype=np.float64)).tolist()
    a2 = a3 * np.sqrt((three - one) / (two - one))
    p = a1 * np.sqrt((three - one) * (two - one))
    return float(a2), float(p), float((three - two) * a2 * a3 / (p * a1))


def free_body(t: ArrayLike, inertia: ArrayLike, *, amplitudes: tuple[float, float]) -> tuple[Array, Array]:
    """Return momentum and its derivative, each (3,) or (3, n), of a free body.

    The moments of inertia are in descending order. The momentum is h = (a1 dn pt, a2 sn pt, -a3 cn pt); amplitudes: a1
    and a3, N m s.
    """
    a1, a3 = amplitudes
    a2, p, m = _jacobi(inertia, a1, a3)
    sn, cn, dn, _ = ellipj(p * np.asarray(t, dtype=np.float64), m)
    h = np.array([a1 * dn, a2 * sn, -a3 * cn])
    return h, p * np.array([-m * a1 * sn * cn, a2 * cn * dn, a3 * sn * dn])


def free_body_figures(inertia: ArrayLike, *, amplitudes: tuple[float, float]) -> tuple[float, float, float]:
    """Return the amplitude of h2, the minimum of h1, and the period of h1."""
    a1, a3 = amplitudes
    a2, p, m = _jacobi(inertia, a1, a3)
    return a2, float(a1 * np.sqrt(1.0 - m)), float(2.0 * ellipk(m) / p)


def free_body_rates(h: Array, change: Array, *, inertia: ArrayLike) -> Array:
    """Return the rates of the 3-1-3 angles relative to the momentum vector.

    h, change (3,): momentum and its derivative. Nutation and spin rates follow from the direction of h in the body; the
    precession rate is (2 T - h3 w3) H / (H^2 - h3^2).
    """
    size, across = float(np.sqrt(h @ h)), float(h[0] ** 2 + h[1] ** 2)
    rate = h / np.asarray(inertia, dtype=np.float64)
    return np.array(
        [
            float(h[:2] @ rate[:2]) * size / across,
            -float(change[2]) / np.sqrt(across),
            float(change[0] * h[1] - h[0] * change[1]) / across,
        ]
    )


def top_frequencies(transverse: float, *, weight_moment: float, axial_momentum: float, tilt: float) -> Array:
    """Return nutation frequency and mean precession rate, rad/s, of a top released at a tilt.

    The nutation period is a complete elliptic integral K(m); the precession angle comes from quadrature.
    """
    a, b, u2 = axial_momentum / transverse, 2.0 * weight_moment / transverse, float(np.cos(tilt))
    middle = 0.5 * a**2 / b
    apart = float(np.sqrt(middle**2 + 1.0 - 2.0 * middle * u2))
    u1, u3 = middle - apart, middle + apart  # u1: cosine of the largest tilt; u3 > 1: no tilt
    m = (u2 - u1) / (u3 - u1)
    quarter = float(ellipk(m))

    # the integrand is even and periodic in the angle, so the midpoint rule with few points is exact to rounding
    s2 = np.sin((np.arange(64) + 0.5) * (np.pi / 128.0)) ** 2
    u = u1 + (u2 - u1) * s2
    mean = 0.5 * np.pi / quarter * float(np.mean(a * (u2 - u) / (1.0 - u**2) / np.sqrt(1.0 - m * s2)))
    return np.array([0.5 * np.pi * np.sqrt(b * (u3 - u1)) / quarter, mean])
