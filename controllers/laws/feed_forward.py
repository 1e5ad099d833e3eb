# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The torque that moves the craft along its reference, as the linear laws feed it forward."""

from ...plant.kernels.kernel import kernel
from ...plant.loads.torque.torque_kernels import components

__all__ = ["feed_forward"]


@kernel
def feed_forward(y, r, q):
    """J alpha_ref + omega_ref x (J omega_ref + h) - hold, in the torque basis; q = [basis, i, j, k, J, h, hold].

    h is the momentum that elements carry beside the locked inertia J, hold the torque that potentials give at the
    operating point, both in body components.
    """
    w0, w1, w2 = r[4], r[5], r[6]
    h0 = q[4] * w0 + q[5] * w1 + q[6] * w2 + q[13]
    h1 = q[7] * w0 + q[8] * w1 + q[9] * w2 + q[14]
    h2 = q[10] * w0 + q[11] * w1 + q[12] * w2 + q[15]
    f0 = q[4] * r[7] + q[5] * r[8] + q[6] * r[9] + w1 * h2 - w2 * h1 - q[16]
    f1 = q[7] * r[7] + q[8] * r[8] + q[9] * r[9] + w2 * h0 - w0 * h2 - q[17]
    f2 = q[10] * r[7] + q[11] * r[8] + q[12] * r[9] + w0 * h1 - w1 * h0 - q[18]
    if f0 != 0.0 or f1 != 0.0 or f2 != 0.0:  # zero has zero components even at a singular pose
        f0, f1, f2 = components(
            int(q[0].real), int(q[1].real), int(q[2].real), int(q[3].real), y[3], y[4], y[5], y[6], f0, f1, f2
        )
    return f0, f1, f2
