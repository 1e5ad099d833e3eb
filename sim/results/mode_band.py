"""Band at the bottom of a plot that names the active mode."""

from typing import TYPE_CHECKING, Any

import numpy as np

from .mode_intervals import MODE_QUANTITY, mode_intervals

if TYPE_CHECKING:
    from .run import Run

COLOURS = ("#88ccee", "#ddcc77", "#44aa99", "#cc6677", "#aa88cc", "#999933", "#dd99bb", "#bbbbbb")
HEIGHT = 0.055  # fraction of the height of the axes
LETTER = 0.011  # fraction of the width of the axes per letter


def draw_mode_band(axes: Any, run: "Run", *, seconds: float = 1.0) -> None:
    """Draw the mode band, if the run has modes; seconds: unit of the time axis, s."""
    if MODE_QUANTITY not in run.names or not run.labels(MODE_QUANTITY):
        return
    names, span = run.labels(MODE_QUANTITY), float(run.t[-1] - run.t[0])
    scale = axes.yaxis.get_transform()
    low, high = scale.transform(np.array(axes.get_ylim()))  # exponents on a logarithmic axis
    below = scale.inverted().transform(np.array([low - HEIGHT / (1.0 - HEIGHT) * (high - low)]))[0]
    axes.set_ylim(below, axes.get_ylim()[1])  # space below the curves
    intervals = mode_intervals(run)
    long = {each.mode for each in intervals if each.end - each.start > LETTER * (len(each.mode) + 2) * span}
    for n, each in enumerate(intervals):
        colour = COLOURS[names.index(each.mode) % len(COLOURS)]
        start, end = each.start / seconds, each.end / seconds
        axes.axvspan(start, end, 0.0, HEIGHT, color=colour, linewidth=0.0, zorder=3, label="_")
        fits = each.end - each.start > LETTER * (len(each.mode) + 2) * span
        first = each.mode not in long and all(before.mode != each.mode for before in intervals[:n])
        if fits or first:  # a name too wide for all its intervals is placed above the first
            axes.text(
                0.5 * (start + end) if fits else start, 0.5 * HEIGHT if fits else 1.4 * HEIGHT, each.mode,
                transform=axes.get_xaxis_transform(), ha="center" if fits else "left", va="center", fontsize=6.5,
                zorder=4, clip_on=True,
            )  # fmt: skip
