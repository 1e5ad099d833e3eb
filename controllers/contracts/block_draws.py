# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Random numbers of a block, determined only by seed, run index, block name, channel and sample."""

import operator
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import InputError
from ...plant.kernels.fields import fields
from ...plant.kernels.kernel import kernel
from ...plant.kernels.philox import WORD, normal_pair, uniform_pair

DRAW = fields(seed=2, run=1, block=1)
"""Layout of the first entries of q of a random block: integers of 32 bits, exact as floats."""


@kernel
def draw_normals(q: Any, sample: Any, channel: Any) -> Any:
    """Return two independent standard normal numbers for a sample and a channel of a random block.

    Parameters
    ----------
    q : array
        Parameters of a block created with `random=True`.
    sample : float or int
        Index of the sample, counted by the block in its memory.
    channel : int
        Index of the pair within a sample, 0 ... 65535.

    Returns
    -------
    tuple of float
        The pair.
    """
    return normal_pair(
        int(sample), channel, int(q[DRAW.block]), int(q[DRAW.run]), int(q[DRAW.seed]), int(q[DRAW.seed + 1])
    )


@kernel
def draw_uniforms(q: Any, sample: Any, channel: Any) -> Any:
    """Return two independent numbers, uniform in (0, 1), for a sample and a channel of a random block.

    Parameters
    ----------
    q : array
        Parameters of a block created with `random=True`.
    sample : float or int
        Index of the sample, counted by the block in its memory.
    channel : int
        Index of the pair within a sample, 0 ... 65535. It must differ from the channels of normal draws.

    Returns
    -------
    tuple of float
        The pair.
    """
    return uniform_pair(
        int(sample), channel, int(q[DRAW.block]), int(q[DRAW.run]), int(q[DRAW.seed]), int(q[DRAW.seed + 1])
    )


def draw_words(name: str, *, seed: int, run_index: int) -> NDArray[np.float64]:
    """Return the words (4,) of a named block in layout DRAW; raise InputError if seed or run index is invalid."""
    key, number = whole("seed", seed, 2**64), whole("run_index", run_index, 2**32)
    return np.array([key & WORD, key >> 32, number, zlib.crc32(name.encode())], dtype=np.float64)


def whole(name: str, value: Any, end: int) -> int:
    """Return a value as an integer, or raise InputError unless it is a whole number from 0 to end - 1."""
    try:
        number = -1 if isinstance(value, (bool, np.bool_)) else operator.index(value)
    except TypeError:
        number = -1
    if not 0 <= number < end:
        raise InputError(f"{name} must be a whole number from 0 to {end - 1}; got {value!r}")
    return number
