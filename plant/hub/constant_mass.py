"""Velocities for a batch of states if the mass matrix of hub and elements is constant."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .parameters import CONSTANT

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

Array = NDArray[np.float64]


def momenta_of(craft: "Spacecraft", states: Array) -> Array:
    """Return pi and p of states (n, nx), shape (n, 3 + k)."""
    return np.concatenate([states[:, :3], states[:, craft.layout.internal_momentum]], axis=1)


def velocities_of(craft: "Spacecraft", states: Array) -> Array | None:
    """Return omega and sdot of states, bitwise equal to `solve_velocities`, or None if M varies.

    states (n, nx): state vectors that do not include the ledger -> (n, 3 + k).
    """
    p = craft.pack()
    at = int(p[CONSTANT])
    if not at:
        return None
    internal = states[:, craft.layout.internal_momentum]
    m = 3 + internal.shape[1]
    momenta = np.empty((m, len(states)))
    momenta[:3], momenta[3:] = states[:, :3].T, internal.T
    inverse = p[at : at + m * m].reshape(m, m)
    total = inverse[:, :1] * momenta[0]
    part = np.empty_like(total)
    for k in range(1, m):  # same summation order as in the kernel
        total += np.multiply(inverse[:, k : k + 1], momenta[k], out=part)
    return total.T
