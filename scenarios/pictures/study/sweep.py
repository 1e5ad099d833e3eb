"""Figure of a sweep: metrics over one key, or as a map over two keys."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....sim.runs.campaigns import Campaign
from ...case.schema import RequireTable
from ..palette import AXIS_COLOURS
from .panels import outside, page_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

GOOD, BAD, _ = AXIS_COLOURS


def draw_sweep(c: Campaign, names: list[str], bounds: dict[str, RequireTable], title: str) -> "Figure":
    """Draw metrics over the one or two swept keys, with values beyond a requirement in red.

    c: campaign with a factorial plan of one or two parameters. names: the metrics. bounds: requirements by metric.
    """
    figure, places = page_of(len(names), title, width=5.4)
    keys = list(c.dispersed)
    for axes, name in zip(places, names, strict=False):
        if len(keys) == 1:
            _curve(axes, c, keys[0], name, bounds.get(name))
        else:
            _map(figure, axes, c, (keys[0], keys[1]), name, bounds.get(name))
    return figure


def _curve(axes: "Axes", c: Campaign, key: str, name: str, bound: RequireTable | None) -> None:
    x, y = c.dispersed[key], c.metrics[name]
    order = np.argsort(x)
    wrong = outside(y, bound)
    axes.plot(x[order], y[order], color=GOOD, linewidth=1.0)
    axes.plot(x[~wrong], y[~wrong], "o", color=GOOD, markersize=3.5)
    axes.plot(x[wrong], y[wrong], "x", color=BAD, markersize=5)
    for value in () if bound is None else (bound.min, bound.max):
        if value is not None:
            axes.axhline(value, color=BAD, linestyle="--", linewidth=1.2)
    axes.set_xlabel(key)
    axes.set_ylabel(name)


def _map(
    figure: "Figure", axes: "Axes", c: Campaign, keys: tuple[str, str], name: str, bound: RequireTable | None
) -> None:
    x, y = (np.unique(c.dispersed[key]) for key in keys)
    z, bad = np.full((y.size, x.size), np.nan), np.zeros((y.size, x.size), dtype=np.bool_)
    at = np.searchsorted(y, c.dispersed[keys[1]]), np.searchsorted(x, c.dispersed[keys[0]])
    z[at] = c.metrics[name]
    bad[at] = outside(c.metrics[name], bound)
    drawn = axes.pcolormesh(x, y, np.ma.masked_invalid(z), shading="nearest", cmap="viridis")
    figure.colorbar(drawn, ax=axes, label=name)
    rows, columns = np.nonzero(bad)
    axes.plot(x[columns], y[rows], "x", color=BAD, markersize=6, markeredgewidth=1.5)
    axes.set_xlabel(keys[0])
    axes.set_ylabel(keys[1])
    if bound is not None:
        axes.set_title(f"x: {int(bad.sum())} of {c.run.size} not as required")
