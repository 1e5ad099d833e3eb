# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernels of the four torque bases: inertial, body, Euler and dual Euler.

With R = R_i(a1) R_j(a2) R_k(a3), the Euler basis is g1 = E_i, g2 = R_i E_j, g3 = R_i R_j E_k, so that
omega = sum adot_n g_n. All vectors here have body components and none requires an angle: g1 is row i of R, g3 is the
body axis k, and g2 is the unit normal to both. With d = g1.g3 and c = |g1 x g3|, the dual basis is g^1 = (g1 - d
g3)/c^2, g^2 = g2, g^3 = (g3 - d g1)/c^2. Hence |g^1| = |g^3| = 1/c, with c = |cos a2| for asymmetric and |sin a2| for
symmetric
sequences (Choi 2014, section 2.1, (10)-(11)).

At the singular pose (c = 0) the direction of g2 is undefined. The vector is then set to the body axis j, which
corresponds to the convention a3 = 0 of `to_euler_angles`.
"""

import math

import numpy as np

from ...hub.parameters import AT_PORTS, PORT
from ...kernels.kernel import kernel
from ...kernels.lanes import select
from ...kernels.rotation import rotation_row, to_body, to_inertial

BODY = 0
INERTIAL = 1
EULER = 2
DUAL = 3
ON_COORDINATE = 4  # code in place of a basis: one generalised force on a coordinate of an element
OF_WHEEL = 5  # code in place of a basis: a fault of the wheel with the coordinate i
ON_LEVEL = 6  # code in place of a basis: force demanded of a thruster that belongs to an element


@kernel(lanes=True)
def _normal(i, j, k, e0, e1, e2, e3):
    """Return g1 (row i of R), the vector sigma g1 x g3 (not normalised), and its squared length c^2."""
    a0, a1, a2 = rotation_row(i, e0, e1, e2, e3)
    # g1 x E_k
    if k == 0:
        n0, n1, n2 = 0.0 * a0, a2, -a1
    elif k == 1:
        n0, n1, n2 = -a2, 0.0 * a1, a0
    else:
        n0, n1, n2 = a1, -a0, 0.0 * a2
    if i != k and (i + 1) % 3 == j:  # a cyclic asymmetric sequence has the opposite sign
        n0, n1, n2 = -n0, -n1, -n2
    return a0, a1, a2, n0, n1, n2, n0 * n0 + n1 * n1 + n2 * n2


@kernel(lanes=True)
def basis_vectors(i, j, k, e0, e1, e2, e3):
    """Return g1 and g2 in body components, d = g1.g3 and c^2 = |g1 x g3|^2; g3 is the body axis k."""
    a0, a1, a2, n0, n1, n2, c2 = _normal(i, j, k, e0, e1, e2, e3)
    if k == 0:
        d = a0
    elif k == 1:
        d = a1
    else:
        d = a2
    regular = c2.real > 0.0
    s = 1.0 / np.sqrt(select(regular, c2, 1.0 + 0.0 * d))
    b0 = select(regular, n0 * s, (1.0 if j == 0 else 0.0) + 0.0 * d)
    b1 = select(regular, n1 * s, (1.0 if j == 1 else 0.0) + 0.0 * d)
    b2 = select(regular, n2 * s, (1.0 if j == 2 else 0.0) + 0.0 * d)
    return a0, a1, a2, b0, b1, b2, d, c2


@kernel(lanes=True)
def pose_distance(i, j, k, e0, e1, e2, e3):
    """Return c = |cos a2| (asymmetric) or |sin a2| (symmetric), zero at the pose; |g^1| = |g^3| = 1/c."""
    a0, a1, a2, n0, n1, n2, c2 = _normal(i, j, k, e0, e1, e2, e3)
    return np.sqrt(c2)


@kernel
def torque_in_body(basis, i, j, k, e0, e1, e2, e3, u0, u1, u2):
    """Convert torque components u in the basis to body components."""
    if basis == BODY:
        return u0, u1, u2
    if basis == INERTIAL:
        return to_body(e0, e1, e2, e3, u0, u1, u2)
    a0, a1, a2, b0, b1, b2, d, c2 = basis_vectors(i, j, k, e0, e1, e2, e3)
    if basis == EULER:
        m1 = u0
        m3 = u2
    else:  # sum of u_n g^n in terms of g1, g2, g3; no division by zero for zero components
        m1 = 0.0 * u0
        m3 = 0.0 * u2
        if u0 != 0.0 or u2 != 0.0:
            m1 = (u0 - d * u2) / c2
            m3 = (u2 - d * u0) / c2
    t0 = m1 * a0 + u1 * b0
    t1 = m1 * a1 + u1 * b1
    t2 = m1 * a2 + u1 * b2
    if k == 0:
        t0 = t0 + m3
    elif k == 1:
        t1 = t1 + m3
    else:
        t2 = t2 + m3
    return t0, t1, t2


@kernel
def pulse_share(t, start, turning):
    """Return the pulse shape at time t: (1 - cos(2 pi (t - start) / length)) / 2, or 1 if constant."""
    if turning == 0.0:
        return 1.0
    return 0.5 * (1.0 - math.cos(turning * (t - start)))


@kernel
def commanded_torque(x, u, p):
    """Return the body components of the control torque, whether it acts from outside or through elements."""
    axes = AT_PORTS + PORT.axes
    i, j, k = int(p[axes]), int(p[axes + 1]), int(p[axes + 2])
    return torque_in_body(int(p[AT_PORTS + PORT.basis]), i, j, k, x[3], x[4], x[5], x[6], u[0], u[1], u[2])


@kernel(lanes=True)
def components(basis, i, j, k, e0, e1, e2, e3, t0, t1, t2):
    """Convert body components of a torque to components in the basis: the inverse of `torque_in_body`."""
    if basis == BODY:
        return t0, t1, t2
    if basis == INERTIAL:
        return to_inertial(e0, e1, e2, e3, t0, t1, t2)
    a0, a1, a2, b0, b1, b2, d, c2 = basis_vectors(i, j, k, e0, e1, e2, e3)
    q1 = t0 * a0 + t1 * a1 + t2 * a2
    q2 = t0 * b0 + t1 * b1 + t2 * b2
    if k == 0:
        q3 = t0
    elif k == 1:
        q3 = t1
    else:
        q3 = t2
    if basis == DUAL:  # generalised forces conjugate to the Euler angles: Q_n = tau . g_n
        return q1, q2, q3
    # a zero torque has zero components even at the singular pose, where c2 = 0
    acts = select(t0 != 0.0, c2, select(t1 != 0.0, c2, select(t2 != 0.0, c2, 1.0 + 0.0 * c2)))
    return (q1 - d * q3) / acts, q2, (q3 - d * q1) / acts


@kernel(lanes=True)
def conjugate_rates(basis, i, j, k, e0, e1, e2, e3, w0, w1, w2):
    """Return the rates conjugate to the torque components.

    The sum of the products of rates and components is the power tau . omega. In the body and
    inertial bases, the rates are the components of omega in these axes. In the dual Euler basis they are the Euler
    rates adot_n = g^n . omega, and in the Euler basis the projections g_n . omega.
    """
    if basis == EULER:
        return components(DUAL, i, j, k, e0, e1, e2, e3, w0, w1, w2)
    if basis == DUAL:
        return components(EULER, i, j, k, e0, e1, e2, e3, w0, w1, w2)
    return components(basis, i, j, k, e0, e1, e2, e3, w0, w1, w2)
