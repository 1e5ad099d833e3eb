# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""What the elements did in a run, counted at every step: however seldom a row is recorded, nothing is missed.

Of each signal of the elements (`polhode.plant.elements.signal`) a row of the table keeps its square at the last look,
its largest magnitude, and the integral of its square: of a flag that is 1 at a limit, the time at the limit.
"""

from ..plant.composition import element_signals
from ..plant.kernel import kernel

__all__ = ["INTEGRAL", "LAST", "PEAK", "TALLY_ROW", "tally_start", "tally_step"]

LAST = 0
PEAK = 1
INTEGRAL = 2
TALLY_ROW = 3


@kernel
def tally_step(h, t, x, u, p, w, tally):
    """Count a step of length h that ended at t in x."""
    first = element_signals(t, x, u, p, w)
    for k in range(tally.size // TALLY_ROW):
        row = TALLY_ROW * k
        size = abs(w[first + k])
        square = size * size
        tally[row + INTEGRAL] += 0.5 * h * (tally[row + LAST] + square)
        tally[row + LAST] = square
        tally[row + PEAK] = max(tally[row + PEAK], size)


@kernel
def tally_start(t, x, u, p, w, tally):
    """Look at the signals where a stretch begins, the inputs having changed."""
    tally_step(0.0, t, x, u, p, w, tally)
