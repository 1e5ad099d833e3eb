# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Projection of the Euler parameters onto the unit sphere after every step.

The equations conserve |e| exactly; a step conserves it up to the step error. Normalising e removes the radial part of
the step error (Schwab & Meijaard 2006, after (46)) and does not change the attitude.
"""

import math

from ....plant.hub.element_calls import PROJECT, call_view
from ....plant.hub.parameters import AT_UNITS, N_UNITS, VIEW, VIEW_WORK, W_VIEW
from ....plant.kernels.kernel import kernel
from ....plant.kernels.lanes import every, select


@kernel(inline=True, lanes=True)
def to_unit(e0, e1, e2, e3):
    """Scale four numbers to unit norm; also return the deviation of their squared norm from 1.

    After any reasonable step, the correction is tiny, and a series of 1 / sqrt(1 + off), with an omitted term -5/16
    off^3 < 1e-18, takes a third of the time. The correction is added, because multiplication by a factor close to 1
    would repeatedly round to the same side (`tests/design/unit_norm.py`).
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
    """Scale e = x[3:7] to unit norm in place; return the deviation of |e|^2 from 1 (NaN if not finite)."""
    return _project_at(x, 3)


@kernel
def project_all(x, p, w):
    """Project the Euler parameters of hub (as `project`) and arm nodes; return the hub's deviation.

    With a formulation, its states and their image in x are projected; w: workspace.
    """
    if p[VIEW] != 0.0:
        call_view(PROJECT, 0.0, x, x, p, w)
        return w[int(p[W_VIEW]) + VIEW_WORK.drift]
    at = int(p[AT_UNITS])
    for n in range(int(p[N_UNITS])):
        _project_at(x, int(p[at + n]))
    return project(x)
