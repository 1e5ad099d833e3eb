# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Feed-forward torque of the reference, used by the linear laws."""

from ...plant.kernels.fields import fields, row_times, three
from ...plant.kernels.kernel import kernel
from .body_torque import in_basis

FEED = fields(basis=4, inertia=9, carried=3, hold=3)
"""Layout of q: basis and axes, J, h, hold."""


@kernel(lanes=True)
def feed_forward(y, r, q):
    """Return J alpha_ref + omega_ref x (J omega_ref + h) - hold in the torque basis; q as in FEED.

    h is the momentum of the elements in addition to the momentum of the locked inertia J. hold is the torque exerted by
    potentials at the operating point. Both are in body components.
    """
    w0, w1, w2 = r[4], r[5], r[6]
    c0, c1, c2 = three(q, FEED.carried)
    p0, p1, p2 = three(q, FEED.hold)
    h0 = row_times(q, FEED.inertia, w0, w1, w2) + c0
    h1 = row_times(q, FEED.inertia + 3, w0, w1, w2) + c1
    h2 = row_times(q, FEED.inertia + 6, w0, w1, w2) + c2
    f0 = row_times(q, FEED.inertia, r[7], r[8], r[9]) + w1 * h2 - w2 * h1 - p0
    f1 = row_times(q, FEED.inertia + 3, r[7], r[8], r[9]) + w2 * h0 - w0 * h2 - p1
    f2 = row_times(q, FEED.inertia + 6, r[7], r[8], r[9]) + w0 * h1 - w1 * h0 - p2
    return in_basis(q, y, f0, f1, f2)
