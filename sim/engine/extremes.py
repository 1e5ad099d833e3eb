# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Extremes of the element signals of a run, updated at every step, independently of the output rows.

For each signal (`polhode.plant.elements.signal`), the record contains the value at the last step, the largest
magnitude, and the integrals of the square and of the value, by the trapezoidal rule over the steps; for a flag that is
1 at a limit, the integral is the time at the limit. The record also contains the minimum and maximum since the last
row; each row of results stores them.
"""

import math

import numpy as np
from numpy.typing import NDArray

from ...plant.hub.composition import element_signals, velocities_for_signals
from ...plant.kernels.kernel import kernel

LAST = 0
PEAK = 1
SQUARES = 2
LEAST = 3
MOST = 4
INTEGRAL = 5
TALLY_ROW = 6

HEAD = 1  # length of the head, which holds the number of signals


def tally_size(signals: int, rows: int) -> int:
    """Return the length of the record for a number of signals and rows of results."""
    return HEAD + signals * (TALLY_ROW + 2 * rows) if signals else 0


def start_tally(tally: NDArray[np.float64], signals: int) -> None:
    """Initialise a record of arbitrary contents; the parts for rows of results remain arbitrary until stored."""
    if not signals:
        return
    tally[0] = signals
    table = counters_of(tally)
    table[:] = 0.0
    table[:, LEAST], table[:, MOST] = math.inf, -math.inf


def new_tally(signals: int, rows: int) -> NDArray[np.float64]:
    """Return the record for a number of signals and rows of results; empty if there are no signals."""
    tally = np.zeros(tally_size(signals, rows))
    start_tally(tally, signals)
    return tally


def counters_of(tally: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the counters of the whole run and of the current row, shape (signals, TALLY_ROW); a view."""
    n = int(tally[0]) if tally.size else 0
    return tally[HEAD : HEAD + TALLY_ROW * n].reshape(n, TALLY_ROW)


@kernel(inline=True)
def _lower(left, right):
    """Return the smaller number as `numpy.minimum` does: NaN if one is NaN, `right` if both are equal."""
    return left if left < right or math.isnan(left) else right


@kernel(inline=True)
def _upper(left, right):
    """Return the larger number as `numpy.maximum` does: NaN if one is NaN, `right` if both are equal."""
    return left if left > right or math.isnan(left) else right


@kernel
def spread_rows(b):
    """Write to b.out, for each row, the minima and then the maxima of each signal since the previous row.

    b: `polhode.sim.engine.loop_arrays.SpreadArrays`.
    """
    tally, before, out = b.tally, b.before, b.out
    n = int(tally[0])
    first = out.shape[1] - 3 * n
    for row in range(out.shape[0]):
        stored = row < b.recorded[0]
        for k in range(n):
            now = out[row, first + k]
            last = now
            if row > 0:
                last = out[row - 1, first + k]
            elif before.size > 0:
                last = before[k]
            at = HEAD + TALLY_ROW * k
            least, most = tally[at + LEAST], tally[at + MOST]
            if stored:
                at = HEAD + (TALLY_ROW + 2 * row) * n + k
                least, most = tally[at], tally[at + n]
            out[row, first + n + k] = _lower(_lower(least, now), last)
            out[row, first + 2 * n + k] = _upper(_upper(most, now), last)


@kernel
def tally_step(h, t, x, u, p, w, tally):
    """Update the record with a step of length h that ended at t in state x."""
    velocities_for_signals(t, x, u, p, w)
    first = element_signals(t, x, u, p, w)
    for k in range(int(tally[0])):
        row = HEAD + TALLY_ROW * k
        value = w[first + k]
        size = abs(value)
        square, last = size * size, tally[row + LAST]
        tally[row + SQUARES] += 0.5 * h * (last * last + square)
        tally[row + INTEGRAL] += 0.5 * h * (last + value)
        tally[row + LAST] = value
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
