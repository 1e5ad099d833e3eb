"""Nutation angle of a run, and rates of the internal coordinates."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...plant.hub.constant_mass import velocities_of
from ...plant.hub.dynamics import body_rate
from ...plant.hub.parameters import W_V
from ...plant.hub.work_of import AT_ONCE, work_of
from .row_norms import row_norms

if TYPE_CHECKING:
    from ...plant import Spacecraft

Array = NDArray[np.float64]


def spin_axis(craft: "Spacecraft", x: Array) -> Array:
    """Return the principal axis closest to the momentum, for the spacecraft with locked elements.

    x (nx,): state -> (3,): unit vector, body components, with a positive component along the momentum. If moments
    are equal, the axis is the direction in their eigenspace closest to the momentum; for a sphere, it is the direction
    of the momentum.
    """
    moments, axes = np.linalg.eigh(craft.locked_inertia(x))
    equal = np.abs(moments[:, None] - moments[None, :]) < 1e-9 * moments[-1]
    shadows = [axes[:, same] @ (axes[:, same].T @ x[:3]) for same in equal]
    best = max(shadows, key=lambda shadow: float(shadow @ shadow))
    size = float(np.linalg.norm(best))
    return best / size if size > 0.0 else axes[:, -1]


def nutation(craft: "Spacecraft", states: Array, *, start: Array) -> Array:
    """Return the angle between angular momentum and the principal axis nearest to it at t = 0.

    states (n, nx): a trajectory; start (nx,): state at t = 0, which determines the axis (see `spin_axis`) -> (n,): rad,
    0 to pi.
    """
    axis = spin_axis(craft, start)
    momentum = states[:, :3]
    across = row_norms(np.cross(momentum, axis))
    return np.arctan2(across, momentum @ axis)


def internal_rates(craft: "Spacecraft", states: Array) -> Array:
    """Return the rates of the internal coordinates along a trajectory.

    states (n, nx) -> (n, k): rates relative to the hub, rad/s or m/s.
    """
    rates = velocities_of(craft, states)
    if rates is not None:
        return rates[:, 3:]
    p, u = craft.pack(), np.zeros(3)
    start, count = int(p[W_V]) + 3, len(craft.layout.coordinates)
    found = np.zeros((len(states), count))
    for row in range(0, len(states), AT_ONCE):
        some = slice(row, row + AT_ONCE)
        w = work_of(craft, states[some], lambda x, w: body_rate(0.0, x, u, p, w))
        found[some] = w[:, start : start + count]
    return found
