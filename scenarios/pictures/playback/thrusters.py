"""Thrusters of a case: positions, directions, and the forces that produce the commanded torque."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .channels import Channels

if TYPE_CHECKING:
    from ....sim import Run
    from ...case.schema import Case

Array = NDArray[np.float64]

TOLERANCE = 0.01
"""Tolerance of the forces, as a fraction of the largest force."""


def thrusters(run: "Run", case: "Case | None", channels: Channels) -> list[dict[str, Any]]:
    """Return the thrusters as JSON-serialisable tables; `force` is a channel, `column` a column in it.

    The forces result from applying the allocation of the case, which minimises the total force, to the recorded
    command, held between samples. The directions point along the forces on the spacecraft; plumes point the opposite
    way.
    """
    if case is None or case.plant.thrusters is None or run.law is None:
        return []
    from ....controllers import ThrusterAllocation

    table = case.plant.thrusters
    allocation = ThrusterAllocation(
        table.positions_m, table.directions, limit=table.limit_N, force_free=table.force_free
    )
    torque = run.values("command_external" if "command_external" in run.names else "command")
    unique, back = np.unique(torque, axis=0, return_inverse=True)
    load = (unique @ allocation.envelope.T).max(axis=1, initial=0.0)  # exceeds 1 only by rounding
    forces = np.asarray(allocation.forces(unique / np.maximum(load, 1.0)[:, None]))[back.reshape(-1)]
    forces = np.where(forces > 1e-9 * float(np.max(allocation.limit)), forces, 0.0)
    largest = float(np.max(allocation.limit))
    channel = channels.put("thrust", forces, tolerance=TOLERANCE * largest, how="held")
    return [
        {
            "label": f"thruster {number + 1}",
            "position": list(position),
            "direction": allocation.directions[number].tolist(),
            "limit": float(allocation.limit[number]),
            "force": channel,
            "column": number,
        }
        for number, position in enumerate(table.positions_m)
    ]
