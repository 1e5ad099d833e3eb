"""Normal numbers for a sensor, as its block draws them."""

import numpy as np
from numpy.typing import NDArray

from ..laws.block_draws import draw_normals, draw_words

__all__ = ["normals"]

Array = NDArray[np.float64]


def normals(name: str, samples: int, channels: int, *, seed: int, run: int = 0) -> Array:
    """Normal numbers (samples, channels, 2) of mean 0 and variance 1 for the sensor of that name.

    Adding a sensor, a channel or a sample changes no other number.
    """
    words = draw_words(name, seed=seed, run=run)
    found = np.empty((samples, channels, 2))
    for sample in range(samples):
        for channel in range(channels):
            found[sample, channel] = draw_normals(words, sample, channel)
    return found
