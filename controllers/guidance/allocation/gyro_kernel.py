# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Steering of single-gimbal control moment gyros: from a torque to gimbal rates.

    A = [h_1 t_1 ... h_n t_n]/h     G = A A'     d = det G (m = sqrt d is the singularity measure)
    rates = A' (G + lambda E)^-1 u/h + gamma (1 - A' (G + lambda E)^-1 A) grad d
    lambda = lambda0 exp(-mu d)     E = 1 + off-diagonal terms eps sin(w t + phase)

u is the rate of change of the gyros' momentum, relative to the hub, that produces the torque. h is the mean momentum of
the rotors. lambda = 0 is the pseudo-inverse; E follows Wie, Bailey & Heiberg, J. Guidance 24 (5), 2001. The last term
is null motion towards larger d.
"""

import math

from ....plant.kernels.fields import fields
from ....plant.kernels.kernel import kernel

AT = fields(
    through=1, gyros=1, mean=1, robust=1, decay=1, dither=1, frequency=1, null=1, limit=1, compensates=1,
    held=1, fresh=1, kept=1,
)  # fmt: skip
"""Parameters: whether the command passes as in the linear form; number of gyros; mean momentum h, N m s; lambda0; mu;
eps; w, rad/s; gamma; largest rate, rad/s; whether omega x h is compensated; weights of memory and command in the mean
torque of a sample, and remaining fraction of the memory after a sample (linear form). Then GYRO for each gyro."""

GYRO = fields(momentum=1, spin=3, side=3)
"""Momentum of a rotor, N m s; spin axis and g x (spin axis) at gimbal angle 0."""

SINGULAR = 1e-12
"""Determinant below which no rates are computed, in units of h."""


@kernel
def gyro_columns(y, first, q, z):
    """Write the columns of A and then the spin axes times h_k/h to z; y: gimbal angles starting at index `first`."""
    n = int(q[AT.gyros])
    for k in range(n):
        row = AT.size + GYRO.size * k
        c, s = math.cos(y[first + k]), math.sin(y[first + k])
        share = q[row + GYRO.momentum] / q[AT.mean]
        for i in range(3):
            a, b = q[row + GYRO.spin + i], q[row + GYRO.side + i]
            z[3 * k + i] = share * (c * b - s * a)
            z[3 * (n + k) + i] = share * (c * a + s * b)


@kernel
def _adjugate(a, b, c, d, e, f):
    """Return the adjugate of the symmetric matrix [[a, d, e], [d, b, f], [e, f, c]] in the same order, and det."""
    p, q, r = b * c - f * f, a * c - e * e, a * b - d * d
    s, t, u = e * f - d * c, d * f - e * b, d * e - a * f
    return p, q, r, s, t, u, a * p + d * s + e * t


@kernel
def gyro_gram(z, n):
    """Return the entries xx, yy, zz, xy, xz, yz of G = A A'; z: columns of A."""
    a, b, c, d, e, f = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(n):
        x0, x1, x2 = z[3 * k], z[3 * k + 1], z[3 * k + 2]
        a, b, c = a + x0 * x0, b + x1 * x1, c + x2 * x2
        d, e, f = d + x0 * x1, e + x0 * x2, f + x1 * x2
    return a, b, c, d, e, f


@kernel
def _null_gradient(z, n, p, q, r, s, t, u):
    """Write grad det G to z, after the columns and spin axes; p, q, r, s, t, u: adjugate of G."""
    for k in range(n):
        x0, x1, x2 = z[3 * k], z[3 * k + 1], z[3 * k + 2]
        m = 3 * (n + k)
        z[6 * n + k] = -2.0 * (
            z[m] * (p * x0 + s * x1 + t * x2)
            + z[m + 1] * (s * x0 + q * x1 + u * x2)
            + z[m + 2] * (t * x0 + u * x1 + r * x2)
        )


@kernel
def gyro_rates(t, u0, u1, u2, q, z, v, first):
    """Write gimbal rates to v, starting at index `first`. Return the singularity measure.

    u: rate of change of the gyros' momentum relative to the hub, N m; z: from `gyro_columns`, with n spare entries.
    """
    n, h = int(q[AT.gyros]), q[AT.mean]
    a, b, c, d, e, f = gyro_gram(z, n)
    p0, p1, p2, p3, p4, p5, det = _adjugate(a, b, c, d, e, f)
    g0, g1, g2 = 0.0, 0.0, 0.0  # A grad d
    if q[AT.null] != 0.0:
        _null_gradient(z, n, p0, p1, p2, p3, p4, p5)
        for k in range(n):
            g0 += z[3 * k] * z[6 * n + k]
            g1 += z[3 * k + 1] * z[6 * n + k]
            g2 += z[3 * k + 2] * z[6 * n + k]
    robust = q[AT.robust] * math.exp(-q[AT.decay] * det)
    e0 = robust * q[AT.dither] * math.sin(q[AT.frequency] * t)
    e1 = robust * q[AT.dither] * math.sin(q[AT.frequency] * t + 0.5 * math.pi)
    e2 = robust * q[AT.dither] * math.sin(q[AT.frequency] * t + math.pi)
    m0, m1, m2, m3, m4, m5, whole = _adjugate(a + robust, b + robust, c + robust, d + e2, e + e1, f + e0)
    share = 1.0 / whole if abs(whole) > SINGULAR else 0.0
    r0, r1, r2 = u0 / h - q[AT.null] * g0, u1 / h - q[AT.null] * g1, u2 / h - q[AT.null] * g2
    s0 = share * (m0 * r0 + m3 * r1 + m4 * r2)
    s1 = share * (m3 * r0 + m1 * r1 + m5 * r2)
    s2 = share * (m4 * r0 + m5 * r1 + m2 * r2)
    largest = 0.0
    for k in range(n):
        rate = z[3 * k] * s0 + z[3 * k + 1] * s1 + z[3 * k + 2] * s2
        if q[AT.null] != 0.0:
            rate += q[AT.null] * z[6 * n + k]
        v[first + k] = rate
        largest = max(largest, abs(rate))
    if largest > q[AT.limit]:
        for k in range(n):
            v[first + k] = v[first + k] * (q[AT.limit] / largest)
    return math.sqrt(max(det, 0.0))
