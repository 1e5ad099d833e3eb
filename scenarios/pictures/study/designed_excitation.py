"""Figure of a designed excitation: commands, body rates and wheel rates within their limits."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...case.identification import DesignedExcitation
from ..palette import AXIS_COLOURS, FAINT, INK
from .panels import page_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_excitation(found: DesignedExcitation) -> "dict[str, Figure]":
    """Return the figure by file name: torque, rate, wheel rates, and standard deviations with and without torque."""
    wheels = found.wheels.shape[1] > 0
    figure, panels = page_of(3 + wheels, f"{found.loaded.name}: designed excitation")
    _torques(panels[0], found)
    for axis, colour in zip(range(3), AXIS_COLOURS, strict=True):
        panels[1].plot(found.times, np.degrees(found.rates[:, axis]), color=colour, label="xyz"[axis])
    top = np.degrees(found.max_rate)
    panels[1].plot(found.times, np.degrees(np.linalg.norm(found.rates, axis=1)), color=INK, label="magnitude")
    panels[1].axhline(top, color=FAINT, linestyle="--", label="limit")
    panels[1].set_ylabel("body rate (deg/s)")
    panels[1].legend(loc="best", fontsize="small", ncols=2)
    if wheels:
        panels[2].plot(found.times, found.wheels)
        for limit in np.unique(found.wheel_limits[np.isfinite(found.wheel_limits)]):
            for side in (-limit, limit):
                panels[2].axhline(side, color=FAINT, linestyle="--")
        panels[2].set_ylabel("wheel rate (rad/s)")
    for panel in panels[: 2 + wheels]:
        panel.set_xlabel("time (s)")
    _sigmas(panels[2 + wheels], found)
    return {"excitation": figure}


def _torques(panel: Any, found: DesignedExcitation) -> None:
    """Draw the commands of the axes one above the other, each between its limits."""
    ticks = list[str]()
    for axis, colour in zip(range(3), AXIS_COLOURS, strict=True):
        middle, limit = 2.5 * (2 - axis), float(found.limits[axis])
        size = limit if np.isfinite(limit) else float(np.abs(found.commands[:, axis]).max()) or 1.0
        panel.axhspan(middle - 1.0, middle + 1.0, color=FAINT, alpha=0.15, linewidth=0.0)
        panel.axhline(middle, color=FAINT, linewidth=0.6)
        panel.step(found.times, middle + found.commands[:, axis] / size, where="post", color=colour)
        ticks.append(f"{'xyz'[axis]}, \N{PLUS-MINUS SIGN}{size:.3g} N m")
    panel.set_yticks([5.0, 2.5, 0.0], ticks)
    panel.set_ylabel("torque command")


def _sigmas(panel: Any, found: DesignedExcitation) -> None:
    """Draw the relative standard deviations; undetermined parameters are at the right edge."""
    names = found.information.names
    at = np.arange(len(names))[::-1]
    rows = [100.0 * each.sigma / each.scale for each in (found.reference, found.information)]
    every = np.concatenate(rows)
    every = every[np.isfinite(every) & (every > 0.0)]
    low, high = (np.floor(np.log10(every.min())), np.ceil(np.log10(every.max()))) if every.size else (0.0, 0.0)
    edge = 10.0 ** (max(high, low + 1.0) + 0.5)
    for row, colour, words in zip(rows, (FAINT, AXIS_COLOURS[0]), ("without torque", "designed"), strict=True):
        finite = np.isfinite(row)
        if finite.any():
            panel.plot(row[finite], at[finite], linestyle="none", marker="o", color=colour, label=words)
        if not finite.all():
            lost = at[~finite]
            panel.plot(
                np.full(lost.size, edge), lost, linestyle="none", marker=">", color=colour,
                label=f"{words}: undetermined",
            )  # fmt: skip
    panel.set_xscale("log")
    panel.set_xlim(10.0**low, edge * 2.0)
    panel.set_yticks(at, names)
    panel.set_xlabel("standard deviation (% of the size)")
    panel.legend(loc="best", fontsize="small")
