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
    axes.set_ylim(below, axes.get_ylim()[1])  # room below whatever is drawn
    written: set[str] = set()
    flown = modes_flown(run)
    for each in flown:
        if span > 0.0 and (each.end - each.start) / span > LETTER * (len(each.mode) + 2):
            middle = 0.5 * (each.start + each.end) / seconds
            axes.text(
                middle, 0.5 * HEIGHT, each.mode, transform=axes.get_xaxis_transform(), ha="center", va="center",
                fontsize=6.5, zorder=4, clip_on=True,
            )  # fmt: skip
            written.add(each.mode)
    for each in flown:
        told = each.mode in written
        written.add(each.mode)
        axes.axvspan(
            each.start / seconds, each.end / seconds, 0.0, HEIGHT, color=COLOURS[names.index(each.mode) % len(COLOURS)],
            linewidth=0.0, zorder=3, label="_" if told else each.mode,
        )  # fmt: skip
