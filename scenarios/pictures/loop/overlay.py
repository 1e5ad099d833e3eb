"""Overlay of the linear loop response on the nonlinear run."""

from typing import TYPE_CHECKING

import numpy as np

from ..palette import AXIS_COLOURS, stroke

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ....sim import Overlay


def draw_overlay(found: "Overlay", *, title: str) -> "Figure":
    """Draw attitude error, rate and command of the linear loop and of the nonlinear run in the same axes.

    found: result of `sim.overlay`; title: title of the figure. Returns three axes, each labelled with the largest
    difference.
    """
    from ....sim.results.page import new_page

    figure = new_page((9.0, 8.0), dpi=110)
    figure.suptitle(title)
    rows = (
        ("error_vector", "attitude error (deg)", 180.0 / np.pi),
        ("rate", "rate error (deg/s)", 180.0 / np.pi),
        ("command", "command (N m)", 1.0),
    )
    panels = figure.subplots(3, sharex=True)
    for axes, (name, label, factor) in zip(panels, rows, strict=True):
        linear, simulated = factor * getattr(found.linear, name), factor * found.simulated(name)
        for n, colour in enumerate(AXIS_COLOURS):
            axes.plot(found.run.t, simulated[:, n], color=colour, linewidth=2.4, alpha=0.45)
            axes.plot(found.linear.t, linear[:, n], **stroke(n), linewidth=1.2)
        axes.set_ylabel(label)
        axes.grid(True, color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.margins(x=0.0)
        share = 100.0 * found.difference(name)
        axes.text(
            0.995, 0.95, f"largest difference {share:.3g} %", transform=axes.transAxes, ha="right", va="top",
            fontsize="small", color="#444444",
        )  # fmt: skip
    for n, name in enumerate("xyz"):
        panels[0].plot([], [], **stroke(n), linewidth=1.2, label=name)
    panels[0].plot([], [], color="#444444", linewidth=2.4, alpha=0.45, label="simulated (wide)")
    panels[0].plot([], [], color="#444444", linewidth=1.2, label="linear loop (thin)")
    panels[0].legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=5, fontsize="small", frameon=False)
    if found.saturated:
        panels[2].text(
            0.995, 0.82, "the torque reached its limit", transform=panels[2].transAxes, ha="right", va="top",
            fontsize="small", color="#D55E00",
        )  # fmt: skip
    panels[2].set_xlabel("time (s)")
    return figure
