# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Conversion of a body torque to the torque basis of the plant."""

from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import shared
from ...plant.loads.torque.torque_kernels import BODY, components


@kernel(lanes=True)
def in_basis(q, y, t0, t1, t2):
    """Return a body torque in components of the torque basis (q[0], axes q[1:4]) at the attitude in y."""
    basis, i, j, k = shared(q, 0), shared(q, 1), shared(q, 2), shared(q, 3)
    e0, e1, e2, e3 = y[3], y[4], y[5], y[6]
    return components(int(basis.real), int(i.real), int(j.real), int(k.real), e0, e1, e2, e3, t0, t1, t2)


@kernel(lanes=True)
def write_body_torque(q, y, u):
    """Convert the body torque in u to the torque basis in place."""
    if int(shared(q, 0).real) != BODY:
        u[0], u[1], u[2] = in_basis(q, y, u[0], u[1], u[2])
