"""Bode diagram of the sampled loop with margins, axis by axis."""

from typing import TYPE_CHECKING

import numpy as np

from ....controllers import Margins, OpenedLoop
from ..palette import AXIS_COLOURS, FAINT, INK, stroke
from .loop_axes import axis_loops, clean, shown_frequencies

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_bode(opened: OpenedLoop, margins: Margins, *, title: str) -> "Figure":
    """Draw gain and phase of the loop broken at each plant input, with the other inputs closed.

    opened: loop broken at the plant inputs.
    margins: margins, for marks of the crossover and phase margin of each axis.
    title: title above the figure.
    -> two axes. The phase includes the hold and delay of the sampled loop.
    """
    from ....sim.results.page import new_page

    figure = new_page((9.0, 7.5), title=title)
    gain, phase = figure.subplots(2, sharex=True)
    w = shown_frequencies(opened)
    loops = axis_loops(opened, w)
    angles = np.degrees(np.unwrap(np.angle(loops), axis=0))
    for n, (axis, colour) in enumerate(zip(margins.axes, AXIS_COLOURS, strict=True)):
        # choose the branch of the phase on which the margin at crossover is measured from -180 deg
        if axis.crossover_rad_s > 0.0:
            at = float(np.interp(axis.crossover_rad_s, w, angles[:, n]))
            angles[:, n] -= 360.0 * np.round((at + 180.0) / 360.0)
            at = float(np.interp(axis.crossover_rad_s, w, angles[:, n]))
            phase.plot([axis.crossover_rad_s] * 2, [-180.0, at], color=colour, linewidth=2.5, alpha=0.5)
            gain.plot(axis.crossover_rad_s, 0.0, "o", color=colour, markersize=5)
        words = f"{axis.input}: {axis.gain_up_dB:.1f} dB, {axis.phase_deg:.1f} deg"
        gain.plot(w, 20.0 * np.log10(np.abs(loops[:, n])), **stroke(n), linewidth=1.4, label=words)
        phase.plot(w, angles[:, n], **stroke(n), linewidth=1.4)
    gain.axhline(0.0, color=INK, linewidth=0.8)
    phase.axhline(-180.0, color=INK, linewidth=0.8)
    low, high = float(np.nanmin(angles)), float(np.nanmax(angles))
    phase.set_ylim(max(low, -720.0) - 20.0, min(high, 180.0) + 20.0)
    phase.set_yticks(np.arange(90.0 * np.ceil(phase.get_ylim()[0] / 90.0), phase.get_ylim()[1], 90.0))
    if opened.sample > 0.0:
        for axes in (gain, phase):
            axes.axvline(np.pi / opened.sample, color=FAINT, linestyle="--", linewidth=1.0)
        gain.text(
            np.pi / opened.sample, 0.98, "Nyquist frequency ", transform=gain.get_xaxis_transform(),
            ha="right", va="top", fontsize="small", color=FAINT, rotation=90,
        )  # fmt: skip
    gain.set_xscale("log")
    clean(gain, x="", y="loop gain (dB)")
    clean(phase, x="frequency (rad/s)", y="phase (deg)")
    gain.legend(fontsize="small", framealpha=0.95, title="gain and phase margin", loc="lower left")
    return figure
