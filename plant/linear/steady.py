"""Checks that a state is steady and that the linear model along it is constant."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..brief import brief
from ..errors import EquilibriumError, InputError
from ..frozen import frozen_arrays
from ..hub.balanced import has_imbalance
from ..kernels.rotation import compose
from . import own_chart
from .deviations import Group, groups, ignorable

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

Array = NDArray[np.float64]

TOLERANCE = 1e-9  # rad or relative: a state counts as steady up to the rates of change that this state error causes
FLOOR = 1e-12  # relative rate of change, 1/s: far below any physical effect


@frozen_arrays
@dataclass(frozen=True, eq=False)
class Matrices:
    """Residual and matrices of a linear model at one time.

    residual (n,): rates of change beyond the steady motion.
    a, b, c, d: matrices of the model.
    rows: number of signals per output.
    """

    residual: Array
    a: Array
    b: Array
    c: Array
    d: Array
    rows: tuple[int, ...]

    __repr__ = brief

    def keeping(self, keep: list[int]) -> "Matrices":
        """Return the matrices with a selection of the states."""
        return Matrices(
            residual=self.residual[keep],
            a=self.a[np.ix_(keep, keep)],
            b=self.b[keep],
            c=self.c[:, keep],
            d=self.d,
            rows=self.rows,
        )


def require_finite(found: Matrices) -> None:
    """Raise InputError if an entry is not a finite number.

    found: the model. An entry is not finite if the equations of motion have no derivative at the state.
    """
    for part in (found.residual, found.a, found.b, found.c, found.d):
        if not np.isfinite(part).all():
            raise InputError(
                "the equations of motion have no finite derivative at this state: a spring with natural length or "
                "damping whose two points coincide, or a user function; move the state, or the two points apart"
            )


def require_steady(craft: "Spacecraft", x: Array, found: Matrices, *, t: float = 0.0) -> None:
    """Raise EquilibriumError if the state departs from the steady motion.

    x (nx,): the state; found: the model about it; t: the time, s. A state is steady if its rates of change do not
    exceed those that a state error of `TOLERANCE` would cause.
    """
    parts = groups(craft, x)
    cyclic = ignorable(craft)
    floor = np.concatenate([np.full(part.rows.stop - part.rows.start, FLOOR * part.size) for part in parts])
    share = sum(np.abs(found.a[:, part.rows]).max(axis=1) * part.met for part in parts)
    excess = np.abs(found.residual) - TOLERANCE * np.asarray(share) - floor
    excess[cyclic] = -1.0  # an ignorable coordinate need not be constant
    worst = int(np.argmax(excess / floor))
    if excess[worst] > 0.0:
        part = next(part for part in parts if worst < part.rows.stop)
        when = f"does not stay steady: at t = {t:.3g} s" if t else "is not steady:"
        values = ", ".join(f"{value:.6g}" for value in found.residual[part.rows])
        raise EquilibriumError(
            f"the state {when} the rate of the {part.words} is ({values}); linearise about rest, or about a spin "
            f"about a principal axis{_instead(craft)}"
        )


def _instead(craft: "Spacecraft") -> str:
    """Return a clause that names the wheels without imbalance, which rotate steadily; "" if all are balanced."""
    words = "; for rotating wheels with imbalance, use a spacecraft with their `balanced` wheels"
    return words if has_imbalance(craft) else ""


def turns(craft: "Spacecraft", x: Array) -> bool:
    """Return whether the body rate exceeds the rounding error of rotating wheels on a body at rest.

    A body at rest keeps its state, so the linear model along the motion is constant unless the equations depend on
    time.
    """
    return float(np.linalg.norm(craft.rate(x))) > FLOOR


def require_constant(craft: "Spacecraft", x: Array, here: Matrices, *, at: Callable[[Array, float], Matrices]) -> None:
    """Raise EquilibriumError unless the linear model stays the same along the steady motion.

    x (nx,): the state; here: the model about it at t = 0; at: at(x, t) returns the model about another state and time.
    Raises EquilibriumError if the motion does not stay steady, or a matrix entry changes.
    """
    omega = craft.rate(x)
    speed = float(np.linalg.norm(omega))
    speed = speed if speed > FLOOR else 0.0  # rotating wheels on a body at rest leave a rounding error
    times = (0.7 / speed, 1.9 / speed, 3.1 / speed) if speed > 0.0 else (1.0, 100.0)
    whole, tolerance = _whole(here), _tolerance(groups(craft, x), here, speed if speed > 0.0 else 1.0)
    for t in times:
        later = x.copy()
        if speed > 0.0:
            turn = np.concatenate([[np.cos(0.5 * speed * t)], np.sin(0.5 * speed * t) * omega / speed])
            later[3:7] = compose(*x[3:7], *turn)
            later[craft.layout.own] = own_chart.turned(craft, x, later[3:7])
        later_model = at(later, t)
        require_finite(later_model)
        change = np.abs(_whole(later_model) - whole)
        if (change > tolerance).any():
            raise EquilibriumError(
                f"the linear model varies in time along this motion (an entry changes by {change.max():.3g} within "
                f"{t:.3g} s), as it does {_cause(craft)}"
            )
        require_steady(craft, later, later_model, t=t)


def _cause(craft: "Spacecraft") -> str:
    """Return a clause that says why the model varies with time, and the remedy."""
    if craft.time_dependent:
        return (
            "under the gravity gradient of a prescribed orbit, which rotates relative to an inertially fixed attitude; "
            "use a spacecraft without that potential, or one that translates"
        )
    return (
        "when a spinning spacecraft is driven in an inertial or Euler basis, is in a fixed field, or has inertial "
        "outputs; use the body basis or other outputs"
    )


def _whole(found: Matrices) -> Array:
    return np.vstack([np.hstack([found.a, found.b]), np.hstack([found.c, found.d])])


def _tolerance(parts: tuple[Group, ...], here: Matrices, rate: float) -> Any:
    """Return the largest accepted change of each entry.

    The tolerance is 1e-9 times the largest scaled entry of its block plus 1e-13 times the largest scaled entry of all
    blocks. The second term matters for blocks that are zero to rounding. Rows of an output are scaled by that output.
    """
    n = len(here.a)
    pace = [1.0 if number % 2 == 0 else rate for number in range(len(parts))]  # momenta scale with the rate
    spans = [part.rows.stop - part.rows.start for part in parts]
    units = np.concatenate(
        [np.full(span, part.size * speed) for part, span, speed in zip(parts, spans, pace, strict=True)]
    )
    whole = _whole(here)
    columns = np.concatenate([units, np.full(whole.shape[1] - n, parts[1].size * rate * rate)])
    inputs = [
        slice(n, n + 3),
        *(slice(k, k + 1) for k in range(n + 3, whole.shape[1])),
    ]  # inputs on coordinates have different units
    sizes = np.abs(whole) * columns
    top = sizes[:n] / (units * rate)[:, None]
    tolerance = np.empty_like(sizes)
    start = 0
    for count in (*spans, *here.rows):
        rows = slice(start, start + count)
        least = 1e-13 * (float(top.max()) * units[rows, None] * rate if start < n else float(sizes[rows].max()))
        for block in (*(part.rows for part in parts), *inputs):
            tolerance[rows, block] = 1e-9 * sizes[rows, block].max() + least
        start += count
    return tolerance / columns
