"""Normal numbers for a sensor: which ones depends on seed, run, sensor, channel and sample, and on nothing else."""

import operator
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import InputError
from ...plant.kernels.philox import WORD, normal_pair

__all__ = ["normals"]

Array = NDArray[np.float64]


def normals(name: str, samples: int, channels: int, *, seed: int, run: int = 0) -> Array:
    """Normal numbers (samples, channels, 2) of mean 0 and variance 1 for the sensor of that name.

    Adding a sensor, a channel or a sample changes no other number.
    """
    key, number = _whole("seed", seed, 2**64), _whole("run", run, 2**32)
    block = zlib.crc32(name.encode())
    found = np.empty((samples, channels, 2))
    for sample in range(samples):
        for channel in range(channels):
            found[sample, channel] = normal_pair(sample, channel, block, number, key & WORD, (key >> 32) & WORD)
    return found


def _whole(name: str, value: Any, end: int) -> int:
    try:
        number = -1 if value is True or value is False else operator.index(value)
    except TypeError:
        number = -1
    if not 0 <= number < end:
        raise InputError(f"{name} must be a whole number from 0 to {end - 1}; got {value!r}")
    return number
