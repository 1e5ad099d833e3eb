# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Attitude error used by all laws."""

from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import select


@kernel(inline=True, lanes=True)
def error_cover(y, r):
    """Return the sign s and the product e = conj(e_ref) o e_y that give the attitude error e_err = s e.

    s is -1 if the scalar part is negative, otherwise 1. A sum over components of e may be multiplied by s afterwards.
    The result is bitwise identical and available sooner, because the sum need not wait for the sign.
    """
    d0 = (r[0] * y[3] + r[1] * y[4]) + (r[2] * y[5] + r[3] * y[6])
    d1 = (r[0] * y[4] - r[1] * y[3]) + (r[3] * y[5] - r[2] * y[6])
    d2 = (r[0] * y[5] - r[2] * y[3]) + (r[1] * y[6] - r[3] * y[4])
    d3 = (r[0] * y[6] - r[3] * y[3]) + (r[2] * y[4] - r[1] * y[5])
    return select(d0.real < 0.0, -1.0, 1.0), d0, d1, d2, d3


@kernel(lanes=True)
def error_attitude(y, r):
    """Return the error e_err = conj(e_ref) o e of measurement y and reference r, with scalar part >= 0.

    The result is the scalar and the three vector components. The vector is the same for e and -e, and for e_ref and
    -e_ref, so a law does not depend on the sign of a quaternion. A scalar of exactly 0 (rotation by 180 deg) counts as
    positive.
    """
    s, d0, d1, d2, d3 = error_cover(y, r)
    return s * d0, s * d1, s * d2, s * d3
