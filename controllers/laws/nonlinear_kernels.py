# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernels of energy shaping, sliding mode and rate damping."""

import numpy as np

from ...plant.kernels.fields import fields, row_times, three
from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import shared
from ...plant.kernels.rotation import to_body
from .body_torque import write_body_torque
from .error_attitude import error_attitude
from .saturation import cut

SHAPING = fields(basis=4, inertia=9, weights=9, damping=9)
"""Layout of q: basis and axes, J, G, Kd."""

SLIDING = fields(basis=4, inertia=9, slope=3, reach=3, layer=3)
"""Layout of q: basis and axes, J, L, K, phi."""

DAMPING = fields(basis=4, field=3, field_rate=3, gain=9)
"""Layout of q: basis and axes, field, field rate, K."""


@kernel(lanes=True)
def _desired(y, r, d0, d1, d2, d3):
    """Return omega_d = R_err' omega_ref and omega_d' = R_err' alpha_ref - omega x omega_d, body axes."""
    g0, g1, g2 = to_body(d0, d1, d2, d3, r[4], r[5], r[6])
    a0, a1, a2 = to_body(d0, d1, d2, d3, r[7], r[8], r[9])
    w0, w1, w2 = y[7], y[8], y[9]
    a0 = a0 - (w1 * g2 - w2 * g1)
    a1 = a1 - (w2 * g0 - w0 * g2)
    a2 = a2 - (w0 * g1 - w1 * g0)
    return g0, g1, g2, a0, a1, a2


@kernel(lanes=True)
def energy_shaping_kernel(t, y, r, q, z, u):
    """Write the torque of energy shaping into u; q as in SHAPING."""
    d0, d1, d2, d3 = error_attitude(y, r)
    g0, g1, g2, a0, a1, a2 = _desired(y, r, d0, d1, d2, d3)
    v0, v1, v2 = y[7] - g0, y[8] - g1, y[9] - g2
    # R_err, row by row
    r00, r01, r02 = 1.0 - 2.0 * (d2 * d2 + d3 * d3), 2.0 * (d1 * d2 - d0 * d3), 2.0 * (d1 * d3 + d0 * d2)
    r10, r11, r12 = 2.0 * (d1 * d2 + d0 * d3), 1.0 - 2.0 * (d1 * d1 + d3 * d3), 2.0 * (d2 * d3 - d0 * d1)
    r20, r21, r22 = 2.0 * (d1 * d3 - d0 * d2), 2.0 * (d2 * d3 + d0 * d1), 1.0 - 2.0 * (d1 * d1 + d2 * d2)
    # 1/2 vee(G R - R'G), with G symmetric
    m21 = row_times(q, SHAPING.weights + 6, r01, r11, r21)
    m12 = row_times(q, SHAPING.weights + 3, r02, r12, r22)
    m02 = row_times(q, SHAPING.weights, r02, r12, r22)
    m20 = row_times(q, SHAPING.weights + 6, r00, r10, r20)
    m10 = row_times(q, SHAPING.weights + 3, r00, r10, r20)
    m01 = row_times(q, SHAPING.weights, r01, r11, r21)
    s0, s1, s2 = 0.5 * (m21 - m12), 0.5 * (m02 - m20), 0.5 * (m10 - m01)
    for n in range(3):
        damping = row_times(q, SHAPING.damping + 3 * n, v0, v1, v2)
        u[n] = row_times(q, SHAPING.inertia + 3 * n, a0, a1, a2) - damping
    # - pi x omega_d: the remaining gyroscopic torque, pi x v, does no work on v
    u[0] = u[0] - s0 - (y[1] * g2 - y[2] * g1)
    u[1] = u[1] - s1 - (y[2] * g0 - y[0] * g2)
    u[2] = u[2] - s2 - (y[0] * g1 - y[1] * g0)
    write_body_torque(q, y, u)


