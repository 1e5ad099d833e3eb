"""Figure of a trade-off curve: the soft goal over the traded metric, and the free parameters along the curve."""

from typing import TYPE_CHECKING

import numpy as np

from ...case.tuning import TradeOff
from ..palette import AXIS_COLOURS, FAINT, INK
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
    if found.required is not None:
        curve.axvline(found.required, color=INK, linestyle=":", linewidth=1.2, label="required")
    curve.set_xlabel(found.traded)
    curve.set_ylabel(found.soft)
    curve.legend(loc="best", fontsize="small")
    rows = np.array([each.values for each in found.points])
    for name, row in zip(found.keys, rows.T, strict=True):
        values.plot(traded, row, marker=".", label=name.removeprefix("controller."))
    if (rows > 0.0).all():
        values.set_yscale("log")
    values.set_xlabel(found.traded)
    values.set_ylabel("free parameters")
    values.legend(loc="best", fontsize="small")
    return {"trade-off": figure}
