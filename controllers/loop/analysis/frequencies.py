"""Frequency grid of a loop broken at some signals, and refinement of a maximum on it."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ....plant.one_thread import one_thread
from ..crossings import neighbours
from .opened_loop import OpenedLoop

Array = NDArray[np.float64]

PEAKS = 3
NEARLY = 0.95  # fraction of the highest grid value: the true maximum may be at any grid peak above it


@one_thread
def frequency_range(opened: OpenedLoop, *, points: int = 400, decades: float = 2.0) -> Array:
    """Return a frequency grid for a loop, denser near lightly damped poles of the open and closed loop.

    points: number of logarithmically spaced points.
    decades: extension of the grid below the slowest pole, and for a continuous loop also above the fastest.
    -> (m,): rad/s, ascending; a sampled loop ends at the Nyquist frequency pi / h.
    """
    poles = np.concatenate((np.linalg.eigvals(opened.A), opened.closed_poles())).astype(np.complex128)
    if opened.sample > 0.0:
        poles = np.log(poles[np.abs(poles) > 1e-6]) / opened.sample
    closed = opened.closed_poles()
    if opened.sample > 0.0:
        closed = np.log(closed[np.abs(closed) > 1e-6]) / opened.sample
    size = np.abs(closed)
    low = float(size.min()) * 10.0**-decades
    high = np.pi / opened.sample if opened.sample > 0.0 else float(size.max()) * 10.0**decades
    parts: list[Array] = [np.geomspace(low, high, points)]
    for pole in poles:
        centre = abs(float(pole.imag))
        if low < centre < high and abs(pole.real) < 0.7 * abs(pole):
            width = np.geomspace(1e-3, 3.0, 15) * max(abs(float(pole.real)), 1e-6 * centre)
            parts += [centre + width, centre - width]  # not the pole frequency itself, where L may be infinite
    found = np.unique(np.concatenate(parts))
    return found[(found >= low) & (found <= high)]


def highest(sizes: Array) -> list[int]:
    """Return the indices of up to three local maxima that may be the global one, highest first."""
    padded = np.concatenate(([-np.inf], sizes, [-np.inf]))
    peaks = np.flatnonzero((sizes >= padded[:-2]) & (sizes > padded[2:]) & (sizes >= NEARLY * sizes.max()))
    return [int(n) for n in peaks[np.argsort(-sizes[peaks], kind="stable")][:PEAKS]]


def refined(size: Callable[[float], float], frequencies: Array, n: int, *, within: float = 1e-9) -> tuple[float, float]:
    """Return the maximum, and its frequency, between the neighbours of a grid point.

    size: function of frequency; n: index of the point; within: relative accuracy of the frequency.
    """
    from scipy import optimize

    def negative(w: float) -> float:
        return -size(float(w))

    low, high = neighbours(frequencies, n)
    found = cast("Any", optimize).minimize_scalar(
        negative, bounds=(low, high), method="bounded", options={"xatol": within * high}
    )
    return -float(found.fun), float(found.x)
