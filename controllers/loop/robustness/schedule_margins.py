"""Margins of a gain schedule over every interval between its points."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ....plant import LinearModel
from ....plant.checks import choice
from ....plant.errors import InputError, PolhodeError
from ..sampled_loop import SampledLoop
from .measured import loop_margin
from .robust_margin import RobustMarginBound, robust_margin_bound
from .shapes import SHAPES

REFINED = 12  # evaluations of the golden-section search about the lowest sample
NEAR = 1e-6  # largest difference of a model's variable from the requested value, relative to the interval
GOLDEN = 0.5 * (5.0**0.5 - 1.0)


@dataclass(frozen=True, kw_only=True)
class ScheduleInterval:
    """Margin over one interval of a gain schedule.

    Attributes
    ----------
    low, high : float
        Ends of the interval, in the unit of the scheduling variable.
    at_low, at_high : float
        Margins at the ends.
    worst : float
        Smallest margin found; -inf if a loop between the ends is not stable.
    worst_at : float
        Value of the variable with the smallest margin.
    bound : RobustMarginBound or None
        Lower bound on the margin of all values within the interval; None if there is none.
    no_bound : str
        Reason why there is no bound; empty otherwise.
    """

    low: float
    high: float
    at_low: float
    at_high: float
    worst: float
    worst_at: float
    bound: RobustMarginBound | None
    no_bound: str

    @property
    def stable(self) -> bool:
        """True if every loop that was evaluated is stable."""
        return bool(np.isfinite(self.worst) or self.worst > 0.0)


def schedule_margins(
    schedule: Any,
    model_at: Callable[[float], LinearModel],
    *,
    margin: str = "disk_margin_inputs",
    samples: int = 17,
    within: float = 0.02,
    boxes: int = 64,
) -> tuple[ScheduleInterval, ...]:
    """Return the margin of a gain schedule over each interval between its points, with a guaranteed bound.

    In each interval the interpolated gains and the model are functions of the scheduling variable only. The smallest
    margin is searched for on samples and refined; `robust_margin_bound` then bounds the margin of all values between,
    with the variable as its uncertain parameter.

    Parameters
    ----------
    schedule : GainSchedule
        The schedule.
    model_at : callable
        `model_at(value)` returns the linear model of the spacecraft at a value of the scheduling variable.
    margin : str
        Margin to bound, as in `robust_margin_bound`.
    samples : int
        Number of samples of each interval, 3 or more, including its ends.
    within, boxes : float, int
        As in `robust_margin_bound`; with 0 boxes no bound is computed.

    Returns
    -------
    tuple of ScheduleInterval
        One for each interval.

    Raises
    ------
    InputError
        When the operating point of `model_at(value)` does not have this value of the variable.
    DesignError
        When the margin is not defined for the loop.

    Notes
    -----
    The loop is linear and its variable constant: the bound does not hold for a variable that changes as fast as the
    loop.

    Examples
    --------
    >>> from polhode import controllers, plant
    >>> craft = plant.Spacecraft(plant.RigidBody((4, 4, 6)))
    >>> model_at = lambda spin: craft.linearize(craft.spinning((0, 0, spin)))
    >>> laws = [controllers.lqr(model_at(spin), attitude=1.0, rate=1.0, effort=1.0, sample=0.1) for spin in (0.1, 0.3)]
    >>> schedule = controllers.GainSchedule(laws, (0.1, 0.3), variable="rate")
    >>> (interval,) = schedule_margins(schedule, model_at)
    >>> 0.9 < interval.bound.value <= interval.worst <= interval.at_low
    True
    """
    choice("margin", margin, tuple(SHAPES))
    if samples < 3:
        raise InputError(f"samples must be 3 or more, to include values between the points; got {samples}")
    values = np.asarray(schedule.values, dtype=np.float64)
    return tuple(
        _interval(_loops(schedule, model_at, low, high), low, high, margin, samples, within, boxes)
        for low, high in pairwise(values.tolist())
    )


def _loops(
    schedule: Any, model_at: Callable[[float], LinearModel], low: float, high: float
) -> Callable[[float], SampledLoop]:
    """Return the loop as a function of the variable."""

    def loop_at(value: float) -> SampledLoop:
        value = min(max(value, low), high)
        model = model_at(value)
        if schedule.variable == "parameter":
            return schedule.held(value).loop(model)
        there = schedule.value_at(model)
        if abs(there - value) > NEAR * (high - low):
            raise InputError(
                f"model_at({value:.6g}) has a {schedule.variable.replace('-', ' ')} of {there:.6g} {schedule.unit} at "
                "its operating point; return the model about the motion with the requested value"
            )
        return schedule.loop(model)

    return loop_at


def _interval(
    loop_at: Callable[[float], SampledLoop],
    low: float,
    high: float,
    margin: str,
    samples: int,
    within: float,
    boxes: int,
) -> ScheduleInterval:
    grid = np.linspace(low, high, samples)
    found = [loop_margin(loop_at(float(value)), margin) for value in grid]
    k = int(np.argmin(found))
    worst, where = found[k], float(grid[k])
    if np.isfinite(worst):
        worst, where = _refined(
            lambda value: loop_margin(loop_at(value), margin),
            float(grid[max(k - 1, 0)]), float(grid[min(k + 1, samples - 1)]), (worst, where),
        )  # fmt: skip
    bound, why = None, ""
    if worst == -np.inf:
        why = f"the loop at {where:.6g} is not stable"
    elif not np.isfinite(worst):
        why = "the margin found is unlimited"
    elif boxes == 0:
        why = "none was requested"
    else:
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        try:
            bound = robust_margin_bound(
                lambda x: loop_at(middle + half * x[0]),
                numbers=1, margin=margin, found=worst, within=within, boxes=boxes,
            )  # fmt: skip
        except PolhodeError as error:
            why = str(error)
    return ScheduleInterval(
        low=low, high=high, at_low=found[0], at_high=found[-1], worst=worst, worst_at=where, bound=bound, no_bound=why
    )


def _refined(
    margin_at: Callable[[float], float], low: float, high: float, best: tuple[float, float]
) -> tuple[float, float]:
    """Return the smallest margin and its place by golden-section search between two samples."""
    for _ in range(REFINED):
        a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        one, other = margin_at(a), margin_at(b)
        best = min(best, (one, a), (other, b))
        low, high = (low, b) if one < other else (a, high)
    return best
