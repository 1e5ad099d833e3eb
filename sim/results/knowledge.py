"""Error of an attitude estimate."""

import numpy as np
from numpy.typing import NDArray

from ...controllers import Block
from ...plant.attitude import attitude_error, to_rotation_vector

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


def knowledge_error(attitude: Array, estimate: Array) -> Array:
    """Return Log(conj(e^) o e) of each row (n, 3), rad; NaN before the first estimate.

    attitude (n, 4): true attitude e; estimate (n, 4): e^, zeros before the first output of the estimator.
    """
    found = np.full((len(attitude), 3), np.nan)
    estimated = estimate.any(axis=1)
    if estimated.any():
        found[estimated] = to_rotation_vector(attitude_error(attitude[estimated], estimate[estimated]))
    return found
