# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The kernel of on-off thrusters: a relay with deadband and hysteresis on each axis."""

from ...plant.kernels.kernel import kernel
from ...plant.kernels.rotation import to_body
from .body_torque import write_body_torque
from .error_attitude import error_attitude

__all__ = ["on_off_kernel"]


@kernel
def _relay(signal, on, off, was):
    """-1, 0 or 1 against the signal: on from `on`, off again at `off`, in between as it was."""
    if signal >= on or (was < 0.0 and signal > off):
        return -1.0
    if signal <= -on or (was > 0.0 and signal < -off):
        return 1.0
    return 0.0


@kernel
def on_off_kernel(t, y, r, q, z, u):
    """q = [basis, i, j, k, torque (3), on (3), off (3), lead (3)]; z = what each axis does: -1, 0 or 1."""
    d0, d1, d2, d3 = error_attitude(y, r)
    g0, g1, g2 = to_body(d0, d1, d2, d3, r[4], r[5], r[6])
    s0 = 2.0 * d1 + q[13] * (y[7] - g0)
    s1 = 2.0 * d2 + q[14] * (y[8] - g1)
    s2 = 2.0 * d3 + q[15] * (y[9] - g2)
    z[0] = _relay(s0.real, q[7].real, q[10].real, z[0].real)
    z[1] = _relay(s1.real, q[8].real, q[11].real, z[1].real)
    z[2] = _relay(s2.real, q[9].real, q[12].real, z[2].real)
    for n in range(3):
        u[n] = q[4 + n] * z[n]
    write_body_torque(q, y, u)
