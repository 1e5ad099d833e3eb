"""Positions, velocities, attitudes and rates of the hub and of flexible-arm nodes over a run."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...plant.attitude import conjugate, from_rotation_matrix, quaternion_product, rotation_matrix
from ...plant.frozen import frozen_results

if TYPE_CHECKING:
    from ...sim import Run

Array = NDArray[np.float64]


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class NodeHistory:
    """Motion of one node.

    label: name of the node.
    place, velocity (n, 3): inertial components, m and m/s.
    attitude (n, 4): Euler parameters of the node axes, scalar first. While the arm is straight, the node axes are
        parallel to the hub axes.
    rate (n, 3): angular velocity in node axes, rad/s.
    """

    label: str
    place: Array
    velocity: Array
    attitude: Array
    rate: Array


def node_histories(run: "Run") -> list[NodeHistory]:
    """Return the motion of the hub and of every node, in the order of their labels.

    With two arms, the nodes are numbered as in Choi (2014, Figure 17): from the tip of the second arm inwards to the
    hub, then outwards along the first arm.

    run: run of a spacecraft with flexible arms. Root nodes are omitted, since they move with the hub.
    """
    from ...plant.elements.arm.node_motion import (
        hub_position,
        node_attitudes,
        node_positions,
        node_rates,
        node_velocities,
    )
    from ...plant.linear.vibration.mesh import arms_of

    craft, x = run.craft, np.asarray(run.x)
    every = zip(
        arms_of(craft),
        node_positions(craft, x),
        node_velocities(craft, x),
        node_attitudes(craft, x),
        node_rates(craft, x),
        strict=True,
    )
    hub: NodeHistory | None = None
    arms: list[list[NodeHistory]] = []
    for n, (arm, places, velocities, attitudes, rates) in enumerate(every, start=1):
        if hub is None:  # the root node has the rate of the hub
            place = hub_position(craft, x)
            velocity = velocities[:, 0] + np.cross(rates[:, 0], place - places[:, 0])
            hub = _history("hub", place, velocity, run.values("attitude"), rates[:, 0])
        own = conjugate(from_rotation_matrix(arm.frame))
        arms.append(
            [
                _history(
                    f"arm {n} node {i}",
                    places[:, i],
                    velocities[:, i],
                    quaternion_product(attitudes[:, i], own),
                    rates[:, i],
                )
                for i in range(1, arm.elements + 1)
            ]
        )
    assert hub is not None  # noqa: S101 # the caller has arms
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
    """Return the history of a node; its Euler parameters start with e0 >= 0 and never jump in sign.

    rate: angular velocity in inertial axes, rad/s.
    """
    e = attitude.copy()
    if e[0, 0] < 0.0:
        e[0] = -e[0]
    flips = np.cumprod(np.where((e[1:] * e[:-1]).sum(axis=1) < 0.0, -1.0, 1.0))
    e[1:] *= flips[:, None]
    turned = np.einsum("nij,ni->nj", rotation_matrix(e), rate)
    return NodeHistory(label=label, place=place, velocity=velocity, attitude=e, rate=turned)
