# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel of spin-synchronous pulses."""

import numpy as np

from ...plant.kernels.fields import fields
from ...plant.kernels.kernel import kernel
from ...plant.kernels.rotation import to_body, to_inertial
from .body_torque import write_body_torque

AT = fields(basis=4, torque=3, axis=3, outside=1, within=1, ahead=1)
"""Parameters: basis and axes; torque, N m; unit spin axis; squared sine of the deadband; cosine of half the arc; time
from a sample to the middle of its torque, s."""


@kernel
def _turned(w0, w1, w2, t, a0, a1, a2):
    """Return the vector a after a rotation at the rate w for a time t."""
    size = np.sqrt(w0 * w0 + w1 * w1 + w2 * w2)
    if size.real == 0.0:
        return a0 + 0.0 * size, a1 + 0.0 * size, a2 + 0.0 * size
    n0, n1, n2 = w0 / size, w1 / size, w2 / size
    c, s = np.cos(size * t), np.sin(size * t)
    k = (1.0 - c) * (n0 * a0 + n1 * a1 + n2 * a2)
    return (
        c * a0 + s * (n1 * a2 - n2 * a1) + k * n0,
        c * a1 + s * (n2 * a0 - n0 * a2) + k * n1,
        c * a2 + s * (n0 * a1 - n1 * a0) + k * n2,
    )


@kernel
def spin_precession_kernel(t, y, r, q, z, u):
    """Write the torque into u while it is within half the arc of the demanded direction, otherwise zero."""
    a, b = AT.axis, AT.torque
    i0, i1, i2 = to_inertial(r[0], r[1], r[2], r[3], q[a], q[a + 1], q[a + 2])
    d0, d1, d2 = to_body(y[3], y[4], y[5], y[6], i0, i1, i2)  # target direction, body axes
    h0, h1, h2 = y[0], y[1], y[2]
    c0, c1, c2 = d1 * h2 - d2 * h1, d2 * h0 - d0 * h2, d0 * h1 - d1 * h0
    n0, n1, n2 = h1 * c2 - h2 * c1, h2 * c0 - h0 * c2, h0 * c1 - h1 * c0  # h x (d x h): demand, perpendicular to h
    square = h0 * h0 + h1 * h1 + h2 * h2
    g0, g1, g2 = _turned(y[7], y[8], y[9], q[AT.ahead], q[b], q[b + 1], q[b + 2])
    along = (g0 * h0 + g1 * h1 + g2 * h2) / square if square.real > 0.0 else 0.0 * square
    p0, p1, p2 = g0 - along * h0, g1 - along * h1, g2 - along * h2
    reach = (p0 * p0 + p1 * p1 + p2 * p2) * (n0 * n0 + n1 * n1 + n2 * n2)
    sine, cosine = c0 * c0 + c1 * c1 + c2 * c2, d0 * h0 + d1 * h1 + d2 * h2
    far = sine.real > q[AT.outside].real * square.real or cosine.real < 0.0
    on = far and (p0 * n0 + p1 * n1 + p2 * n2).real > q[AT.within].real * np.sqrt(reach).real
    share = 1.0 if on else 0.0
    for n in range(3):
        u[n] = share * q[b + n]
    write_body_torque(q, y, u)
