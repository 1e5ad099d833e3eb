# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel that evaluates a vector in inertial components."""

import math

from ...plant.kernels.fields import fields, three
from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import shared

VECTOR = fields(place=1, start=3, rate=3)
"""Row of a vector: index in y of its signal, or -1 if it has none; value at t = 0; angular velocity."""


@kernel
def inertial_vector(t, y, q, at):
    """Return the vector with row VECTOR at q[at]: a signal, or a vector rotating at a constant rate (Rodrigues)."""
    place = int(shared(q, at + VECTOR.place))
    if place >= 0:
        return three(y, place)
    a0, a1, a2 = three(q, at + VECTOR.start)
    rate = at + VECTOR.rate
    w0, w1, w2 = shared(q, rate), shared(q, rate + 1), shared(q, rate + 2)
    size = math.sqrt(w0 * w0 + w1 * w1 + w2 * w2)
    if size == 0.0:
        return a0, a1, a2
    n0, n1, n2 = w0 / size, w1 / size, w2 / size
    c, s = math.cos(size * t), math.sin(size * t)
    along = (n0 * a0 + n1 * a1 + n2 * a2) * (1.0 - c)
    return (
        c * a0 + s * (n1 * a2 - n2 * a1) + along * n0,
        c * a1 + s * (n2 * a0 - n0 * a2) + along * n1,
        c * a2 + s * (n0 * a1 - n1 * a0) + along * n2,
    )
