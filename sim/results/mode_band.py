"""The band along the foot of a plot that shows which mode was in force."""

from typing import TYPE_CHECKING, Any

import numpy as np

from .modes_flown import MODE_QUANTITY, modes_flown

if TYPE_CHECKING:
    from .run import Run

__all__ = ["draw_mode_band"]

COLOURS = ("#88ccee", "#ddcc77", "#44aa99", "#cc6677", "#aa88cc", "#999933", "#dd99bb", "#bbbbbb")
HEIGHT = 0.055  # of the axes
LETTER = 0.011  # of their width that a letter takes


def draw_mode_band(axes: Any, run: "Run", *, seconds: float = 1.0) -> None:
    """Draw it; seconds: in a unit of the time axis. Nothing for a run without modes."""
    if MODE_QUANTITY not in run.names or not run.labels(MODE_QUANTITY):
        return
    names, span = run.labels(MODE_QUANTITY), float(run.t[-1] - run.t[0])
    scale = axes.yaxis.get_transform()
    low, high = scale.transform(np.array(axes.get_ylim()))  # of a logarithmic axis in powers
    below = scale.inverted().transform(np.array([low - HEIGHT / (1.0 - HEIGHT) * (high - low)]))[0]
    axes.set_ylim(below, axes.get_ylim()[1])  # space below the curves
    flown = modes_flown(run)
    long = {each.mode for each in flown if each.end - each.start > LETTER * (len(each.mode) + 2) * span}
    for n, each in enumerate(flown):
        colour = COLOURS[names.index(each.mode) % len(COLOURS)]
        start, end = each.start / seconds, each.end / seconds
        axes.axvspan(start, end, 0.0, HEIGHT, color=colour, linewidth=0.0, zorder=3, label="_")
        fits = each.end - each.start > LETTER * (len(each.mode) + 2) * span
        first = each.mode not in long and all(before.mode != each.mode for before in flown[:n])
        if fits or first:  # one that is nowhere as long as its name has it above its beginning
            axes.text(
                0.5 * (start + end) if fits else start, 0.5 * HEIGHT if fits else 1.4 * HEIGHT, each.mode,
                transform=axes.get_xaxis_transform(), ha="center" if fits else "left", va="center", fontsize=6.5,
                zorder=4, clip_on=True,
            )  # fmt: skip
