"""Static shapes of arms on a fixed hub, with large deflections."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...attitude import from_rotation_vector, quaternion_product
from ...checks import vector
from ...elements.arm import arm_layout as at
from ...elements.arm.arm import Arm
from ...elements.arm.beam_element import element_sweep
from ...elements.branch import branches
from ...errors import EquilibriumError, InputError
from ...one_thread import one_thread
from .matrices import arm_pose, arm_stiffness
from .mesh import require_arms

if TYPE_CHECKING:
    from ...spacecraft import Spacecraft

Array = NDArray[np.float64]


@one_thread
def static_shape(
    craft: "Spacecraft",
    *,
    arm: int = 0,
    force: ArrayLike = (0.0, 0.0, 0.0),
    moment: ArrayLike = (0.0, 0.0, 0.0),
    increments: int = 1,
    tolerance: float = 1e-12,
) -> Array:
    """Return the state at rest with one arm bent by a dead load at its tip, on a fixed hub.

    Newton's method is applied with the exact tangent stiffness. The load is applied in equal increments; large
    deflections need several of them.

    Parameters
    ----------
    craft : Spacecraft
        Spacecraft with flexible arms.
    arm : int
        Index of the arm, from 0.
    force : array_like, shape (3,)
        Force on the tip, hub axes, N; its direction is constant.
    moment : array_like, shape (3,)
        Moment on the tip, hub axes, N m; its direction is constant.
    increments : int
        Number of load increments.
    tolerance : float
        Largest accepted correction in the last iteration, relative to the arm's length.

    Returns
    -------
    numpy.ndarray, shape (nx,)
        The state `at_rest`, attitude (1, 0, 0, 0), with the selected arm in its static shape.

    Raises
    ------
    InputError
        When the spacecraft has no such arm.
    EquilibriumError
        When the iteration does not converge.
    """
    arms = require_arms(craft)
    if not 0 <= arm < len(arms):
        raise InputError(f"arm must be 0 to {len(arms) - 1}; got {arm}")
    chosen, x = arms[arm], craft.at_rest()
    here = _place(craft, arm)
    load = np.concatenate((vector("force", force, unit="N"), vector("moment", moment, unit="N m"), (0.0,)))
    offset = np.zeros(3) if craft.body.pivot is None else -np.asarray(craft.body.pivot)
    own, q = np.array(chosen.pack(offset)), x[here]
    for step in range(1, increments + 1):
        for _ in range(60):
            pose = arm_pose(chosen, own, q)
            residual = _forces(chosen, own, pose)
            residual[-7:] += load * step / increments
            free = slice(6, None)  # the hub fixes position and rotation of the root
            tangent = arm_stiffness(chosen, own, pose)[free, free]
            change: Array = np.asarray(np.linalg.solve(tangent, residual[free]), dtype=np.float64)
            size = float(np.abs(change).max())
            if not np.isfinite(size):
                break
            change *= min(1.0, 0.5 / size) if size > 0.0 else 1.0
            q = _moved(q, change)
            if size <= tolerance * chosen.length:
                break
        else:
            size = np.inf
        if not np.isfinite(size):
            raise EquilibriumError(
                f"no static shape found at {step} of {increments} increments of the load; use more increments"
            )
    x[here] = q
    return x


def _place(craft: "Spacecraft", number: int) -> slice:
    """Return the slice of an arm's positions in the state vector."""
    places: list[slice] = []
    first = craft.layout.own.start
    for branch in branches(craft.elements):
        if isinstance(branch, Arm):
            places.append(slice(first, first + 1 + 8 * branch.elements))
        first += len(branch.states)
    return places[number]


def _forces(arm: Arm, own: Array, pose: Array) -> Array:
    """Return the generalised forces of the strains on all nodes at rest, the root first."""
    still, momenta, forces = (np.zeros((arm.elements + 1, 7)) for _ in range(3))
    for i in range(arm.elements):
        element_sweep(own, at.HEADER_SIZE, i, pose, still, momenta, forces)
    return forces.ravel()


def _moved(q: Array, change: Array) -> Array:
    """Return the positions of an arm after small displacements, rotations and strains of its nodes."""
    q = q.copy()
    q[0] += change[0]
    nodes, moves = q[1:].reshape(-1, 8), change[1:].reshape(-1, 7)
    for node, move in zip(nodes, moves, strict=True):
        node[:3] += move[:3]
        e = quaternion_product(from_rotation_vector(move[3:6]), node[3:7])
        node[3:7] = e / np.sqrt(e @ e)
        node[7] += move[6]
    return q
