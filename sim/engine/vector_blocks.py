"""Blocks that can run in packs, and the block values that may differ from run to run."""

import numpy as np
from numpy.typing import NDArray

from ...controllers import Block
from ...controllers.contracts.block_draws import DRAW
from ...controllers.sensing.estimators.filter_block_kernel import (
    filter_block_kernel,  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
)
from ...controllers.sensing.estimators.filter_kernels import EXTENDED
from ...controllers.sensing.estimators.filter_layout import FILTER_MEMORY, FILTER_NUMBERS
from ...controllers.sensing.estimators.mekf_kernel import ERRORS, STATE
from ...controllers.sensing.sensors.gyro_kernel import (
    gyro_kernel,  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
)
from ...controllers.sensing.sensors.star_tracker_kernel import (
    star_tracker_kernel,  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
)
from ...plant.kernels.kernel import LANES as MARKED
from ..codegen.library import simd_address

_ESTIMATE = tuple(
    place + n
    for place, count in (
        (FILTER_MEMORY.state, STATE),
        (FILTER_MEMORY.base_state, STATE),
        (FILTER_MEMORY.covariance, ERRORS * ERRORS),
        (FILTER_MEMORY.base_covariance, ERRORS * ERRORS),
    )
    for n in range(count)
)
"""Indices of estimate and covariance in the memory of a filter."""


def block_address(block: Block) -> int | None:
    """Return the address of the vector kernel of a block; None if a pack cannot call it.

    A filter has such a kernel only if its algorithm is the MEKF and its initial attitude is given.
    """
    if block.kernel not in MARKED:
        return None
    if block.kernel is filter_block_kernel:
        kind, lost = block.parameters[FILTER_NUMBERS.kind], block.memory[FILTER_MEMORY.lost]
        if kind != EXTENDED or lost != 0.0:
            return None
    return simd_address(block.kernel)


def common_numbers(block: Block, parameters: int, memory: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the indices of the parameters and of the initial memory that are equal in all runs of a pack.

    parameters, memory: their numbers. Seed and run of the random numbers, and a filter's initial estimate, may differ.
    """
    count = int(DRAW.size) if block.kernel in (gyro_kernel, star_tracker_kernel) else 0
    estimate = np.array(_ESTIMATE if block.kernel is filter_block_kernel else (), dtype=np.int64)
    return np.arange(count, parameters), np.setdiff1d(np.arange(memory), estimate)
