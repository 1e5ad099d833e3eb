"""Figure of a trade-off curve: the soft goal over the traded metric, and the free parameters along the curve."""

from typing import TYPE_CHECKING

import numpy as np

from ...case.tuning import TradeOff
from ..palette import AXIS_COLOURS, FAINT, INK
from .metric_label import metric_label
from .panels import page_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_trade_off(found: TradeOff) -> "dict[str, Figure]":
    """Return the figure by file name."""
    figure, (curve, values) = page_of(2, f"{found.loaded.name}: trade-off")
    traded = np.array([each.traded for each in found.points])
    soft = np.array([each.soft for each in found.points])
    good = np.array([found.meets(each) for each in found.points])
    curve.plot(traded, soft, color=FAINT)
    for mask, colour, words in (
        (good, AXIS_COLOURS[0], "meets all requirements"),
        (~good, AXIS_COLOURS[1], "does not"),
    ):
        curve.plot(traded[mask], soft[mask], linestyle="none", marker="o", color=colour, label=words)
    curve.plot(*found.before, linestyle="none", marker="o", fillstyle="none", color=INK, label="law of the case")
    if found.required is not None:
        ends = curve.get_xlim()
        edge = max(ends[1], found.required) if found.at_most else min(ends[0], found.required)
        curve.axvline(found.required, color=INK, linestyle=":", linewidth=1.2, label="required")
        curve.axvspan(found.required, edge, color=FAINT, alpha=0.3, linewidth=0.0, label="not allowed")
        curve.set_xlim(min(ends[0], found.required), max(ends[1], found.required))
    for bound in (each for each in found.loaded.case.require if each.key == found.soft):
        for value in (each for each in (bound.min, bound.max) if each is not None):
            curve.axhline(value, color=INK, linestyle=":", linewidth=1.2)
    curve.set_xlabel(metric_label(found.traded))
    curve.set_ylabel(metric_label(found.soft))
    curve.legend(loc="best", fontsize="small")
    rows = np.array([each.values for each in found.points])
    ends = np.array(found.at_bound, dtype=bool).reshape(rows.shape)
    for name, row, at_end in zip(found.keys, rows.T, ends.T, strict=True):
        (line,) = values.plot(traded, row, marker=".", label=name.removeprefix("controller."))
        values.plot(traded[at_end], row[at_end], linestyle="none", marker="s", fillstyle="none", color=line.get_color())
    if ends.any():
        values.plot([], [], linestyle="none", marker="s", fillstyle="none", color=INK, label="at its bound")
    if (rows > 0.0).all():
        values.set_yscale("log")
    values.set_xlabel(metric_label(found.traded))
    values.set_ylabel("free parameters")
    values.legend(loc="best", fontsize="small")
    return {"trade-off": figure}
