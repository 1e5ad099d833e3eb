"""Nonsmooth SQP: minimise the largest of several functions subject to bounds on others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....plant.frozen import frozen_results
from .quadratic_program import Step, best_step

Array = NDArray[np.float64]

ARMIJO = 1e-4
HALVES = 14  # halvings of a step before the Hessian is reset
NOTHING = 1e-6  # the search ends if the predicted decrease is below this (values are of order one)
LIMITS = (1e-3, 1e3)  # bounds on the eigenvalues of the Hessian
REACH = 0.7  # longest step of a parameter: a factor of 2 if the parameter is a logarithm


class Row(NamedTuple):
    """One smooth piece of a nonsmooth function.

    tag: goal and model of the row; value: at most 1 if the goal is met; gradient (n,) or None.
    """

    tag: tuple[int, ...]
    value: float
    gradient: Array | None


class Rows(NamedTuple):
    """Rows of the objective and of the constraints; a constraint is met if its rows are at most 1."""

    objective: Sequence[Row]
    constraints: Sequence[Row]

    @property
    def top(self) -> float:
        """Largest row of the objective; 0 if there are no objective rows."""
        return max((row.value for row in self.objective), default=0.0)

    @property
    def violation(self) -> float:
        """Largest excess of a constraint row over 1; 0 if every constraint is met."""
        return max(0.0, max((row.value for row in self.constraints), default=0.0) - 1.0)


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class Minimum:
    """Result of `minimise_largest`.

    Attributes
    ----------
    x : numpy.ndarray, shape (n,)
        Parameters.
    rows : Rows
        Rows at x, with gradients.
    multipliers : tuple of float
        Multipliers of the constraint rows, in the same order; a constraint with a positive multiplier limits the
        objective.
    steps : int
        Number of accepted steps.
    interrupted : bool
        Whether Ctrl-C ended the search.
    """

    x: Array
    rows: Rows
    multipliers: tuple[float, ...]
    steps: int
    interrupted: bool


def minimise_largest(
    rows_at: Callable[[Array, bool], Rows | None],
    start: Array,
    *,
    low: Array,
    high: Array,
    most: int = 100,
    progress: Callable[[Array, float, float], None] | None = None,
) -> Minimum | None:
    """Minimise the largest objective row subject to all constraint rows being at most 1.

    The method is sequential quadratic programming on all nearly active rows (Curtis, Mitchell & Overton 2017,
    Optimization Methods and Software 32), with a damped BFGS Hessian of the Lagrangian. The weight of its exact penalty
    is chosen such that each step removes at least half of the violation that a step could remove.

    Parameters
    ----------
    rows_at : callable
        `rows_at(x, gradients)` returns the rows, or None if they do not exist, for example for an unstable loop.
    start : numpy.ndarray, shape (n,)
        Initial parameters, scaled such that steps are of order one.
    low, high : numpy.ndarray, shape (n,)
        Bounds.
    most : int
        Largest number of steps.
    progress : callable, optional
        Called with x, the objective and the violation after every step.

    Returns
    -------
    Minimum or None
        The best point; None if the rows do not exist at the start.

    Notes
    -----
    The result is a local minimum, so use several starts.
    """
    x = np.clip(start, low, high)
    rows = rows_at(x, True)
    if rows is None:
        return None
    n = len(x)
    hessian, price, idle, steps, fresh = np.eye(n), 1.0, 0, 0, True
    step: Step | None = None
    interrupted = False
    try:
        while steps < most and idle < 2:
            step, price = _steered(rows, hessian, price, np.maximum(low - x, -REACH), np.minimum(high - x, REACH))
            merit = rows.top + price * rows.violation
            gain = merit - (rows.top + step.top + price * step.left)
            if gain < NOTHING * max(1.0, price * rows.violation):
                idle += 1
                if fresh or idle > 1:
                    break
                hessian, fresh = np.eye(n), True
                continue
            found = _along(rows_at, x, step.change, merit, price, gain)
            if found is None:
                if fresh:
                    break
                hessian, fresh = np.eye(n), True
                continue
            share = found
            moved = x + share * step.change
            there = rows_at(moved, True)
            if there is None:
                break
            hessian, fresh = _updated(hessian, rows, there, step, share * step.change), False
            x, rows, idle, steps = moved, there, 0, steps + 1
            if progress is not None:
                progress(x, rows.top, rows.violation)
    except KeyboardInterrupt:
        interrupted = True
    weights = () if step is None else tuple(step.constraint.tolist())
    if len(weights) != len(rows.constraints):
        weights = (0.0,) * len(rows.constraints)
    return Minimum(x=x, rows=rows, multipliers=weights, steps=steps, interrupted=interrupted)


def _matrices(rows: Sequence[Row], n: int) -> tuple[Array, Array]:
    values = np.array([row.value for row in rows], dtype=np.float64)
    gradients = np.array([row.gradient for row in rows], dtype=np.float64).reshape(len(rows), n)
    return values, gradients


def _steered(rows: Rows, H: Array, price: float, low: Array, high: Array) -> tuple[Step, float]:
    """Return the step, and the penalty weight at which it removes half of the removable violation."""
    n = len(H)
    f, F = _matrices(rows.objective, n) if rows.objective else (np.zeros(1), np.zeros((1, n)))
    c, C = _matrices(rows.constraints, n)
    c = c - 1.0
    step = best_step(f, F, c, C, H=H, price=price, low=low, high=high)
    if rows.violation > 0.0 or step.left > 0.0:
        least = best_step(np.zeros(1), np.zeros((1, n)), c, C, H=H, price=1e6, low=low, high=high).left
        wanted = least + 0.5 * max(rows.violation - least, 0.0) + 1e-9
        while step.left > wanted and price < 1e6:
            price *= 4.0
            step = best_step(f, F, c, C, H=H, price=price, low=low, high=high)
    return step, price


def _along(
    rows_at: Callable[[Array, bool], Rows | None], x: Array, change: Array, merit: float, price: float, gain: float
) -> float | None:
    """Return the fraction of a step that lowers the merit function; None if no such fraction exists."""
    share = 1.0
    for _ in range(HALVES):
        there = rows_at(x + share * change, False)
        value = inf if there is None else there.top + price * there.violation
        if value <= merit - ARMIJO * share * gain:
            return share
        share *= 0.5
    return None


def _updated(H: Array, before: Rows, after: Rows, step: Step, change: Array) -> Array:
    """Return the Hessian after a damped BFGS update.

    Each active row is matched to the row of the same goal and model with the nearest gradient.
    """
    y = np.zeros(len(change))
    weights = (*step.objective, *step.constraint)
    old = (*before.objective, *before.constraints) if before.objective else before.constraints
    if not before.objective:
        weights = tuple(step.constraint)
    new = (*after.objective, *after.constraints)
    for row, weight in zip(old, weights, strict=True):
        if weight < 1e-9 or row.gradient is None:
            continue
        same = [each.gradient for each in new if each.tag == row.tag and each.gradient is not None]
        if same:
            gradient = min(same, key=lambda g, at=row.gradient: float(np.linalg.norm(g - at)))
            y += weight * (gradient - row.gradient)
    s = change
    Hs = H @ s
    curve, along = float(s @ Hs), float(s @ y)
    if curve < 1e-16:
        return H
    if along < 0.2 * curve:  # Powell's damping
        theta = 0.8 * curve / (curve - along)
        y = theta * y + (1.0 - theta) * Hs
        along = float(s @ y)
    updated = H - np.outer(Hs, Hs) / curve + np.outer(y, y) / along
    values, vectors = np.linalg.eigh(0.5 * (updated + updated.T))
    return np.asarray((vectors * np.clip(values, *LIMITS)) @ vectors.T, dtype=np.float64)
