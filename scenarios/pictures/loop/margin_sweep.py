"""Margins of a fixed law over a parameter of the plant."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ..palette import FAINT, stroke

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ....sim import MarginSweep

_ALL = {"color": "black", "linestyle": (0, (1, 3)), "linewidth": 2.2}
_ROWS = (
    ("gain_up_dB", "gain up (dB)"),
    ("gain_down_dB", "gain down (dB)"),
    ("phase_deg", "phase (deg)"),
    ("delay_s", "further delay (s)"),
    ("disk_phase_deg", "disk margin (deg)"),
)


def draw_margin_sweep(sweep: "MarginSweep", *, title: str, design: float | None = None) -> "Figure":
    """Draw gain, phase, delay and disk margins over a sweep.

    Gain, phase and delay margins are drawn for each input and for all inputs together.

    sweep: sweep with ascending values.
    title: title above the figure.
    design: the design value, which is marked.
    -> one pair of axes for each margin that is limited at some value; unstable intervals are shaded.
    """
    from ....sim.results.page import new_page

    columns = [(key, label, sweep.column(key)) for key, label in _ROWS]
    together = {key: sweep.together(key) for key, _ in _ROWS if not key.startswith("disk")}
    shown = [row for row in columns if np.isfinite(row[2]).any() or np.isfinite(together.get(row[0], np.nan)).any()]
    figure = new_page((8.5, 1.6 + 1.75 * max(len(shown), 1)), dpi=110)
    figure.suptitle(title)
    panels = figure.subplots(max(len(shown), 1), sharex=True, squeeze=False)[:, 0]
    values = sweep.values
    unstable = sweep.largest_pole >= 1.0
    wide = values.min() > 0.0 and values.max() / values.min() > 8.0
    for axes, (key, label, table) in zip(panels, shown, strict=False):
        if key in together:
            axes.plot(values, np.where(np.isfinite(together[key]), together[key], np.nan), **_ALL, zorder=3)
        for n in range(table.shape[1]):
            axes.plot(values, np.where(np.isfinite(table[:, n]), table[:, n], np.nan), **stroke(n), linewidth=1.6)
        axes.set_ylabel(label)
        axes.grid(True, color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
    for axes in panels:
        if wide:
            axes.set_xscale("log")
        for start, stop in _stretches(values, unstable):
            axes.axvspan(start, stop, color="#D55E00", alpha=0.15, linewidth=0.0)
        if design is not None:
            axes.axvline(design, color=FAINT, linewidth=1.0, linestyle="-.")
        axes.margins(x=0.0)
    _legend(panels[0], sweep, design=design is not None, unstable=bool(unstable.any()))
    panels[-1].set_xlabel(f"{sweep.words} ({sweep.unit})" if sweep.unit else sweep.words)
    return figure


def _stretches(
    values: "np.ndarray[tuple[int], np.dtype[np.float64]]", marked: "np.ndarray[tuple[int], np.dtype[np.bool_]]"
) -> list[tuple[float, float]]:
    """Return intervals of marked values, extended halfway to the unmarked neighbours."""
    found: list[tuple[float, float]] = []
    for n in np.flatnonzero(marked):
        low = float(values[max(n - 1, 0)] + values[n]) / 2.0
        high = float(values[min(n + 1, len(values) - 1)] + values[n]) / 2.0
        if found and found[-1][1] >= low:
            found[-1] = found[-1][0], high
        else:
            found.append((low, high))
    return found


def _legend(axes: Any, sweep: "MarginSweep", *, design: bool, unstable: bool) -> None:
    """Add a legend of inputs, design value and unstable intervals above some axes."""
    first = next((m for m in sweep.margins if m is not None), None)
    names = [axis.input for axis in first.axes] if first is not None else []
    for n, name in enumerate(names):
        axes.plot([], [], **stroke(n), label=name)
    if names:
        axes.plot([], [], **_ALL, label="all together")
    if design:
        axes.plot([], [], color=FAINT, linestyle="-.", linewidth=1.0, label="design")
    if unstable:
        axes.fill_between([], [], color="#D55E00", alpha=0.15, linewidth=0.0, label="unstable")
    if names or unstable:
        axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=5, fontsize="small", frameon=False)
