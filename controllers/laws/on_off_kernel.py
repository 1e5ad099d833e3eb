# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel of on-off thrusters: a relay with deadband and hysteresis for each axis."""

from ...plant.kernels.fields import fields
from ...plant.kernels.kernel import kernel
from ...plant.kernels.rotation import to_body
from .body_torque import write_body_torque
from .error_attitude import error_attitude

AT = fields(basis=4, torque=3, on=3, off=3, lead=3)


@kernel
def _relay(signal, on, off, was):
    """Return the relay output (-1, 0 or 1), opposite in sign to the signal.

    The relay switches on at `on`, off at `off`, and keeps its state in between.
    """
    if signal >= on or (was < 0.0 and signal > off):
        return -1.0
    if signal <= -on or (was > 0.0 and signal < -off):
        return 1.0
    return 0.0


@kernel
def on_off_kernel(t, y, r, q, z, u):
    """Write the on-off torque into u; q as in AT; z: relay state of each axis, -1, 0 or 1."""
    d0, d1, d2, d3 = error_attitude(y, r)
    g0, g1, g2 = to_body(d0, d1, d2, d3, r[4], r[5], r[6])
    s0 = 2.0 * d1 + q[AT.lead] * (y[7] - g0)
    s1 = 2.0 * d2 + q[AT.lead + 1] * (y[8] - g1)
    s2 = 2.0 * d3 + q[AT.lead + 2] * (y[9] - g2)
    z[0] = _relay(s0.real, q[AT.on].real, q[AT.off].real, z[0].real)
    z[1] = _relay(s1.real, q[AT.on + 1].real, q[AT.off + 1].real, z[1].real)
    z[2] = _relay(s2.real, q[AT.on + 2].real, q[AT.off + 2].real, z[2].real)
    for n in range(3):
        u[n] = q[AT.torque + n] * z[n]
    write_body_torque(q, y, u)
