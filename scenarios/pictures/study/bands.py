"""Quantile bands of signals over the runs of a campaign."""

from typing import TYPE_CHECKING

from ....sim import QUANTITIES
from ....sim.runs.campaigns import Campaign
from ..palette import AXIS_COLOURS, INK
from .panels import page_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_bands(c: Campaign, title: str) -> "Figure":
    """Draw median, quartiles, 5 % and 95 % quantiles and extremes of each signal of a campaign over time."""
    figure, places = page_of(len(c.signals), title, width=6.0)
    for axes, name in zip(places, c.signals, strict=False):
        least, low, first, middle, third, high, most = c.bands(name, (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0))
        colour = AXIS_COLOURS[0]
        axes.fill_between(c.t, low, high, color=colour, alpha=0.2, linewidth=0, label="9 of 10 runs")
        axes.fill_between(c.t, first, third, color=colour, alpha=0.35, linewidth=0, label="half of them")
        axes.plot(c.t, middle, color=colour, label="median")
        axes.plot(c.t, least, color=INK, linewidth=0.6, linestyle=":", label="least, largest")
        axes.plot(c.t, most, color=INK, linewidth=0.6, linestyle=":")
        quantity = name.partition("[")[0]
        unit = QUANTITIES[quantity].unit if quantity in QUANTITIES else ""
        axes.set_xlabel("t (s)")
        axes.set_ylabel(f"{name} ({unit})" if unit else name)
    places[0].legend(loc="upper right")
    return figure
