# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The kernel of linear feedback: u = u_ff - K [delta; J (omega - omega_ref); past commands - u_ff]."""

from typing import Any

from ..plant.kernel import kernel
from ..plant.torque.saturation import within
from .error_attitude import error_attitude
from .feed_forward import feed_forward
from .saturation import saturated

__all__ = ["linear_feedback_kernel"]


@kernel
def linear_feedback_kernel(t: Any, y: Any, r: Any, q: Any, z: Any, u: Any) -> None:
    """q = [feed-forward (19), limits (3), m, whether the direction is kept, K (3 x (6 + 3 m)), envelope].

    z = the last m commands, newest first.
    """
    m = int(q[22].real)
    keep = int(q[23].real)
    width = 6 + 3 * m
    f0, f1, f2 = feed_forward(y, r, q)
    d0, d1, d2, d3 = error_attitude(y, r)
    # momentum of the locked craft beyond that of the reference: wheels and other elements keep theirs to themselves
    v0, v1, v2 = y[7] - r[4], y[8] - r[5], y[9] - r[6]
    l0 = q[4] * v0 + q[5] * v1 + q[6] * v2
    l1 = q[7] * v0 + q[8] * v1 + q[9] * v2
    l2 = q[10] * v0 + q[11] * v1 + q[12] * v2
    for n in range(3):
        a = 24 + n * width
        s = q[a] * (2.0 * d1) + q[a + 1] * (2.0 * d2) + q[a + 2] * (2.0 * d3)
        s = s + q[a + 3] * l0 + q[a + 4] * l1 + q[a + 5] * l2
        for past in range(m):
            b = a + 6 + 3 * past
            s = s + q[b] * (z[3 * past] - f0) + q[b + 1] * (z[3 * past + 1] - f1) + q[b + 2] * (z[3 * past + 2] - f2)
        u[n] = -s
    u[0] = f0 + u[0]
    u[1] = f1 + u[1]
    u[2] = f2 + u[2]
    w0, w1, w2 = saturated(keep, q[19], q[20], q[21], u[0], u[1], u[2])
    if 24 + 3 * width < q.size:
        share = within(q, 24 + 3 * width, w0, w1, w2)
        w0, w1, w2 = share * w0, share * w1, share * w2
    if m > 0:
        for n in range(3 * m - 1, 2, -1):
            z[n] = z[n - 3]
        z[0] = w0  # remembered is what the actuator can do of the command
        z[1] = w1
        z[2] = w2
    if keep != 0:  # otherwise the engine cuts each component off at its limit, and then shortens
        u[0] = w0
        u[1] = w1
        u[2] = w2
