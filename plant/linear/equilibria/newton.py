"""Newton's method for relative equilibria, with minimum-norm steps if the equilibria form families."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .reduced import Reduced, Slopes, held_wheels

Array = NDArray[np.float64]

ITERATIONS = 80
ACCEPTED = 1e-10  # largest accepted scaled residual of a solution; rounding causes about 1e-13
LARGEST_STEP = 0.3  # rad, or relative to the momentum
CUT = 1e-10  # relative singular value below which a direction belongs to a family


@dataclass(frozen=True, kw_only=True)
class Target:
    """Required spin: a rate (rad/s) or a momentum (N m s).

    Parameters
    ----------
    rate : float or None
        |omega|, rad/s.
    momentum : float or None
        |pi|, N m s, if the rate is None.
    """

    rate: float | None
    momentum: float | None

    def missed(self, found: Slopes, z: Array) -> tuple[float, Array]:
        """Return the relative deviation of the spin from the target, and its gradient.

        found: velocities and derivatives at z; z: pi, s, p -> half of (|omega|/rate)^2 - 1, or of (|pi|/momentum)^2 -
        1; its gradient.
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
    """Return the steady spin near z and its residual.

    The equations are pi' = 0, p' = 0, sdot = 0 and, for a frictionless wheel, sdot equal to the initial rate. If they
    leave a direction undetermined (a full ring, a symmetric body), the minimum-norm step is taken.

    system: the spacecraft; z (3 + k + n,): start; target: required spin -> z, the best point; residual, the largest
    scaled rate of change at z, such as relative momentum per radian of spin.
    """
    momentum = system.momenta
    held = held_wheels(system, system.slopes(z))
    best, least, stalled = z, np.inf, 0
    for _ in range(ITERATIONS):
        derivatives = system.slopes(z)
        speed = max(float(np.linalg.norm(derivatives.velocities[:3])), 1e-300)
        units = system.scales * speed**momentum
        errors, matrix = _equations(system, derivatives, held)
        value, slope = target.missed(derivatives, z)
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
    """Return residuals and their derivatives: all rates, and the rate errors of the held wheels."""
    prescribed = system.craft.initial_rates[held]
    return (
        np.concatenate([found.rates, found.velocities[3 + held] - prescribed]),
        np.vstack([found.a, found.b[3 + held]]),
    )


def _rows(units: Array, speed: float, held: NDArray[np.int64]) -> Array:
    """Return the scale of each equation."""
    return np.concatenate([units * speed, np.full(len(held), speed)])
