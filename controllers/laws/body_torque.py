# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""A body torque written in the basis in which the plant takes it."""

from ...plant.kernels.kernel import kernel
from ...plant.loads.torque.torque_kernels import components

__all__ = ["write_body_torque"]


@kernel
def write_body_torque(q, y, u):
    """Turn the body components in u into those of the basis (q[0]) and sequence (q[1:4]) at the attitude in y."""
    if u[0] != 0.0 or u[1] != 0.0 or u[2] != 0.0:  # zero has zero components even at a singular pose
        i, j, k = int(q[1].real), int(q[2].real), int(q[3].real)
        u[0], u[1], u[2] = components(int(q[0].real), i, j, k, y[3], y[4], y[5], y[6], u[0], u[1], u[2])
