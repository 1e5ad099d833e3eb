"""Envelopes of lines that oscillate so fast that they would fill the axes."""

from typing import TYPE_CHECKING

import numpy as np

from .swings import swings

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DENSE = 300
"""Number of mid-range crossings above which the envelope of a line is drawn."""

INTERVALS = 400


def draw_envelopes(axes: "Axes") -> int:
    """Replace lines that oscillate too fast to be resolved with their envelopes, and return their number.

    In each of up to 400 intervals the band spans the smallest to the largest value, so that no peak is lost and no
    spurious pattern appears.
    """
    lines = [(line, np.asarray(line.get_xydata(), dtype=np.float64)) for line in axes.lines]
    counts = [swings(points[:, 1]) if len(points) >= 2 * INTERVALS and np.isfinite(points).all() else 0
              for _, points in lines]  # fmt: skip
    if max(counts, default=0) <= DENSE or axes.get_yscale() == "symlog":  # a symlog axis stretches its middle
        return 0
    found = 0
    for (line, points), count in zip(lines, counts, strict=True):
        if count <= DENSE // 4:  # draw all fast oscillations of a panel in the same way
            continue
        first = np.linspace(0, len(points), INTERVALS + 1).round().astype(int)[:-1]
        time = np.append(points[first, 0], points[-1, 0])
        low = np.minimum.reduceat(points[:, 1], first)
        high = np.maximum.reduceat(points[:, 1], first)
        colour = line.get_color()
        axes.fill_between(
            time, np.append(low, low[-1]), np.append(high, high[-1]), step="post", color=colour, alpha=0.3,
            linewidth=0.0, label=line.get_label(),
        )  # fmt: skip
        for edge in (low, high):
            axes.step(time, np.append(edge, edge[-1]), where="post", color=colour, linewidth=0.6, label="_")
        line.remove()
        found += 1
    return found