@kernel(lanes=True)
def sliding_mode_kernel(t, y, r, q, z, u):
    """Write the sliding-mode torque into u; q as in SLIDING."""
    d0, d1, d2, d3 = error_attitude(y, r)
    g0, g1, g2, a0, a1, a2 = _desired(y, r, d0, d1, d2, d3)
    w0, w1, w2 = y[7], y[8], y[9]
    v0, v1, v2 = w0 - g0, w1 - g1, w2 - g2
    # time derivative of vec(e_err)
    b0 = 0.5 * (d0 * v0 + d2 * v2 - d3 * v1)
    b1 = 0.5 * (d0 * v1 + d3 * v0 - d1 * v2)
    b2 = 0.5 * (d0 * v2 + d1 * v1 - d2 * v0)
    l0, l1, l2 = three(q, SLIDING.slope)
    k0, k1, k2 = three(q, SLIDING.reach)
    p0, p1, p2 = three(q, SLIDING.layer)
    a0, a1, a2 = a0 - l0 * b0, a1 - l1 * b1, a2 - l2 * b2
    s0, s1, s2 = (v0 + l0 * d1) / p0, (v1 + l1 * d2) / p1, (v2 + l2 * d3) / p2
    one = 1.0 + 0.0 * p0
    s0, s1, s2 = cut(one, s0), cut(one, s1), cut(one, s2)
    u[0] = row_times(q, SLIDING.inertia, a0, a1, a2) + w1 * y[2] - w2 * y[1] - k0 * s0
    u[1] = row_times(q, SLIDING.inertia + 3, a0, a1, a2) + w2 * y[0] - w0 * y[2] - k1 * s1
    u[2] = row_times(q, SLIDING.inertia + 6, a0, a1, a2) + w0 * y[1] - w1 * y[0] - k2 * s2
    write_body_torque(q, y, u)


@kernel(lanes=True)
def rate_damping_kernel(t, y, r, q, z, u):
    """Write the rate damping torque, perpendicular to the field if there is one, into u; q as in DAMPING."""
    w0, w1, w2 = y[7], y[8], y[9]
    at = DAMPING.field
    f0, f1, f2 = shared(q, at), shared(q, at + 1), shared(q, at + 2)
    if f0 == 0.0 and f1 == 0.0 and f2 == 0.0:
        for n in range(3):
            u[n] = -row_times(q, DAMPING.gain + 3 * n, w0, w1, w2)
    else:
        # field at t: initial field rotated by the angle |field rate| t (Rodrigues)
        at = DAMPING.field_rate
        o0, o1, o2 = shared(q, at), shared(q, at + 1), shared(q, at + 2)
        size = np.sqrt(o0 * o0 + o1 * o1 + o2 * o2)
        h0, h1, h2 = f0, f1, f2
        if size.real > 0.0:
            n0, n1, n2 = o0 / size, o1 / size, o2 / size
            cos, sin = np.cos(size * t), np.sin(size * t)
            along = (n0 * f0 + n1 * f1 + n2 * f2) * (1.0 - cos)
            h0 = cos * f0 + sin * (n1 * f2 - n2 * f1) + along * n0
            h1 = cos * f1 + sin * (n2 * f0 - n0 * f2) + along * n1
            h2 = cos * f2 + sin * (n0 * f1 - n1 * f0) + along * n2
        b0, b1, b2 = to_body(y[3], y[4], y[5], y[6], h0, h1, h2)
        p0, p1, p2 = to_body(y[3], y[4], y[5], y[6], o0, o1, o2)
        # time derivative of the field measured by a magnetometer in the body: b' = (field rate - omega) x b
        v0, v1, v2 = p0 - w0, p1 - w1, p2 - w2
        c0, c1, c2 = v1 * b2 - v2 * b1, v2 * b0 - v0 * b2, v0 * b1 - v1 * b0
        # dipole m = -K b', torque m x b
        m0 = -row_times(q, DAMPING.gain, c0, c1, c2)
        m1 = -row_times(q, DAMPING.gain + 3, c0, c1, c2)
        m2 = -row_times(q, DAMPING.gain + 6, c0, c1, c2)
        u[0], u[1], u[2] = m1 * b2 - m2 * b1, m2 * b0 - m0 * b2, m0 * b1 - m1 * b0
    write_body_torque(q, y, u)
