"""Figure of a worst-case search: spacecraft tried, worst found, and bound for all spacecraft."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ....sim.runs.campaigns import rank_correlation
from ...case.campaigns.worst_craft import WorstCraft
from ..palette import AXIS_COLOURS, FAINT, INK
from .metric_label import metric_label
from .panels import page_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GOOD, BAD, _ = AXIS_COLOURS
FEW = 3  # with fewer spacecraft that have a value, nothing is drawn


def draw_worst(found: WorstCraft) -> "dict[str, Figure]":
    """Return the figure by file name; empty if fewer than three spacecraft have a value."""
    search = found.search
    there = np.isfinite(search.measured)
    if int(there.sum()) < FEW:
        return {}
    driver = _driver(found)
    title = f"{found.loaded.name}: worst case, {metric_label(found.name)}"
    figure, places = page_of(1 + (driver is not None), title, width=5.6)
    tried = np.arange(1, len(search.measured) + 1)
    _cloud(places[0], found, tried, "spacecraft, in the order of the search")
    places[0].legend(loc="best", fontsize="small")
    if driver is not None:
        _cloud(places[1], found, search.dispersed[driver], driver)
    return {"worst": figure}


def _driver(found: WorstCraft) -> str | None:
    """Return the dispersed parameter with the strongest correlation to the metric."""
    search = found.search
    there = np.isfinite(search.measured)
    strength = {
        name: abs(rank_correlation(column[there], search.measured[there]))
        for name, column in search.dispersed.items()
        if np.isfinite(column).all() and np.ptp(column[there]) > 0.0
    }
    known = {name: value for name, value in strength.items() if np.isfinite(value)}
    return max(known, key=lambda name: known[name], default=None)


def _cloud(axes: Any, found: WorstCraft, x: Any, words: str) -> None:
    search, proven = found.search, found.proven
    there = np.isfinite(search.measured)
    axes.plot(x[there], search.measured[there], ".", color=GOOD, markersize=3, label="tried")
    axes.axhline(search.nominal, color=INK, linewidth=1.0, label="nominal")
    if np.isfinite(search.value):
        worst = int(np.flatnonzero(search.measured == search.value)[0])
        axes.plot(x[worst], search.value, "x", color=BAD, markersize=8, label="worst found")
        if proven is not None:
            axes.axhspan(proven, search.value, color=FAINT, alpha=0.3, label="neither found nor excluded")
    if proven is not None:
        axes.axhline(proven, color=FAINT, linestyle="--", linewidth=1.4, label="proven for every spacecraft")
    if found.required is not None:
        axes.axhline(found.required, color=BAD, linestyle=":", linewidth=1.2, label="required")
    axes.set_xlabel(words)
    axes.set_ylabel(metric_label(found.name))
