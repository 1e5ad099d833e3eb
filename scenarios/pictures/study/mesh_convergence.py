"""Discretisation errors of flexible arms against the number of finite elements."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..loop.loop_axes import clean
from ..palette import FAINT, stroke

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...documents.verification.mesh_study import MeshCurve

_MARKS = ("o", "s", "^", "D", "v")


def draw_mesh_convergence(curves: "Sequence[MeshCurve]") -> "Figure":
    """Draw every curve of a mesh study, with the fourth-order slope for comparison.

    curves: result of `mesh_study` -> one pair of logarithmic axes.
    """
    from ....sim.results.page import new_page

    figure = new_page((8.0, 6.0), title="Flexible arms: errors against number of elements")
    axes = figure.subplots()
    for n, curve in enumerate(curves):
        words = f"{curve.words} ({curve.reference}): order {curve.order:.2f}"
        style = {**stroke(n), "marker": _MARKS[n % 5], "markersize": 6, "linewidth": 1.4}
        axes.loglog(curve.elements, curve.errors, label=words, **style)
    most = max(max(curve.elements) for curve in curves)
    least = min(min(curve.elements) for curve in curves)
    guide = np.array((least, most), dtype=np.float64)
    top = max(max(curve.errors) for curve in curves)
    axes.loglog(guide, 2.0 * top * (guide / least) ** -4.0, "--", color=FAINT, linewidth=1.0, label="order 4")
    ticks = sorted({count for curve in curves for count in curve.elements})
    axes.set_xticks(ticks, [str(count) for count in ticks])
    axes.minorticks_off()
    clean(axes, x="elements per arm", y="error, relative")
    axes.legend(fontsize="small", framealpha=0.95, loc="lower left")
    return figure
