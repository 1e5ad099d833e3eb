# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Attitude error used by all laws."""

from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import select


@kernel(inline=True, lanes=True)
def error_cover(y, r):
    """s and e, e_err = s e: the product e = conj(e_ref) o e_y of measurement y and reference r, and its sign s.

    s is -1 where the scalar part is below 0, else 1. A sum over e may be multiplied by s afterwards. The result is the
    same to the bit, and available sooner, because the sign depends on the scalar part.
    """
    d0 = (r[0] * y[3] + r[1] * y[4]) + (r[2] * y[5] + r[3] * y[6])
    d1 = (r[0] * y[4] - r[1] * y[3]) + (r[3] * y[5] - r[2] * y[6])
    d2 = (r[0] * y[5] - r[2] * y[3]) + (r[1] * y[6] - r[3] * y[4])
    d3 = (r[0] * y[6] - r[3] * y[3]) + (r[2] * y[4] - r[1] * y[5])
    return select(d0.real < 0.0, -1.0, 1.0), d0, d1, d2, d3


@kernel(lanes=True)
def error_attitude(y, r):
    """e_err = conj(e_ref) o e of the measurement y and the reference r, with scalar part >= 0.

    Returns the scalar and the three vector components. The vector is the same for e and -e and for e_ref and -e_ref, so
    that a law does not depend on the sign of a quaternion. A scalar of exactly 0 (half a turn) counts as positive.
    """
    s, d0, d1, d2, d3 = error_cover(y, r)
    return s * d0, s * d1, s * d2, s * d3
