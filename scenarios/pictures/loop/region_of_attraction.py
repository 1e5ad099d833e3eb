"""Map of the settling time over initial attitude error and rate."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from ....sim import RegionOfAttraction


def draw_region_of_attraction(region: "RegionOfAttraction", *, title: str) -> "Figure":
    """Draw a map of the longest settling time over all directions, and mark cells that did not settle.

    region: result of `sim.region_of_attraction`; title: title of the figure. Returns one map, coloured by settling
    time. A cell with directions that did not settle shows how many of its directions settled.
    """
    from matplotlib.patches import Rectangle

    from ....sim.results.page import new_page

    angles, rates = np.degrees(region.angles), np.degrees(region.rates)
    edges = _edges(angles), _edges(rates)
    figure = new_page((9.0, 6.2), dpi=110)
    axes = figure.subplots()
    figure.suptitle(f"{title}: settling within {region.duration:g} s")
    slowest = region.slowest
    some = np.isfinite(slowest).any()
    mesh = axes.pcolormesh(
        edges[0], edges[1], np.ma.masked_invalid(slowest.T), cmap="viridis_r", edgecolors="white", linewidth=0.6
    )
    if some:
        bar = figure.colorbar(mesh, ax=axes, pad=0.02)
        bar.set_label(f"settling time to {np.degrees(region.band):g} deg (s), slowest direction")
    count = len(region.turn_axes)
    for i, j in np.argwhere(~np.isfinite(slowest)).tolist():
        (x0, x1), (y0, y1) = edges[0][i : i + 2], edges[1][j : j + 2]
        settled = round(float(region.converged[i, j]) * count)
        look: dict[str, Any] = {"facecolor": "#E8D5C4"} if settled else {"facecolor": "#C9CDD2", "hatch": "////"}
        axes.add_patch(Rectangle((x0, y0), x1 - x0, y1 - y0, edgecolor="white", linewidth=0.6, **look))
        if settled:
            axes.text(0.5 * (x0 + x1), 0.5 * (y0 + y1), f"{settled}/{count}", ha="center", va="center", fontsize=7)
    axes.set_xlabel("attitude error at the start (deg)")
    axes.set_ylabel("rate error at the start (deg/s)")
    axes.spines[["top", "right"]].set_visible(False)
    words = "one direction" if count == 1 else f"{count} directions of rotation and rate at each point"
    axes.set_title(
        f"{words}; grey, hatched: none settled in that time"
        + ("" if count == 1 else "; k/n: so many did")
        + "; others may do so later",
        fontsize="small", color="#444444",
    )  # fmt: skip
    return figure


def _edges(centres: "NDArray[np.float64]") -> list[float]:
    """Return the borders of the cells around ascending centres."""
    at: list[float] = centres.tolist()
    if len(at) == 1:
        half = 0.5 * abs(at[0]) or 0.5
        return [at[0] - half, at[0] + half]
    middle = [0.5 * (low + high) for low, high in pairwise(at)]
    return [2.0 * at[0] - middle[0], *middle, 2.0 * at[-1] - middle[-1]]
