"""Jacobian of a plant by finite differences, accurate enough to estimate the fastest rates."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...plant import Spacecraft, TorquePulse
from ...plant.hub.dynamics import derivative

Array = NDArray[np.float64]


def slope(craft: Spacecraft, x: Array, *, t: float, u: Array, pulses: Sequence[TorquePulse] = ()) -> Array:
    """Return d(dx/dt)/dx at a state and input, (nx, nx); not finite if the plant has no derivative."""
    n = craft.layout.size
    p, w, user = craft.pack(tuple(pulses)), craft.work_space(), craft.user_loads()
    size = np.maximum(np.abs(x), 1e-3)  # typical size of each entry, so that all relative steps are equal
    size[:3] = max(float(np.abs(x[:3]).max()), 1e-3 * float(np.trace(craft.body.inertia)))
    size[3:7] = 1.0
    columns = np.zeros((n, n))
    with np.errstate(all="ignore"):
        for k in range(n):
            step = np.zeros(n)
            step[k] = 1e-6 * size[k]
            sides = np.zeros((2, n))
            for side, state in zip(sides, (x + step, x - step), strict=True):
                derivative(t, state, u, p, side, user, w)
            columns[k] = (sides[0] - sides[1]) / (2.0 * step[k])
    return columns.T
