"""Newton's method for relative equilibria, of least norm where they come in families."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .reduced import Reduced, Slopes, held_wheels

__all__ = ["Target", "solve"]

Array = NDArray[np.float64]

ITERATIONS = 80
ACCEPTED = 1e-10  # of the craft's own units: what rounding leaves is 1e-13 or so
LARGEST_STEP = 0.3  # rad, and share of the momentum
CUT = 1e-10  # singular values below this share of the largest are a family's directions


@dataclass(frozen=True, kw_only=True)
class Target:
    """How fast the spin is to be: a rate (rad/s) or a momentum (N m s).

    Parameters
    ----------
    rate : float or None
        |omega|.
    momentum : float or None
        |pi|, where the rate is not given.
    """

    rate: float | None
    momentum: float | None

    def missed(self, found: Slopes, z: Array) -> tuple[float, Array]:
        """By what share the spin misses it, and the derivative of that.

        found: at z; z: pi, s, p -> value: (|omega|/rate)^2 - 1, halved.
        """
        if self.rate is not None:
            omega = found.velocities[:3]
            square = self.rate**2
            return 0.5 * (float(omega @ omega) / square - 1.0), (omega @ found.b[:3]) / square
        square = (self.momentum or 1.0) ** 2
        slope = np.zeros(len(z))
        slope[:3] = z[:3] / square
        return 0.5 * (float(z[:3] @ z[:3]) / square - 1.0), slope


def solve(system: Reduced, z: Array, *, target: Target) -> tuple[Array, float]:
    """Return the steady spin near z, and what is left of its rates.

    All of pi' = 0, p' = 0, sdot = 0, and sdot = what the element says for a frictionless wheel. Where the equations
    leave a direction open (a full ring, a symmetric body) the shortest step is taken.

    system: the craft; z (3 + k + n,): where to start; target: how fast -> z, the best point found; residual, the
    largest rate of change there in the craft's own units: the share of momentum per radian of spin, and so on.
    """
    momentum = system.momenta
    held = held_wheels(system, system.slopes(z))
    best, least, stalled = z, np.inf, 0
    for _ in range(ITERATIONS):
        found = system.slopes(z)
        speed = max(float(np.linalg.norm(found.velocities[:3])), 1e-300)
        units = system.scales * speed**momentum
        errors, matrix = _equations(system, found, held)
        value, slope = target.missed(found, z)
        rows = _rows(units, speed, held)
        errors = np.append(errors / rows, value)
        matrix = np.vstack([matrix / rows[:, None], slope]) * units
        residual = float(np.abs(errors).max())
        if not np.isfinite(residual):
            break
        stalled = stalled + 1 if residual > 0.5 * least else 0
        if residual < least:
            best, least = z, residual
        if least < 1e-15 or (stalled > 1 and least < ACCEPTED) or stalled > 20:
            break
        step = np.linalg.lstsq(matrix, -errors, rcond=CUT)[0]
        z = z + units * step * min(1.0, LARGEST_STEP / max(float(np.abs(step).max()), 1e-300))
    return best, least


def _equations(system: Reduced, found: Slopes, held: NDArray[np.int64]) -> tuple[Array, Array]:
    """What must be zero, and its derivatives: all rates, and how far the held wheels are from their rates."""
    wanted = system.craft.initial_rates[held]
    return (
        np.concatenate([found.rates, found.velocities[3 + held] - wanted]),
        np.vstack([found.a, found.b[3 + held]]),
    )


def _rows(units: Array, speed: float, held: NDArray[np.int64]) -> Array:
    """The unit of each equation."""
    return np.concatenate([units * speed, np.full(len(held), speed)])
