"""Warning about control moment gyros that came near a singularity."""

from ..engine.indices import BLOCK
from ..engine.loop import Loop


def near_singularity(loop: Loop) -> tuple[str, ...]:
    """Return a warning for each block that steered gyros with a singularity measure below its threshold.

    The measure at every sample counts, including samples between output rows.
    """
    if not loop.blocks:
        return ()
    from ...controllers.laws.blocks.gyro_steering import NEAR, gyro_steering_block

    found: list[str] = []
    for n, block in enumerate(loop.blocks):
        if block.kernel is not gyro_steering_block:
            continue
        least = float(loop.arrays.block_z[int(loop.arrays.blocks[n, BLOCK.z])])
        if least < NEAR:
            found.append(
                f"the control moment gyros came near a singularity: their singularity measure fell to {least:.3g}, "
                f"below {NEAR:g}, where they produce little torque about one axis; see torque_error, and choose other "
                "initial gimbal angles or null motion (null_gain)"
            )
    return tuple(found)
