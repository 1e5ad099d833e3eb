# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Extremes of the element signals of a run, updated at every step, independently of the output rows.

For each signal (`polhode.plant.elements.signal`), the record contains the square at the last step, the largest
magnitude, and the integral of the square; for a flag that is 1 at a limit, this integral is the time at the limit. The
record also contains the minimum and maximum since the last row; each row of results stores them.
"""

import math

import numpy as np
from numpy.typing import NDArray

from ...plant.hub.composition import element_signals, velocities_for_signals
from ...plant.kernels.kernel import kernel

LAST = 0
PEAK = 1
INTEGRAL = 2
LEAST = 3
MOST = 4
TALLY_ROW = 5

HEAD = 1  # length of the head, which holds the number of signals


def tally_size(signals: int, rows: int) -> int:
    """Return the length of the record for a number of signals and rows of results."""
    return HEAD + signals * (TALLY_ROW + 2 * rows) if signals else 0


def start_tally(tally: NDArray[np.float64], signals: int) -> None:
    """Initialise a record of zeros; the parts for rows of results remain zero until rows are stored."""
    if not signals:
        return
    tally[0] = signals
    table = counters_of(tally)
    table[:, LEAST], table[:, MOST] = math.inf, -math.inf


def new_tally(signals: int, rows: int) -> NDArray[np.float64]:
    """Return the record for a number of signals and rows of results; empty without signals."""
    tally = np.zeros(tally_size(signals, rows))
    start_tally(tally, signals)
    return tally


def counters_of(tally: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the counters of the whole run and of the current row, shape (signals, TALLY_ROW); a view."""
    n = int(tally[0]) if tally.size else 0
    return tally[HEAD : HEAD + TALLY_ROW * n].reshape(n, TALLY_ROW)


def spread_of_rows(
    tally: NDArray[np.float64],
    told: NDArray[np.float64],
    recorded: int,
    *,
    before: NDArray[np.float64] | None,
    out: NDArray[np.float64],
) -> None:
    """Write the minima, then the maxima of each signal between the previous row and each row to `out`.

    `told` (rows, signals): signals in the rows; before: signals in the row before the first, if any; recorded: number
    of recorded rows (the last state of a run that ended early may follow them); out (rows, 2 signals).
    """
    rows, n = told.shape
    first = HEAD + TALLY_ROW * n
    stored = tally[first : first + 2 * n * recorded].reshape(recorded, 2 * n)
    now = counters_of(tally)
    part = np.empty((rows, n))  # contiguous: much faster than columns of a table
    for extreme, column, where in ((np.minimum, LEAST, slice(0, n)), (np.maximum, MOST, slice(n, 2 * n))):
        part[:recorded] = stored[:, where]
        part[recorded:] = now[:, column]
        extreme(part, told, out=part)
        extreme(part[1:], told[:-1], out=part[1:])
        extreme(part[0], told[0] if before is None else before, out=part[0])
        out[:, where] = part


@kernel
def tally_step(h, t, x, u, p, w, tally):
    """Update the record with a step of length h that ended at t in state x."""
    velocities_for_signals(t, x, u, p, w)
    first = element_signals(t, x, u, p, w)
    for k in range(int(tally[0])):
        row = HEAD + TALLY_ROW * k
        value = w[first + k]
        size = abs(value)
        square = size * size
        tally[row + INTEGRAL] += 0.5 * h * (tally[row + LAST] + square)
        tally[row + LAST] = square
        tally[row + PEAK] = max(tally[row + PEAK], size)
        tally[row + LEAST] = min(tally[row + LEAST], value)
        tally[row + MOST] = max(tally[row + MOST], value)


@kernel
def tally_start(t, x, u, p, w, tally):
    """Evaluate the signals at the start of an interval, after a change of the inputs."""
    tally_step(0.0, t, x, u, p, w, tally)


@kernel
def tally_row(number, tally):
    """Store the minima and maxima of the signals in a row of results, and reset the stored extremes."""
    n = int(tally[0])
    out = HEAD + (TALLY_ROW + 2 * number) * n
    for k in range(n):
        row = HEAD + TALLY_ROW * k
        tally[out + k], tally[out + n + k] = tally[row + LEAST], tally[row + MOST]
        tally[row + LEAST], tally[row + MOST] = math.inf, -math.inf
