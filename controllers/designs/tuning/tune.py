"""Tune parameters to meet goals on the loops of several models, from several starting points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.checks import numbers
from ....plant.errors import DesignError, InputError, PolhodeError
from ....plant.frozen import frozen_arrays
from ....plant.one_thread import one_thread
from .goals import Goal, PoleRadius
from .minimax import Minimum, Row, Rows, minimise_largest
from .point import LoopAt, Point

Array = NDArray[np.float64]

MET = 1e-6  # relative violation that is attributed to rounding in the search
STABLE = 0.999  # spectral radius at which the rows of the stabilising search are zero
GROWTH = 1e-3  # smallest excess of the spectral radius over 1 that scales these rows
FLAT = 1e-6  # weight of the squared distance from the start, which decides only if the goals do not
SPREAD = 0.4  # standard deviation of the starts around the first, in scaled parameters


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Tuned:
    """Result of tuning.

    Attributes
    ----------
    x : numpy.ndarray, shape (n,)
        Parameters reached from the best start.
    met : bool
        Whether every hard goal is met.
    objective : float
        Largest soft row, relative to its bound; 0 if there are no soft goals.
    violation : float
        Largest relative violation of a hard goal.
    values : tuple of float
        Largest row of each hard goal: 1 at its bound, below 1 if the goal is met with a margin.
    active : tuple of int
        Indices of the hard goals that limit the objective, by decreasing multiplier; if a goal is not met, indices of
        the conflicting goals.
    starts : tuple of (float, float)
        Objective and violation reached from each start; infinite if no stable loop was found.
    steps : int
        Total number of steps from all starts.
    interrupted : bool
        Whether Ctrl-C ended the search.
    """

    x: Array
    met: bool
    objective: float
    violation: float
    values: tuple[float, ...]
    active: tuple[int, ...]
    starts: tuple[tuple[float, float], ...]
    steps: int
    interrupted: bool


@one_thread
def tune_loops(
    models: Sequence[LoopAt],
    start: ArrayLike,
    *,
    low: ArrayLike,
    high: ArrayLike,
    hard: Sequence[Goal],
    soft: Sequence[Goal] = (),
    origin: ArrayLike | None = None,
    starts: int = 3,
    seed: int = 0,
    steps: int = 80,
    progress: Callable[[float, float, float], None] | None = None,
) -> Tuned:
    """Meet the hard goals on every model, and minimise the largest soft goal subject to them.

    A nonsmooth sequential quadratic program runs from the given start and from random starts around it. If a start is
    not stable, the largest modulus of the poles is minimised first. The best result of all starts is returned: a local
    minimum that need not be global.

    Parameters
    ----------
    models : sequence of callable
        `model(x)` returns the sampled loop of a model with parameters x, or raises a `PolhodeError` if no loop exists.
        The first model is the nominal one.
    start : array_like, shape (n,)
        Initial parameters, scaled such that a change of one is large, for example logarithms.
    low, high : array_like, shape (n,)
        Bounds.
    hard : sequence of Goal
        Goals that must be met.
    soft : sequence of Goal
        Goals whose largest row is minimised. If there are no soft goals, the change from `origin` is minimised.
    origin : array_like, shape (n,), optional
        Parameters from which the change is measured; by default `start`.
    starts : int
        Number of starts.
    seed : int
        Seed of the random starts; the same seed gives the same result.
    steps : int
        Largest number of steps of each start.
    progress : callable, optional
        Called after each step with the completed fraction, the objective and the violation.

    Returns
    -------
    Tuned
        The best result. Ctrl-C ends the search and returns the best result so far.

    Raises
    ------
    InputError
        When the bounds are not in order, the start is outside the bounds, or no start gives stable loops.
    DesignError
        When a goal has no value at the start, such as a frequency band above the Nyquist frequency.
    KeyboardInterrupt
        When Ctrl-C is pressed before the first step.

    Examples
    --------
    >>> from polhode import controllers, plant
    >>> from polhode.controllers.designs.tuning import SensitivityPeaks
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> model = craft.linearize(craft.at_rest())
    >>> def loop(x):
    ...     q, r = np.exp(x)
    ...     return controllers.lqr(model, attitude=q, rate=r, effort=1.0, sample=0.1, delay=0.2).loop()
    >>> goal = SensitivityPeaks(bound=2.0)
    >>> found = tune_loops([loop], [0.0, 0.0], low=[-4, -4], high=[4, 4], hard=[goal], starts=1)
    >>> found.met, round(controllers.sensitivity_peaks(controllers.open_loop(loop(found.x)))[0].peak_dB, 2)
    (True, 2.0)
    """
    x0, lower, upper = (numbers(name, each) for name, each in (("start", start), ("low", low), ("high", high)))
    if x0.ndim != 1 or lower.shape != x0.shape or upper.shape != x0.shape or not x0.size:
        raise InputError(
            f"start, low and high need one entry each; got shapes {x0.shape}, {lower.shape}, {upper.shape}"
        )
    if (lower >= upper).any():
        n = int(np.argmax(lower >= upper))
        raise InputError(f"bounds of parameter {n} are not in order: {lower[n]:g} and {upper[n]:g}")
    if ((x0 < lower) | (x0 > upper)).any():
        n = int(np.argmax((x0 < lower) | (x0 > upper)))
        raise InputError(f"the start of parameter {n}, {x0[n]:g}, is outside its bounds {lower[n]:g} and {upper[n]:g}")
    search = _Search(models, hard, soft, x0 if origin is None else numbers("origin", origin), lower, upper)
    random = np.random.default_rng(seed)
    shifts = [np.zeros(len(x0)), *(SPREAD * random.standard_normal((max(starts, 1) - 1, len(x0))))]
    best: Minimum | None = None
    stable: Array | None = None
    reached: list[tuple[float, float]] = []
    many = 0
    interrupted = False
    for number, shift in enumerate(shifts):
        taken = [0]

        def tell(x: Array, top: float, violation: float, number: int = number, taken: list[int] = taken) -> None:
            del x
            taken[0] += 1
            if progress is not None:
                progress((number + min(taken[0] / steps, 1.0)) / len(shifts), top, violation)

        try:
            first = search.stabilised(np.clip(x0 + shift, lower, upper), lower, upper)
        except KeyboardInterrupt:
            interrupted = True
            break
        found = None
        if first is not None:
            stable = first
            found = minimise_largest(search.rows, first, low=lower, high=upper, most=steps, progress=tell)
        if found is None:
            reached.append((inf, inf))
            continue
        many += found.steps
        reached.append((found.rows.top, found.rows.violation))
        if best is None or _better(found, best):
            best = found
        if found.interrupted:
            interrupted = True
            break
    if best is None and interrupted:
        raise KeyboardInterrupt
    if best is None and stable is not None:
        search.every_row(search.point(stable), gradients=False)  # raises the error of a goal without a value
    if best is None:
        raise InputError(
            f"none of {len(shifts)} starts has a stable loop within the bounds of the free parameters; begin with a "
            "law that stabilises every model, or widen the bounds"
        )
    return search.result(best, tuple(reached), many, interrupted=interrupted)


def _better(one: Minimum, other: Minimum) -> bool:
    """Return whether `one` is better: smaller violation, or equal violation and smaller objective."""
    a, b = (0.0 if each.rows.violation <= MET else each.rows.violation for each in (one, other))
    return a < b or (a == b and one.rows.top < other.rows.top - 1e-9)


class _Search:
    """Rows of all goals as a function of the parameters."""

    def __init__(
        self,
        models: Sequence[LoopAt],
        hard: Sequence[Goal],
        soft: Sequence[Goal],
        x0: Array,
        low: Array,
        high: Array,
    ) -> None:
        self.models, self.hard, self.soft, self.x0, self.low, self.high = models, hard, soft, x0, low, high
        self._last: Point | None = None

    def point(self, x: Array) -> Point:
        """Return the point at x, reusing the last point if x is the same."""
        if self._last is None or not np.array_equal(self._last.x, x):
            self._last = Point(np.array(x), self.models, low=self.low, high=self.high)
        return self._last

    def rows(self, x: Array, gradients: bool) -> Rows | None:
        """Return the rows of all goals; None if a loop is not stable."""
        point = self.point(x)
        if point.radius >= 1.0:
            return None
        try:
            hard, soft = self.every_row(point, gradients=gradients)
        except (PolhodeError, np.linalg.LinAlgError):
            return None
        away = x - self.x0
        weight = FLAT if self.soft else 1.0
        distance, slope = weight * float(away @ away), 2.0 * weight * away
        if not soft:
            soft = [Row((len(self.hard), 0), distance, slope)]
        else:
            soft = [
                row._replace(
                    value=row.value + distance, gradient=None if row.gradient is None else row.gradient + slope
                )
                for row in soft
            ]
        return Rows(soft, hard)

    def every_row(self, point: Point, *, gradients: bool) -> tuple[list[Row], list[Row]]:
        """Return the rows of the hard and of the soft goals; raises the error of a goal without a value."""
        goals = [*self.hard, *self.soft]
        rows = [goal.tagged(point, n, gradients=gradients) for n, goal in enumerate(goals)]
        for goal, each in zip(goals, rows, strict=True):
            # the largest of several values with a NaN depends on their order, so the goal could be lost
            if not all(np.isfinite(row.value) for row in each):
                raise DesignError(f"a goal with the bound {goal.bound:g} has no finite value for one of the loops")
        hard, soft = rows[: len(self.hard)], rows[len(self.hard) :]
        return [row for each in hard for row in each], [row for each in soft for row in each]

    def stabilised(self, x: Array, low: Array, high: Array) -> Array | None:
        """Return parameters near x for which all loops are stable; None if the search finds none."""
        point = self.point(x)
        if point.radius < 1.0:
            return x
        if point.loops is None:
            return None

        goal = PoleRadius(bound=1.0)
        # the search expects values of order one, but a slow unstable loop has a radius of 1.001
        scale = 1.0 / max(point.radius - 1.0, GROWTH)

        def scaled(row: Row) -> Row:
            slope = None if row.gradient is None else scale * row.gradient
            return row._replace(value=scale * (row.value - STABLE), gradient=slope)

        def rows(x: Array, gradients: bool) -> Rows | None:
            here = self.point(x)
            if here.loops is None:
                return None
            try:
                return Rows([scaled(row) for row in goal.tagged(here, 0, gradients=gradients)], ())
            except (PolhodeError, np.linalg.LinAlgError):
                return None

        found = minimise_largest(rows, x, low=low, high=high, most=60)
        return found.x if found is not None and found.rows.top / scale + STABLE < 1.0 else None

    def result(self, best: Minimum, starts: tuple[tuple[float, float], ...], steps: int, *, interrupted: bool) -> Tuned:
        """Return the result with its active goals."""
        values = [0.0] * len(self.hard)
        weights = [0.0] * len(self.hard)
        for row, weight in zip(best.rows.constraints, best.multipliers, strict=True):
            n = row.tag[0]
            values[n] = max(values[n], row.value)
            weights[n] += weight
        order: Any = sorted(range(len(weights)), key=lambda n: -weights[n])
        near = [n for n in order if weights[n] > 1e-6 * max(1.0, *weights) and values[n] > 0.98]
        return Tuned(
            x=best.x,
            met=best.rows.violation <= MET,
            objective=best.rows.top,
            violation=best.rows.violation,
            values=tuple(values),
            active=tuple(near),
            starts=starts,
            steps=steps,
            interrupted=interrupted,
        )
