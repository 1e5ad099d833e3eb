"""Whether a state is steady, and whether the linear model along it stays the same."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..dynamics import body_rate
from ..errors import EquilibriumError, InputError
from ..rotation import compose

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

__all__ = ["Matrices", "require_constant", "require_finite", "require_steady"]

Array = NDArray[np.float64]

TOLERANCE = 1e-9  # rad, and share of momentum and position: how far from steady a state may be and pass for it
FLOOR = 1e-12  # of the craft's own units per second: far below anything that acts
GROUPS = ("attitude error (rad/s)", "momentum (N m)", "position (m/s)", "linear momentum (N)")


@dataclass(frozen=True, eq=False)
class Matrices:
    """Residual and matrices of a linear model at one moment.

    Parameters
    ----------
    residual : numpy.ndarray, shape (n,)
        The rates of change beyond the steady motion.
    a, b, c, d : numpy.ndarray
        The matrices.
    rows : tuple of int
        How many signals each output has.
    """

    residual: Array
    a: Array
    b: Array
    c: Array
    d: Array
    rows: tuple[int, ...]


def require_finite(found: Matrices) -> None:
    """Raise when an entry is not a finite number.

    Parameters
    ----------
    found : Matrices
        The model.

    Raises
    ------
    InputError
        When the equations of motion have no derivative at the state.
    """
    for part in (found.residual, found.a, found.b, found.c, found.d):
        if not np.isfinite(part).all():
            raise InputError(
                "the equations of motion have no finite derivative at this state: a spring with natural length or "
                "damping whose two points coincide, or a function of your own; move the state or the points apart"
            )


def require_steady(craft: "Spacecraft", x: Array, found: Matrices, *, t: float = 0.0) -> None:
    """Raise when the state moves away from the steady motion.

    Parameters
    ----------
    craft : Spacecraft
        The plant.
    x : numpy.ndarray, shape (7,) or (13,)
        The state.
    found : Matrices
        The model about it.
    t : float
        The time, s.

    Raises
    ------
    EquilibriumError
        When a rate of change is larger than a state off by `TOLERANCE` would have.
    """
    inertia, length, mass = _units(craft)
    # How far each group may be off, and its floor: rad, N m s, m, kg m/s.
    off = [1.0, float(np.linalg.norm(x[:3])), float(np.linalg.norm(x[7:10])) + length, float(np.linalg.norm(x[10:]))]
    floor = FLOOR * np.repeat([1.0, inertia, length, mass * length], 3)[: len(found.residual)]
    groups = range(len(found.residual) // 3)
    share = sum(np.abs(found.a[:, 3 * g : 3 * g + 3]).max(axis=1) * off[g] for g in groups)
    excess = np.abs(found.residual) - TOLERANCE * np.asarray(share) - floor
    worst = int(np.argmax(excess / floor))
    if excess[worst] > 0.0:
        group = worst // 3
        when = f"does not stay steady: at t = {t:.3g} s" if t else "is not steady:"
        parts = ", ".join(f"{value:.6g}" for value in found.residual[3 * group : 3 * group + 3])
        raise EquilibriumError(
            f"the state {when} the rate of the {GROUPS[group]} is ({parts}); linearise about a rest or a spin "
            "about a principal axis, or ask with allow_nonequilibrium=True"
        )


def require_constant(craft: "Spacecraft", x: Array, here: Matrices, *, at: Callable[[Array, float], Matrices]) -> None:
    """Compare the model further along the steady motion: one that varies in time is no model.

    Parameters
    ----------
    craft : Spacecraft
        The plant.
    x : numpy.ndarray, shape (7,) or (13,)
        The state.
    here : Matrices
        The model about it at t = 0.
    at : callable
        The model at(x, t) about another state at another time.

    Raises
    ------
    EquilibriumError
        When the motion does not stay steady, or an entry of a matrix changes.
    """
    omega = np.array(body_rate(x, craft.pack()))
    speed = float(np.linalg.norm(omega))
    times = (0.7 / speed, 1.9 / speed, 3.1 / speed) if speed > 0.0 else (1.0, 100.0)
    whole, tolerance = _whole(here), _tolerance(craft, here, speed if speed > 0.0 else 1.0)
    for t in times:
        later = x.copy()
        if speed > 0.0:
            turn = np.concatenate([[np.cos(0.5 * speed * t)], np.sin(0.5 * speed * t) * omega / speed])
            later[3:7] = compose(*x[3:7], *turn)
        found = at(later, t)
        require_finite(found)
        change = np.abs(_whole(found) - whole)
        if (change > tolerance).any():
            raise EquilibriumError(
                f"along this motion the linear model varies in time (an entry changes by {change.max():.3g} within "
                f"{t:.3g} s), as it does when a spinning craft is driven in an inertial or Euler basis, sits in a "
                "fixed field, or puts out inertial components; take the body basis, other outputs, or ask with "
                "allow_nonequilibrium=True"
            )
        require_steady(craft, later, found, t=t)


def _units(craft: "Spacecraft") -> tuple[float, float, float]:
    """The craft's own inertia (kg m^2), length (m) and mass (kg)."""
    inertia = float(np.linalg.eigvalsh(craft.body.inertia).max())
    mass = craft.body.mass
    return (inertia, 1.0, inertia) if mass is None else (inertia, float(np.sqrt(inertia / mass)), mass)


def _whole(found: Matrices) -> Array:
    return np.vstack([np.hstack([found.a, found.b]), np.hstack([found.c, found.d])])


def _tolerance(craft: "Spacecraft", here: Matrices, rate: float) -> Any:
    """By how much each entry may change: 1e-9 of its block, or 1e-13 of all, in the craft's own units.

    The second is for a block that is zero but for rounding. The rows of an output have its own unit.
    """
    inertia, length, mass = _units(craft)
    n = len(here.a)
    units = np.repeat([1.0, inertia * rate, length, mass * length * rate], 3)[:n]
    columns = np.concatenate([units, np.full(3, inertia * rate * rate)])
    sizes = np.abs(_whole(here)) * columns
    top = sizes[:n] / (units * rate)[:, None]
    tolerance = np.empty_like(sizes)
    start = 0
    for count in (*(3 for _ in range(n // 3)), *here.rows):
        rows = slice(start, start + count)
        least = 1e-13 * (float(top.max()) * units[rows, None] * rate if start < n else float(sizes[rows].max()))
        for left in range(0, n + 3, 3):
            block = slice(left, left + 3)
            tolerance[rows, block] = 1e-9 * sizes[rows, block].max() + least
        start += count
    return tolerance / columns
