# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel of the nonlinear quaternion feedback law."""

from typing import Any

from ...plant.kernels.fields import fields, row_times
from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import shared
from ...plant.kernels.rotation import to_body
from .body_torque import write_body_torque
from .error_attitude import error_cover

AT = fields(basis=4, gyroscopic=1, inertia=9, stiffness=9, damping=9)
"""Layout of q: basis and axes, whether omega x pi is cancelled, J, Kp, Kd."""


@kernel(lanes=True)
def quaternion_feedback_kernel(t: Any, y: Any, r: Any, q: Any, z: Any, u: Any) -> None:
    """Write the torque of quaternion feedback into u; q as in AT."""
    s, d0, d1, d2, d3 = error_cover(y, r)
    # the body rate, then the reference rate R_err' omega_ref and acceleration in body components
    w0, w1, w2 = y[7], y[8], y[9]
    g0, g1, g2 = to_body(d0, d1, d2, d3, r[4], r[5], r[6])
    a0, a1, a2 = to_body(d0, d1, d2, d3, r[7], r[8], r[9])
    # omega_d' = R_err' alpha_ref - omega x omega_d
    a0 = a0 - (w1 * g2 - w2 * g1)
    a1 = a1 - (w2 * g0 - w0 * g2)
    a2 = a2 - (w0 * g1 - w1 * g0)
    v0 = w0 - g0
    v1 = w1 - g1
    v2 = w2 - g2
    for n in range(3):
        m = 3 * n
        feedback = s * row_times(q, AT.stiffness + m, d1, d2, d3) + row_times(q, AT.damping + m, v0, v1, v2)
        u[n] = row_times(q, AT.inertia + m, a0, a1, a2) - feedback
    if shared(q, AT.gyroscopic).real > 0.0:  # omega x pi includes the momentum of elements
        u[0] = u[0] + (w1 * y[2] - w2 * y[1])
        u[1] = u[1] + (w2 * y[0] - w0 * y[2])
        u[2] = u[2] + (w0 * y[1] - w1 * y[0])
    write_body_torque(q, y, u)
