# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Keeping the Euler parameters on the unit sphere: coordinate projection after every step.

The equations keep |e| exactly, a step keeps it to its own error; scaling e back takes off that error's radial
part (Schwab & Meijaard 2006, after (46)) and leaves the attitude as it is.
"""

import math

from ...plant.hub.element_calls import PROJECT, call_view
from ...plant.hub.parameters import AT_UNITS, N_UNITS, VIEW, VIEW_WORK, W_VIEW
from ...plant.kernels.kernel import kernel

__all__ = ["project", "project_all"]


@kernel(inline=True)
def _project_at(x, k):
    square = x[k] * x[k] + x[k + 1] * x[k + 1] + x[k + 2] * x[k + 2] + x[k + 3] * x[k + 3]
    s = 1.0 / math.sqrt(square)
    x[k] *= s
    x[k + 1] *= s
    x[k + 2] *= s
    x[k + 3] *= s
    return square - 1.0


@kernel(inline=True)
def project(x):
    """Scale e = x[3:7] to unit norm in place; return how far its square was from 1 (NaN if not finite)."""
    return _project_at(x, 3)


@kernel
def project_all(x, p, w):
    """The same, and the Euler parameters of every node of a flexible arm likewise; how far the hub's were.

    Of a craft in the states of a formulation these, and their image; w is work space.
    """
    if p[VIEW] != 0.0:
        call_view(PROJECT, 0.0, x, x, p, w)
        return w[int(p[W_VIEW]) + VIEW_WORK.drift]
    at = int(p[AT_UNITS])
    for n in range(int(p[N_UNITS])):
        _project_at(x, int(p[at + n]))
    return project(x)
