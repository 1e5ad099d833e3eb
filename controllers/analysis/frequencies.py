"""The frequencies at which an opened loop is looked at."""

import numpy as np
from numpy.typing import NDArray

from ...plant.one_thread import one_thread
from .opened_loop import OpenedLoop

__all__ = ["frequency_range"]

Array = NDArray[np.float64]


@one_thread
def frequency_range(opened: OpenedLoop, *, points: int = 400, decades: float = 2.0) -> Array:
    """Return frequencies that cover a loop, denser around every lightly damped pole, open or closed.

    points: of the even grid.
    decades: how far below the slowest pole it begins, and for a continuous loop how far above the fastest it ends.
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
            parts += [centre + width, centre - width]  # not the pole itself, where L may be infinite
    found = np.unique(np.concatenate(parts))
    return found[(found >= low) & (found <= high)]
