# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Projection of the Euler parameters onto the unit sphere after every step.

The equations keep |e| exactly, a step keeps it to the step error. Normalising e removes the radial part of that error
(Schwab & Meijaard 2006, after (46)) and does not change the attitude.
"""

import math

from ...plant.hub.element_calls import PROJECT, call_view
from ...plant.hub.parameters import AT_UNITS, N_UNITS, VIEW, VIEW_WORK, W_VIEW
from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import every, select

__all__ = ["project", "project_all", "to_unit"]


@kernel(inline=True, lanes=True)
def to_unit(e0, e1, e2, e3):
    """How far the square of four numbers was from 1, and they scaled to unit norm.

    A step of any use leaves next to nothing to take off: then the series of 1 / sqrt(1 + off), of which -5/16 off^3
    < 1e-18 is left out, is there in a third of the time. Its share is added: the product with 1 + share, a number
    right beside 1, is rounded to the same side again and again (`tests/design/unit_norm.py`).
    """
    square = (e0 * e0 + e1 * e1) + (e2 * e2 + e3 * e3)
    off = square - 1.0
    near = abs(off) < 1e-6
    back = 0.375 * off - 0.5
    f0, f1, f2, f3 = e0 + off * e0 * back, e1 + off * e1 * back, e2 + off * e2 * back, e3 + off * e3 * back
    if every(near):
        return off, f0, f1, f2, f3
    s = 1.0 / math.sqrt(square)
    return off, select(near, f0, s * e0), select(near, f1, s * e1), select(near, f2, s * e2), select(near, f3, s * e3)


@kernel(inline=True)
def _project_at(x, k):
    off, x[k], x[k + 1], x[k + 2], x[k + 3] = to_unit(x[k], x[k + 1], x[k + 2], x[k + 3])
    return off


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
