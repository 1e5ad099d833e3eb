"""Replay of a block on recorded signals."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polhode import provided

from ...plant.checks import numbers
from ...plant.errors import InputError
from .block import Block


def replay_block(
    block: Block, t: ArrayLike, y: ArrayLike, *, seed: int | None, run_index: int, compiled: bool
) -> NDArray[np.float64]:
    """Return the output of a block for recorded signals; arguments and errors are those of `Block.replay`."""
    times, rows = numbers("t", t, "s"), numbers("y", y)
    if times.ndim != 1 or not (np.diff(times) > 0.0).all():
        raise InputError("t must be ascending times, s")
    if rows.ndim != 2 or len(rows) != times.size:
        raise InputError(f"y must have a row for each of {times.size} times; got shape {rows.shape}")
    widths = block.widths.values()
    if not all(widths) and block.reads != tuple(block.writes):
        raise InputError(f"the block {block.name!r} does not give the width of its output; give writes={{...}}")
    width = sum(widths) if all(widths) else rows.shape[1]
    if block.random and seed is None:
        raise InputError(f"no seed for the random numbers of {block.name!r}; give replay(..., seed=1)")
    complete = block.seeded(seed=seed or 0, run_index=run_index)
    return provided("replay")(complete, times, rows, width, compiled=compiled)
