"""Oscillations so fast that a plot of the whole run would be a solid patch."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MANY, SHOWN = 120, 40
"""Number of mid-range crossings above which a line would fill the axes, and the number of crossings then shown."""

PATCH = 0.1
"""Fraction of the axes height below which an oscillating line looks like a thick line."""

PARTS, STEADY = 10, 0.15
"""Number of parts into which a run is divided, and largest relative difference of their amplitudes."""


def swings(values: NDArray[np.float64]) -> int:
    """Return how often a line, shape (n,), crosses the middle of its range."""
    return int(np.count_nonzero(np.diff(values > 0.5 * (values.max() + values.min()))))


def first_swings(axes: "Axes") -> float | None:
    """Return the time up to which fast, steady oscillations are drawn; None for all other lines.

    An oscillation is steady if its amplitude in every tenth of the time is within 15 % of the largest. The omitted part
    then looks like the part that is drawn.
    """
    drawn = [np.asarray(line.get_xydata(), dtype=np.float64) for line in axes.lines]
    lines = [line for line in drawn if len(line) > MANY]
    room = max((float(np.ptp(line[:, 1])) for line in lines), default=0.0)
    axis = float(np.ptp(axes.get_ylim()))
    ends: list[float] = []
    for line in lines:
        time, values = line.T
        if not np.isfinite(values).all():
            return None
        count = swings(values)
        if count <= MANY:
            if np.ptp(values) > 0.01 * room:
                return None  # a slow line among fast lines needs the whole time axis
            continue
        if np.ptp(values) < PATCH * axis:
            continue
        sizes = np.array([np.ptp(part) for part in np.array_split(values, PARTS)])
        means = np.array([part.mean() for part in np.array_split(values, PARTS)])
        largest = sizes.max()
        if sizes.min() < (1.0 - STEADY) * largest or np.ptp(means) > STEADY * largest:
            return None
        ends.append(float(time[0] + (time[-1] - time[0]) * SHOWN / count))
    return max(ends, default=None)
