"""Singular values of sensitivity and complementary sensitivity at the plant input."""

from typing import TYPE_CHECKING

import numpy as np

from ....controllers import OpenedLoop, SensitivityPeak
from ..palette import AXIS_COLOURS, FAINT, INK
from .loop_axes import clean, shown_frequencies

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_singular_values(
    opened: OpenedLoop, peaks: "tuple[SensitivityPeak, SensitivityPeak]", *, title: str
) -> "Figure":
    """Draw the largest and smallest singular values of S and T over frequency.

    opened: loop broken at the plant inputs; peaks: peaks of S and T, which are marked; title: title above the figure.
    Returns one pair of axes, with the band between the largest and smallest singular value shaded.
    """
    from ....sim.results.page import new_page

    figure = new_page((9.0, 5.5), title=title)
    axes = figure.subplots()
    w = shown_frequencies(opened)
    S = opened.sensitivity(w)
    T = np.eye(len(opened.channels)) - S
    words = ("S: torque disturbance to torque at the plant", "T: complementary")
    for values, peak, colour, label in zip((S, T), peaks, AXIS_COLOURS, words, strict=False):
        sizes = 20.0 * np.log10(np.maximum(np.linalg.svd(values, compute_uv=False), 1e-12))
        axes.fill_between(w, sizes[:, -1], sizes[:, 0], color=colour, alpha=0.2, linewidth=0.0)
        axes.plot(w, sizes[:, 0], color=colour, linewidth=1.6, label=label)
        axes.plot(w, sizes[:, -1], color=colour, linewidth=0.8)
        note = f"{label[0]}: peak {peak.peak_dB:.1f} dB"
        axes.plot(
            peak.frequency_rad_s, peak.peak_dB, "o", color=colour, markersize=6, clip_on=False, label=note, zorder=4
        )
    axes.axhline(0.0, color=INK, linewidth=0.8)
    if opened.sample > 0.0:
        axes.axvline(np.pi / opened.sample, color=FAINT, linestyle="--", linewidth=1.0)
    axes.set_xscale("log")
    axes.set_ylim(-60.0, max(10.0, 1.3 * max(peak.peak_dB for peak in peaks)))
    clean(axes, x="frequency (rad/s)", y="singular values (dB)")
    axes.legend(fontsize="small", framealpha=0.95, loc="lower center")
    return figure
