"""Positions and velocities of an undeformed satellite."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..attitude import from_rotation_matrix, quaternion_product, rotation_matrix

if TYPE_CHECKING:
    from .satellite import FlexibleSatellite

__all__ = ["rigid_velocities", "straight_positions"]

Array = NDArray[np.float64]


def straight_positions(satellite: "FlexibleSatellite", e: Array, position: Array) -> Array:
    """Return q of the undeformed satellite: attitude e of the hub, mass centre at `position`, m."""
    turn = rotation_matrix(e)
    hub = position - turn @ satellite.mass_centre
    q = [*hub, *e]
    for arm in satellite.arms:
        q.append(0.0)
        own = quaternion_product(e, from_rotation_matrix(arm.frame))
        for i in range(1, arm.elements + 1):
            place = np.asarray(arm.root) + i * arm.element_length * np.asarray(arm.direction)
            q += [*(hub + turn @ place), *own, 0.0]
    return np.array(q, dtype=np.float64)


def rigid_velocities(satellite: "FlexibleSatellite", q: Array, rate: Array, *, velocity: Array) -> Array:
    """Return nu of a satellite that turns as one at `rate` (hub axes) while its mass centre moves at `velocity`."""
    turn = rotation_matrix(q[3:7])
    omega = turn @ rate
    centre = q[:3] + turn @ satellite.mass_centre
    nu = [*(velocity + np.cross(omega, q[:3] - centre)), *omega]
    at = 7
    for arm in satellite.arms:
        nu.append(0.0)
        at += 1
        for _ in range(arm.elements):
            nu += [*(velocity + np.cross(omega, q[at : at + 3] - centre)), *omega, 0.0]
            at += 8
    return np.array(nu, dtype=np.float64)
