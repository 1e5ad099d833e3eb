"""Picture of a drift study: drift and cost per step of each formulation."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....sim import FormulationDrift
from ..palette import stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["drift_figure"]

QUANTITIES = {
    "norm": "constraint, ||e|² − 1|",
    "energy": "energy, |E − E₀| / T₀",
    "momentum": "inertial momentum, |H − H₀| / |H₀|",
}
FLOOR = 1e-16
MARKERS = "osD^vPX*"


def drift_figure(drifts: Sequence[FormulationDrift]) -> "Figure":
    """Draw drift against time, without and with projection, and the cost of a step.

    Formulations whose drifts lie on each other (within a hundredth at the end) share a line.

    drifts: as from `drift_study` -> not attached to any window.
    """
    from ....sim.results.page import new_page

    figure = new_page((15.0, 7.0), dpi=110)
    grid = figure.add_gridspec(2, 4, width_ratios=(1.0, 1.0, 1.0, 0.75))
    groups = _groups([drift for drift in drifts if not drift.projected])
    style = {name: n for n, group in enumerate(groups) for name in group}
    for row, projected in enumerate((False, True)):
        for column, quantity in enumerate(QUANTITIES):
            axes = figure.add_subplot(grid[row, column])
            _panel(axes, [drift for drift in drifts if drift.projected is projected], quantity, style)
            axes.set_title(QUANTITIES[quantity], fontsize="medium")
            if column == 0:
                axes.set_ylabel("projected after each step" if projected else "as integrated", fontweight="bold")
                if not projected:
                    _guides(axes, drifts[0].run.t[-1])
    _costs(figure.add_subplot(grid[:, 3]), drifts, style)
    figure.suptitle(
        f"One motion in {len(style)} formulations, {drifts[0].run.t[-1]:g} s at a fixed step: largest drift so far"
    )
    return figure


def _groups(drifts: Sequence[FormulationDrift]) -> list[list[str]]:
    """Names whose end drifts agree in all quantities."""
    groups: list[tuple[NDArray[np.float64], list[str]]] = []
    for drift in drifts:
        ends = np.array([max(drift.growth(quantity)[0], 1e-13) for quantity in QUANTITIES])
        for known, names in groups:
            if np.all(np.abs(np.log(ends / known)) < 0.01):
                names.append(drift.name)
                break
        else:
            groups.append((ends, [drift.name]))
    return [names for _, names in groups]


def _panel(axes: "Axes", drifts: Sequence[FormulationDrift], quantity: str, style: dict[str, int]) -> None:
    drawn: set[int] = set()
    for drift in drifts:
        n = style[drift.name]
        if n in drawn:
            continue
        drawn.add(n)
        values = np.maximum(np.maximum.accumulate(getattr(drift, quantity)), FLOOR)
        axes.plot(
            drift.run.t[1:],
            values[1:],
            **stroke(n),
            marker=MARKERS[n % 8],
            markevery=(0.06 + 0.012 * n, 0.16),
            markersize=5,
            linewidth=1.4,
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(FLOOR, 1e-1)
    axes.set_xlabel("time (s)")
    axes.grid(visible=True, color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def _guides(axes: "Axes", end: float) -> None:
    """Two slopes to compare with, where no curve is."""
    t, level = np.array([0.02 * end, end]), 1e-12
    for power, label in ((1, "~ t"), (2, "~ t²")):
        values = level * (t / t[0]) ** power
        axes.plot(t, values, color="#888888", linewidth=0.8, linestyle="--")
        axes.annotate(label, (t[1], values[1]), xytext=(2, 0), textcoords="offset points", va="center", color="#666666")


def _costs(axes: "Axes", drifts: Sequence[FormulationDrift], style: dict[str, int]) -> None:
    """Cost bars, the key to colours and markers as well: formulations that share a line stand together."""
    plain = {drift.name: drift.cost * 1e9 for drift in drifts if not drift.projected}
    projected = {drift.name: drift.cost * 1e9 for drift in drifts if drift.projected}
    top = max(*plain.values(), *projected.values())
    place, ticks = 0.0, dict[str, float]()
    for n in sorted(set(style.values())):
        colour = stroke(n)["color"]
        for name in (name for name in plain if style[name] == n):
            axes.barh(place, plain[name], 0.42, color=colour)
            axes.barh(place + 0.4, projected.get(name, 0.0), 0.36, color=colour, alpha=0.45)
            axes.plot(-0.06 * top, place + 0.2, marker=MARKERS[n % 8], color=colour, clip_on=False)
            ticks[name] = place + 0.2
            place += 1.0
        place += 0.5
    axes.set_yticks(list(ticks.values()), list(ticks))
    axes.tick_params(axis="y", length=0, pad=17)
    axes.set_ylim(place, -0.5)
    axes.set_xlim(0.0, 1.02 * top)
    axes.set_xlabel("ns per step (pale: projected)")
    axes.set_title("key, and cost of a step", fontsize="medium")
    axes.grid(visible=True, axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
