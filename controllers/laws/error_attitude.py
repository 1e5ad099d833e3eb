# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The attitude error that every law here acts on."""

from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import select

__all__ = ["error_attitude"]


@kernel(lanes=True)
def error_attitude(y, r):
    """e_err = conj(e_ref) o e of what the law sees, y, and the reference r, the cover with scalar part >= 0.

    Returned are the scalar and the three vector components; the vector is the same for e and -e and for e_ref
    and -e_ref, which makes a law sign-correct. A scalar of exactly 0 (half a turn away) counts as positive.
    """
    d0 = r[0] * y[3] + r[1] * y[4] + r[2] * y[5] + r[3] * y[6]
    d1 = r[0] * y[4] - r[1] * y[3] - r[2] * y[6] + r[3] * y[5]
    d2 = r[0] * y[5] - r[2] * y[3] - r[3] * y[4] + r[1] * y[6]
    d3 = r[0] * y[6] - r[3] * y[3] - r[1] * y[5] + r[2] * y[4]
    back = d0.real < 0.0
    return select(back, -d0, d0), select(back, -d1, d1), select(back, -d2, d2), select(back, -d3, d3)
