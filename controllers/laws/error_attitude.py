# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The attitude error that every law here acts on."""

from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import select

__all__ = ["error_attitude", "error_cover"]


@kernel(inline=True, lanes=True)
def error_cover(y, r):
    """s and e, e_err = s e: the cover conj(e_ref) o e of what the law sees, y, and the reference r, and its sign.

    s is -1 where the scalar part is below 0, else 1. What is a sum over e may be taken times s afterwards: to the bit
    the same, and sooner there, for the sign waits for the scalar part.
    """
    d0 = (r[0] * y[3] + r[1] * y[4]) + (r[2] * y[5] + r[3] * y[6])
    d1 = (r[0] * y[4] - r[1] * y[3]) + (r[3] * y[5] - r[2] * y[6])
    d2 = (r[0] * y[5] - r[2] * y[3]) + (r[1] * y[6] - r[3] * y[4])
    d3 = (r[0] * y[6] - r[3] * y[3]) + (r[2] * y[4] - r[1] * y[5])
    return select(d0.real < 0.0, -1.0, 1.0), d0, d1, d2, d3


@kernel(lanes=True)
def error_attitude(y, r):
    """e_err = conj(e_ref) o e of what the law sees, y, and the reference r, the cover with scalar part >= 0.

    Returned are the scalar and the three vector components; the vector is the same for e and -e and for e_ref
    and -e_ref, which makes a law sign-correct. A scalar of exactly 0 (half a turn away) counts as positive.
    """
    s, d0, d1, d2, d3 = error_cover(y, r)
    return s * d0, s * d1, s * d2, s * d3
