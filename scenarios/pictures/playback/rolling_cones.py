"""Body cone and space cone of a free axisymmetric body."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....plant import RigidBody
from ....plant.attitude import rotation_matrix
from ....plant.attitude.free_motion import AxisymmetricMotion, axisymmetric_motion

if TYPE_CHECKING:
    from ....sim import Run

Array = NDArray[np.float64]

CONSTANT = 1e-6
"""Largest relative change of momentum in a run that counts as free."""
EQUAL = 1e-6
"""Largest relative difference of the transverse moments of an axisymmetric body."""


def is_free(run: "Run", *, within: float = CONSTANT) -> bool:
    """Return whether the inertial momentum is constant, so that no external torque acts."""
    momentum = run.values("inertial_momentum")
    size = float(np.linalg.norm(momentum, axis=1).max(initial=0.0))
    return size > 0.0 and float(np.abs(momentum - momentum[0]).max()) <= within * size


def off_center(body: RigidBody) -> bool:
    """Return whether the body is held at a point other than its mass centre."""
    return body.pivot is not None and bool(np.asarray(body.pivot).any())


def cone_motion(run: "Run") -> tuple[AxisymmetricMotion, Array] | None:
    """Return the free motion of a rigid axisymmetric body and its symmetry axis; None if no cone rolls."""
    craft = run.craft
    if craft.elements or off_center(craft.body) or run.law is not None or not is_free(run):
        return None
    moments, axes = np.linalg.eigh(np.asarray(craft.body.central_inertia))
    gaps = np.diff(moments)
    if float(gaps.min()) > EQUAL * moments[2] or float(gaps.max()) <= EQUAL * moments[2]:
        return None
    n = 2 if gaps[0] < gaps[1] else 0
    rate, axis = run.values("rate")[0], axes[:, n]
    axis = axis if float(axis @ rate) >= 0.0 else -axis
    along = float(axis @ rate)
    across = float(np.linalg.norm(rate - along * axis))
    motion = axisymmetric_motion(float(moments[1]), float(moments[n]), rate=(across, 0.0, along))
    return None if motion.kind == "none" else (motion, axis)


def rolling_cones(run: "Run") -> dict[str, Any] | None:
    """Return the cones as a JSON-serialisable table; None if no cone rolls.

    The spacecraft must be rigid, axisymmetric and free. The body cone (half angle `body`, about `axis` in the body)
    rolls on the space cone (half angle `space`, about `momentum` in inertial space). The cones touch along the angular
    velocity.
    """
    found = cone_motion(run)
    if found is None:
        return None
    motion, axis = found
    momentum = rotation_matrix(run.values("attitude")[0]) @ run.values("momentum")[0]
    return {
        "kind": motion.kind,
        "axis": axis.tolist(),
        "momentum": (momentum / np.linalg.norm(momentum)).tolist(),
        "body": motion.body_cone,
        "space": motion.space_cone,
    }
