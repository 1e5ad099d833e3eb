"""Places, velocities, attitudes and rates of the nodes of a flexible satellite, hub included."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...plant.attitude import conjugate, from_rotation_matrix, quaternion_product, rotation_matrix
from ...plant.frozen import frozen_results

if TYPE_CHECKING:
    from ...sim.flexible import FlexibleRun

__all__ = ["NodeHistory", "node_histories"]

Array = NDArray[np.float64]


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class NodeHistory:
    """One node over time.

    Attributes
    ----------
    label : str
        Its name.
    place, velocity : numpy.ndarray, shape (n, 3)
        Inertial components, m and m/s.
    attitude : numpy.ndarray, shape (n, 4)
        Of axes fixed in the node that lie along the hub's while the arm is straight, scalar first.
    rate : numpy.ndarray, shape (n, 3)
        In those axes, rad/s.
    """

    label: str
    place: Array
    velocity: Array
    attitude: Array
    rate: Array


def node_histories(run: "FlexibleRun") -> list[NodeHistory]:
    """Return the nodes in the order of their labels.

    With two arms they are numbered as 003 (Figure 17) does: from the tip of the second arm inwards, the hub, and
    outwards along the first.

    Parameters
    ----------
    run : FlexibleRun
        The run.

    Returns
    -------
    list of NodeHistory
        All nodes but those at the roots, which move with the hub.
    """
    hub = _history("hub", run.x[:, :3], run.nu[:, :3], run.values("attitude"), run.nu[:, 3:6])
    arms: list[list[NodeHistory]] = []
    q, v = 7, 6
    for n, arm in enumerate(run.satellite.arms, start=1):
        own = conjugate(from_rotation_matrix(arm.frame))
        q, v = q + 1, v + 1
        nodes: list[NodeHistory] = []
        for i in range(1, arm.elements + 1):
            e = run.x[:, q + 3 : q + 7]
            e = quaternion_product(e / np.sqrt((e * e).sum(axis=1, keepdims=True)), own)
            moved = run.nu[:, v : v + 3], e, run.nu[:, v + 3 : v + 6]
            nodes.append(_history(f"arm {n} node {i}", run.x[:, q : q + 3], *moved))
            q, v = q + 8, v + 7
        arms.append(nodes)
    if len(arms) != 2:
        return [hub, *(node for nodes in arms for node in nodes)]
    ordered = [*arms[1][::-1], hub, *arms[0]]
    return [
        NodeHistory(
            label=f"node {k}" + (" (hub)" if node is hub else ""),
            place=node.place,
            velocity=node.velocity,
            attitude=node.attitude,
            rate=node.rate,
        )
        for k, node in enumerate(ordered, start=1)
    ]


def _history(label: str, place: Array, velocity: Array, attitude: Array, rate: Array) -> NodeHistory:
    """From a rate in inertial components; the sign of the Euler parameters is the one without jumps from e0 >= 0."""
    e = attitude.copy()
    if e[0, 0] < 0.0:
        e[0] = -e[0]
    flips = np.cumprod(np.where((e[1:] * e[:-1]).sum(axis=1) < 0.0, -1.0, 1.0))
    e[1:] *= flips[:, None]
    turned = np.einsum("nij,ni->nj", rotation_matrix(e), rate)
    return NodeHistory(label=label, place=place, velocity=velocity, attitude=e, rate=turned)
