"""Shape of a flexible arm: its nodes in body axes."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...attitude import rotation_matrix
from ..shape import ElementMotion, Shape
from .arm_layout import NODE

if TYPE_CHECKING:
    from .arm import Arm

Array = NDArray[np.float64]


def arm_shape(arm: "Arm", motion: ElementMotion) -> Shape:
    """Return an arm as a beam through its nodes, body components, from the mass centre of the hub.

    The states of a node are its position relative to the reference point of the hub and its Euler parameters, both
    inertial. The root is computed from the hub's state. The beam's side vector is the axis n of each section.
    """
    frame, root = arm.frame, np.asarray(arm.root, dtype=np.float64)
    count = len(motion.states)
    nodes = motion.states[:, 1 : 1 + NODE.size * arm.elements].reshape(count, arm.elements, NODE.size)
    turn = rotation_matrix(motion.attitude)  # R: body to inertial, so the row vector v R equals R' v
    places = nodes[..., NODE.position : NODE.position + 3] @ turn - motion.offset
    e = nodes[..., NODE.attitude : NODE.attitude + 4]
    e = e / np.linalg.norm(e, axis=-1, keepdims=True)
    sides = rotation_matrix(e.reshape(-1, 4))[:, :, 2].reshape(count, arm.elements, 3) @ turn
    first = np.broadcast_to(root, (count, 1, 3)), np.broadcast_to(frame[:, 2], (count, 1, 3))
    along = np.arange(arm.elements + 1)[:, None] * arm.element_length * np.asarray(arm.direction)
    return Shape(
        kind="beam",
        center=root.tolist(),
        axis=np.asarray(arm.direction).tolist(),
        across=frame[:, 2].tolist(),
        mass=arm.mass,
        length=arm.length,
        points=np.concatenate((first[0], places), axis=1),
        sides=np.concatenate((first[1], sides), axis=1),
        rest=root + along,
    )
