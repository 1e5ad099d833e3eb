"""Pages of axes stacked over time, and line styles that remain distinguishable on overlap."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..palette import stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]


def page(rows: int, title: str) -> "tuple[Figure, list[Axes]]":
    """Return a figure and its stacked axes."""
    from ....sim.results.page import new_page

    figure = new_page((8.0, 2.1 * rows + 0.9), dpi=120)
    figure.suptitle(title, fontsize="medium")
    return figure, list(np.ravel(figure.subplots(rows, 1, sharex=True, squeeze=False)))


def finish(axes: "Sequence[Axes]", end: float) -> None:
    """Add a grid to all axes, and a time axis from 0 to `end`, s."""
    for each in axes:
        each.grid(True, color="#dddddd", linewidth=0.6)
        each.set_axisbelow(True)
        each.spines[["top", "right"]].set_visible(False)
        each.set_xlim(0.0, end)
    axes[-1].set_xlabel("time (s)")


def legend(axes: "Axes", names: Sequence[str]) -> None:
    """Add a legend above the axes that names the strokes of the palette in order."""
    from matplotlib.lines import Line2D

    strokes: list[Any] = [stroke(k) for k in range(len(names))]
    lines = [Line2D([], [], **each, linewidth=1.5) for each in strokes]
    axes.legend(lines, names, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=5, fontsize="small", frameon=False)


def styles(values: Array) -> list[dict[str, Any]]:
    """Return line styles for values (n, lines): solid, or interleaved dashes if all lines coincide."""
    spread = np.ptp(values, axis=1)
    together = bool(np.nanmax(spread, initial=0.0) <= 0.03 * (np.nanmax(values) - np.nanmin(values)))
    count = values.shape[1]
    found: list[dict[str, Any]] = []
    for k in range(count):
        style: dict[str, Any] = {**stroke(k), "linewidth": 1.8 if together else 1.0}
        if together and count > 1:
            style["linestyle"] = (8.0 * (count - k) / 1.8, (8.0 / 1.8, 8.0 * (count - 1) / 1.8))
        found.append(style)
    return found


def apart(values: Array) -> list[Any]:
    """Return a line style for each column of (n, lines): dashed if the line would hide an earlier line."""
    span = float(np.nanmax(values, initial=-np.inf) - np.nanmin(values, initial=np.inf))
    found: list[Any] = []
    for k in range(values.shape[1]):
        over = sum(bool(np.nanmax(np.abs(values[:, k] - values[:, j]), initial=0.0) <= 2e-3 * span) for j in range(k))
        found.append((0.0, (4.0, 4.0 * over)) if over else "-")
    return found
