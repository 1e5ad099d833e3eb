"""Nyquist diagram near the critical point, with the disk that no axis enters."""

from typing import TYPE_CHECKING

import numpy as np

from ....controllers import DiskMargins, OpenedLoop
from ..palette import AXIS_COLOURS, FAINT, INK, stroke
from .loop_axes import axis_loops, clean, shown_frequencies

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_nyquist(opened: OpenedLoop, disks: DiskMargins, *, title: str) -> "Figure":
    """Draw the loop broken at each plant input, with the other inputs closed, around -1.

    opened: loop broken at the plant inputs.
    disks: disk margins; the shaded disk is the largest that the worst axis does not enter.
    title: title above the figure.
    -> one pair of axes with equal scales. Only positive frequencies are drawn; arrows point to higher frequencies.
    """
    from ....sim.results.page import new_page

    figure = new_page((8.0, 7.0), title=title)
    axes = figure.subplots()
    w = shown_frequencies(opened)
    loops = axis_loops(opened, w)
    angle = np.linspace(0.0, 2.0 * np.pi, 361)
    cosine, sine = np.cos(angle), np.sin(angle)
    axes.plot(cosine, sine, color=FAINT, linestyle="--", linewidth=1.0, label="gain 1")
    worst = min(disks.channels, key=lambda one: one.alpha)
    if worst.alpha < 2.0:
        # circle of -1/factor for all factors in the disk, centred on the real axis
        left, right = -worst.gain, -1.0 / worst.gain
        centre, radius = 0.5 * (left + right), 0.5 * (right - left)
        words = f"disk margin {worst.alpha:.3f}: {worst.gain_dB:.1f} dB, {worst.phase_deg:.1f} deg"
        axes.fill(centre + radius * cosine, radius * sine, color="#F0C800", alpha=0.35, linewidth=0.0, label=words)
    for n, (name, colour) in enumerate(zip(opened.channels, AXIS_COLOURS, strict=True)):
        curve = loops[:, n]
        axes.plot(curve.real, curve.imag, **stroke(n), linewidth=1.4, label=name)
        _arrow(axes, curve, colour)
    axes.plot(-1.0, 0.0, "+", color=INK, markersize=12, markeredgewidth=1.8)
    axes.annotate("-1", (-1.0, 0.0), xytext=(6, 6), textcoords="offset points", color=INK)
    axes.set_xlim(-3.2, 1.6)
    axes.set_ylim(-2.4, 1.6)
    axes.set_aspect("equal")
    clean(axes, x="real part", y="imaginary part")
    axes.legend(fontsize="small", framealpha=0.95, loc="upper left")
    return figure


def _arrow(axes: "Axes", curve: np.ndarray, colour: str) -> None:
    """Draw an arrow towards higher frequencies where the gain passes 1.5."""
    outside = np.flatnonzero(np.abs(curve) > 1.5)
    if len(outside) == 0 or outside[-1] + 1 >= len(curve):
        return
    n = int(outside[-1])
    axes.annotate(
        "",
        (curve[n + 1].real, curve[n + 1].imag),
        xytext=(curve[n].real, curve[n].imag),
        arrowprops={"arrowstyle": "-|>", "color": colour, "mutation_scale": 16.0},
    )
