"""Static shapes of arms on a held hub, of any size."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..attitude import from_rotation_vector, quaternion_product
from ..checks import vector
from ..elements.arm import arm_layout as at
from ..elements.arm.arm import Arm
from ..elements.arm.beam_element import element_sweep
from ..elements.branch import branches
from ..errors import EquilibriumError, InputError
from ..one_thread import one_thread
from .matrices import arm_pose, arm_stiffness
from .mesh import require_arms

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

__all__ = ["static_shape"]

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
    """Return the state of a craft at rest, bent by a dead load at the tip of one arm while the hub is held.

    Newton's method with the exact tangent; the load is brought on in equal increments, of which a large deflection
    needs several.

    Parameters
    ----------
    craft : Spacecraft
        With flexible arms.
    arm : int
        Which arm, from 0.
    force : array_like, shape (3,)
        Hub axes, N; it keeps its direction.
    moment : array_like, shape (3,)
        Hub axes, N m; it keeps its direction.
    increments : int
        Steps of the load.
    tolerance : float
        The last correction, in shares of the arm's length.

    Returns
    -------
    numpy.ndarray, shape (nx,)
        The state `at_rest`, attitude (1, 0, 0, 0), with that arm in its static shape.

    Raises
    ------
    InputError
        When the craft has no such arm.
    EquilibriumError
        When the iteration finds no shape.
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
            held = slice(6, None)  # place and turn of the root are the hub's
            tangent = arm_stiffness(chosen, own, pose)[held, held]
            change: Array = np.asarray(np.linalg.solve(tangent, residual[held]), dtype=np.float64)
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
                f"no static shape found at {step} of {increments} increments of the load; take more increments"
            )
    x[here] = q
    return x


def _place(craft: "Spacecraft", number: int) -> slice:
    """Where the positions of an arm stand in the state."""
    places: list[slice] = []
    first = craft.layout.own.start
    for branch in branches(craft.elements):
        if isinstance(branch, Arm):
            places.append(slice(first, first + 1 + 8 * branch.elements))
        first += len(branch.states)
    return places[number]


def _forces(arm: Arm, own: Array, pose: Array) -> Array:
    """What the strains do to all nodes at rest, the root's force, moment and strain first."""
    still, momenta, forces = (np.zeros((arm.elements + 1, 7)) for _ in range(3))
    for i in range(arm.elements):
        element_sweep(own, at.HEADER_SIZE, i, pose, still, momenta, forces)
    return forces.ravel()


def _moved(q: Array, change: Array) -> Array:
    """Positions of an arm after small places, turns and strains of its nodes, and the strain of its root."""
    q = q.copy()
    q[0] += change[0]
    nodes, moves = q[1:].reshape(-1, 8), change[1:].reshape(-1, 7)
    for node, move in zip(nodes, moves, strict=True):
        node[:3] += move[:3]
        e = quaternion_product(from_rotation_vector(move[3:6]), node[3:7])
        node[3:7] = e / np.sqrt(e @ e)
        node[7] += move[6]
    return q
