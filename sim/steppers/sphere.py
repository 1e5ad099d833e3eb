# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Keeping the Euler parameters on the unit sphere: coordinate projection after every step.

The equations keep |e| exactly, a step keeps it to its own error; scaling e back takes off that error's radial
part (Schwab & Meijaard 2006, after (46)) and leaves the attitude as it is.
"""

import math

from ...plant.kernel import kernel

__all__ = ["project"]


@kernel(inline=True)
def project(x):
    """Scale e = x[3:7] to unit norm in place; return how far its square was from 1 (NaN if not finite)."""
    square = x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6]
    s = 1.0 / math.sqrt(square)
    x[3] *= s
    x[4] *= s
    x[5] *= s
    x[6] *= s
    return square - 1.0
