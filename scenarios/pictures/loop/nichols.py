"""Nichols diagram: loop gain against phase, with contours of closed-loop gain."""

from typing import TYPE_CHECKING

import numpy as np

from ....controllers import DiskMargins, OpenedLoop
from ..palette import FAINT, INK, stroke
from .loop_axes import axis_loops, clean, shown_frequencies

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEVELS = (-20.0, -12.0, -6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0, 12.0)  # closed-loop gain |L / (1 + L)|, dB


def draw_nichols(opened: OpenedLoop, disks: DiskMargins, *, title: str) -> "Figure":
    """Draw gain against phase of the loop broken at each plant input, with the other inputs closed.

    opened: loop broken at the plant inputs.
    disks: disk margins; the shaded region around (-180 deg, 0 dB) is the largest that the worst axis does not enter.
    title: title above the figure.
    -> one pair of axes.
    """
    from ....sim.results.page import new_page

    figure = new_page((9.0, 7.0), title=title)
    axes = figure.subplots()
    w = shown_frequencies(opened)
    loops = axis_loops(opened, w)
    phase, gain = np.meshgrid(np.linspace(-359.0, -1.0, 359), np.linspace(-40.0, 40.0, 401))
    L = 10.0 ** (gain / 20.0) * np.exp(1j * np.radians(phase))
    closed = 20.0 * np.log10(np.abs(L / (1.0 + L)))
    lines = axes.contour(phase, gain, closed, levels=LEVELS, colors="#cfcfcf", linewidths=0.8, linestyles="solid")
    axes.clabel(lines, fmt="%g dB", fontsize="x-small", colors=FAINT)
    worst = min(disks.channels, key=lambda one: one.alpha)
    if worst.alpha < 2.0:
        inside = np.abs(1.0 / (1.0 + L) - 0.5) * worst.alpha
        axes.contourf(phase, gain, inside, levels=[1.0, np.inf], colors=["#F0C800"], alpha=0.35)
        axes.fill([], [], color="#F0C800", alpha=0.35, label=f"disk margin {worst.alpha:.3f}")
    for n, name in enumerate(opened.channels):
        # phase within one revolution; the line is broken where the phase wraps
        angle = -np.degrees(np.mod(-np.angle(loops[:, n]), 2.0 * np.pi))
        size = 20.0 * np.log10(np.abs(loops[:, n]))
        angle[np.flatnonzero(np.abs(np.diff(angle)) > 180.0)] = np.nan
        axes.plot(angle, size, **stroke(n), linewidth=1.5, label=name)
    axes.plot(-180.0, 0.0, "+", color=INK, markersize=12, markeredgewidth=1.8)
    axes.set_xlim(-360.0, 0.0)
    axes.set_ylim(-40.0, 40.0)
    axes.set_xticks(np.arange(-360.0, 1.0, 45.0))
    clean(axes, x="phase (deg)", y="loop gain (dB)")
    axes.legend(fontsize="small", framealpha=0.95, loc="upper left")
    return figure
