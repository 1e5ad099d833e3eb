# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel of a dipole feedback with periodic gains: m = -K(t) [delta; rate error], limited, and the torque m x B."""

import math

import numpy as np

from ...plant.kernels.fields import fields, three
from ...plant.kernels.kernel import kernel
from ...plant.kernels.rotation import to_body
from .error_attitude import error_attitude

AT = fields(
    period=1, gains=1, start=1, ahead=1, turned=1, limit=3, inverse_step=1, intervals=1, table=1
)  # fmt: skip
"""Parameters: period (s); number of gains in a period; time at which the clock of the law starts (s); time from a
sample to the middle of its torque (s), and the part of it in which the body still turns; largest dipoles (A m^2);
inverse of the step (1/s), number of intervals and start of the table of the field. The gains follow, 3 x 6 each by
rows, then for each interval six rows of three coefficients of the inertial field (T), lowest power first."""

GAIN = 18  # numbers in one gain
ROW = fields(lower=15, fifth=3)
"""Coefficients of one interval of the field: of the powers 0 to 4, and of the power 5."""


@kernel
def cubic_weights(u):
    """Return the weights of four equidistant values, at -1, 0, 1 and 2, in the cubic through them at u."""
    a, b, c, d = u + 1.0, u, u - 1.0, u - 2.0
    return -b * c * d / 6.0, a * c * d / 2.0, -a * b * d / 2.0, a * b * c / 6.0


@kernel
def _field(t, q):
    """Return the inertial field at a time, T; NaN beyond one interval outside the table."""
    place = t * q[AT.inverse_step]
    count = q[AT.intervals]
    row = int(max(min(place, count - 1.0), 0.0))
    u = place - row
    if not (u >= -1.0 and u <= 2.0):
        return math.nan, math.nan, math.nan
    n = int(q[AT.table]) + ROW.size * row
    b0, b1, b2 = three(q, n + ROW.fifth)
    for k in range(1, 6):
        i = n + 3 * (5 - k)
        c0, c1, c2 = three(q, i)
        b0, b1, b2 = c0 + u * b0, c1 + u * b1, c2 + u * b2
    return b0, b1, b2


@kernel
def _seen_later(w0, w1, w2, t, a0, a1, a2):
    """Return the body components of an inertially fixed vector a after a rotation of the body at the rate w."""
    size = np.sqrt(w0 * w0 + w1 * w1 + w2 * w2)
    if size.real == 0.0:
        return a0 + 0.0 * size, a1 + 0.0 * size, a2 + 0.0 * size
    n0, n1, n2 = w0 / size, w1 / size, w2 / size
    c, s = np.cos(size * t), np.sin(size * t)
    k = (1.0 - c) * (n0 * a0 + n1 * a1 + n2 * a2)
    return (
        c * a0 - s * (n1 * a2 - n2 * a1) + k * n0,
        c * a1 - s * (n2 * a0 - n0 * a2) + k * n1,
        c * a2 - s * (n0 * a1 - n1 * a0) + k * n2,
    )


@kernel
def _limited(m, limit):
    """Return a component of the dipole, limited to its largest magnitude."""
    if m.real > limit:
        return limit + 0.0 * m
    if m.real < -limit:
        return -limit + 0.0 * m
    return m


@kernel
def periodic_dipole_kernel(t, y, r, q, z, u):
    """Write the torque of the limited dipole in the field at the middle of the sample's hold."""
    many = int(q[AT.gains])
    now = t + q[AT.start]
    turns = now / q[AT.period]
    turns = turns - math.floor(turns)
    place = turns * many
    row = min(int(place), many - 1)
    a, b, c, d = cubic_weights(place - row)
    before = AT.size + GAIN * (row - 1 if row > 0 else many - 1)
    here = AT.size + GAIN * row
    after = AT.size + GAIN * (row + 1 if row < many - 1 else row + 1 - many)
    beyond = AT.size + GAIN * (row + 2 if row < many - 2 else row + 2 - many)

    _, d0, d1, d2 = error_attitude(y, r)
    d0, d1, d2 = 2.0 * d0, 2.0 * d1, 2.0 * d2
    v0, v1, v2 = y[7] - r[4], y[8] - r[5], y[9] - r[6]
    for k in range(3):
        total = 0.0 * v0
        for i in range(6):
            n = 6 * k + i
            gain = a * q[before + n] + b * q[here + n] + c * q[after + n] + d * q[beyond + n]
            error = d0
            if i == 1:
                error = d1
            elif i == 2:
                error = d2
            elif i == 3:
                error = v0
            elif i == 4:
                error = v1
            elif i == 5:
                error = v2
            total = total - gain * error
        u[k] = _limited(total, q[AT.limit + k])
    f0, f1, f2 = _field(now + q[AT.ahead], q)
    f0, f1, f2 = to_body(y[3], y[4], y[5], y[6], f0, f1, f2)
    f0, f1, f2 = _seen_later(y[7], y[8], y[9], q[AT.turned], f0, f1, f2)
    m0, m1, m2 = u[0], u[1], u[2]
    u[0], u[1], u[2] = m1 * f2 - m2 * f1, m2 * f0 - m0 * f2, m0 * f1 - m1 * f0
