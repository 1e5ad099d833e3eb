"""Error of an attitude estimate."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...controllers import Block
from ...plant.attitude import attitude_error, to_rotation_vector

if TYPE_CHECKING:
    from .run import Run

Array = NDArray[np.float64]

SAME = 1e-6  # tolerance, in sampling periods


def at_samples(t: Array, block: Block) -> NDArray[np.bool_]:
    """Return a mask (n,) of the rows at a sample of a block, which holds its outputs between samples.

    The last row is not at a sample: a run ends before a sample at its end time.
    """
    ticks = (t - block.clock.offset - block.clock.delay) / block.clock.period
    found = np.asarray(np.abs(ticks - np.round(ticks)) < SAME, dtype=np.bool_)
    found[-1:] = False
    return found


def knowledge_error_of(run: "Run") -> Array:
    """Return the quantity "knowledge_error" of a run (n, 3), rad.

    A run takes no sample at its end time. In the last row the estimate is then one period old, and its error would
    include the rotation since then. That row therefore holds the error of the last estimate at its own time.
    """
    name = str(run.estimate)
    error = knowledge_error(run.values("attitude"), run.values(name))
    block = run.blocks[run.written[name].by]
    ticks = (run.t - block.clock.offset - block.clock.delay) / block.clock.period
    last = round(float(ticks[-1])) if abs(ticks[-1] - round(float(ticks[-1]))) < SAME else None
    if last is not None and run.t[-1] == run.end_time:
        before = np.flatnonzero(np.abs(ticks - (last - 1)) < SAME)
        if before.size:
            error[-1] = error[before[-1]]
    return error


def knowledge_error(attitude: Array, estimate: Array) -> Array:
    """Return Log(conj(e^) o e) of each row (n, 3), rad; NaN before the first estimate.

    attitude (n, 4): true attitude e; estimate (n, 4): e^, zeros before the first output of the estimator.
    """
    found = np.full((len(attitude), 3), np.nan)
    estimated = estimate.any(axis=1)
    if estimated.any():
        found[estimated] = to_rotation_vector(attitude_error(attitude[estimated], estimate[estimated]))
    return found
