"""Warning about control moment gyros that came near a singularity."""

import numpy as np
from numpy.typing import NDArray

from ..engine.indices import BLOCK
from ..engine.loop import Loop


def near_singularity(loop: Loop) -> tuple[str, ...]:
    """Return a warning for each block that steered gyros with a singularity measure below its threshold.

    The measure at every sample counts, including samples between output rows.
    """
    return tuple(
        f"the control moment gyros came near a singularity: their singularity measure fell to {least:.3g}, "
        f"below {limit:g}, where they produce little torque about one axis; see torque_error, and choose other "
        "initial gimbal angles or null motion (null_gain)"
        for place, limit in _measures(loop)
        if (least := float(loop.arrays.block_z[place])) < limit
    )


def near_singularities(loop: Loop, block_z: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return a mask of the runs of a batch for which `near_singularity` has a warning.

    loop: loop of the batch; block_z (runs, n): memory of its blocks at the end of each run.
    """
    found = np.zeros(len(block_z), dtype=np.bool_)
    for place, limit in _measures(loop):
        found |= block_z[:, place] < limit
    return found


def _measures(loop: Loop) -> list[tuple[int, float]]:
    """Return, for each block that steers gyros, the index of its least measure in `block_z`, and the threshold."""
    if not loop.blocks:
        return []
    from ...controllers.laws.blocks.gyro_steering import NEAR, gyro_steering_block

    return [
        (int(loop.arrays.blocks[n, BLOCK.z]), NEAR)
        for n, block in enumerate(loop.blocks)
        if block.kernel is gyro_steering_block
    ]
