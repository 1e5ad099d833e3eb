# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The kernel of linear feedback: u = u_ff - K [delta; pi - J omega_ref; past commands - u_ff]."""

from typing import Any

from ..plant.kernel import kernel
from ..plant.torque.kernels import components
from .error_attitude import error_attitude

__all__ = ["linear_feedback_kernel"]


@kernel
def linear_feedback_kernel(t: Any, y: Any, r: Any, q: Any, z: Any, u: Any) -> None:
    """q = [basis, i, j, k, m, J (9), limit (3), K (3 x (6 + 3 m))]; z = the last m commands, newest first."""
    m = int(q[4].real)
    width = 6 + 3 * m
    w0, w1, w2 = r[4], r[5], r[6]
    h0 = q[5] * w0 + q[6] * w1 + q[7] * w2
    h1 = q[8] * w0 + q[9] * w1 + q[10] * w2
    h2 = q[11] * w0 + q[12] * w1 + q[13] * w2
    # feed-forward torque that moves the body along the reference: J alpha_ref + omega_ref x J omega_ref
    f0 = q[5] * r[7] + q[6] * r[8] + q[7] * r[9] + w1 * h2 - w2 * h1
    f1 = q[8] * r[7] + q[9] * r[8] + q[10] * r[9] + w2 * h0 - w0 * h2
    f2 = q[11] * r[7] + q[12] * r[8] + q[13] * r[9] + w0 * h1 - w1 * h0
    if f0 != 0.0 or f1 != 0.0 or f2 != 0.0:  # zero has zero components even at a singular pose
        f0, f1, f2 = components(
            int(q[0].real), int(q[1].real), int(q[2].real), int(q[3].real), y[3], y[4], y[5], y[6], f0, f1, f2
        )
    d0, d1, d2, d3 = error_attitude(y, r)
    # momentum of the locked craft beyond that of the reference: wheels and other elements keep theirs to themselves
    v0, v1, v2 = y[7] - w0, y[8] - w1, y[9] - w2
    l0 = q[5] * v0 + q[6] * v1 + q[7] * v2
    l1 = q[8] * v0 + q[9] * v1 + q[10] * v2
    l2 = q[11] * v0 + q[12] * v1 + q[13] * v2
    for n in range(3):
        a = 17 + n * width
        s = q[a] * (2.0 * d1) + q[a + 1] * (2.0 * d2) + q[a + 2] * (2.0 * d3)
        s = s + q[a + 3] * l0 + q[a + 4] * l1 + q[a + 5] * l2
        for past in range(m):
            b = a + 6 + 3 * past
            s = s + q[b] * (z[3 * past] - f0) + q[b + 1] * (z[3 * past + 1] - f1) + q[b + 2] * (z[3 * past + 2] - f2)
        u[n] = -s
    u[0] = f0 + u[0]
    u[1] = f1 + u[1]
    u[2] = f2 + u[2]
    if m > 0:
        for n in range(3 * m - 1, 2, -1):
            z[n] = z[n - 3]
        for n in range(3):  # remembered is what the actuator can do of the command
            bound = q[14 + n].real
            if u[n].real > bound:
                z[n] = bound
            elif u[n].real < -bound:
                z[n] = -bound
            else:
                z[n] = u[n]
