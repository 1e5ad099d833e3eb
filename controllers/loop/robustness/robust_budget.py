"""Bound on a pointing error within parameter bounds, from Lyapunov inequalities with branch and bound."""

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite, sqrt
from typing import Any

import numpy as np

from ....plant.checks import choice, positive
from ....plant.errors import InputError
from ..sampled_loop import SampledLoop
from .affine_fit import Box, affine_fit
from .loop_family import Numbers
from .noise_family import ERRORS, NoiseFamily
from .variance_bound import variance_bound

DIRECTIONS = 9  # directions of the remainder that are modelled: the inverse inertia has six to nine entries


@dataclass(frozen=True, kw_only=True)
class RobustBudgetBound:
    """Pointing or knowledge error that no loop within the parameter bounds exceeds.

    Parameters
    ----------
    error : str
        "ape" or "ake".
    value : float or None
        Largest error, rad, one standard deviation, root sum of squares over axes and sources; None if not even
        stability is established.
    requested : float
        Requested value, rad.
    rest : float
        Largest nonlinear remainder on the boxes used, relative to the change of the matrices.
    boxes, crafts : int
        Number of boxes, and number of loops evaluated to model them.
    explanation : str
        Explanation of how the result was established.
    """

    error: str
    value: float | None
    requested: float
    rest: float
    boxes: int
    crafts: int

    @property
    def explanation(self) -> str:
        """Explanation of how the result was established."""
        return (
            f"the matrices of the loop under noise as an affine function over {self.boxes} "
            f"box{'es' * (self.boxes > 1)}, each with a Lyapunov inequality; the nonlinear remainder, up to "
            f"{100.0 * self.rest:.2g} % of the change as measured on {self.crafts} spacecraft, is covered 1.25 times"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            The attributes; `value` is None if no bound is established.
        """
        return {
            "error": self.error,
            "value": self.value,
            "requested": self.requested,
            "rest": self.rest,
            "boxes": self.boxes,
            "crafts": self.crafts,
            "explanation": self.explanation,
        }


def robust_budget_bound(
    loop_at: Callable[[Numbers], SampledLoop],
    *,
    numbers: int,
    error: str,
    found: float,
    within: float = 0.02,
    requested: float | None = None,
    boxes: int = 64,
    progress: Callable[[float], None] | None = None,
) -> RobustBudgetBound:
    """Return a pointing or knowledge error that no loop within the parameter bounds exceeds.

    For each box of parameters a Lyapunov inequality bounds the covariance of all loops in it; it also shows that they
    are stable. The box with the largest bound is bisected until the requested value is established for all.

    Parameters
    ----------
    loop_at : callable
        `loop_at(x)` returns the sampled loop, with its noisy blocks, for a tuple of parameters x, each from -1 to 1.
    numbers : int
        Number of parameters.
    error : str
        "ape", the absolute pointing error, or "ake", the absolute knowledge error.
    found : float
        Largest error found among the loops, rad: a lower bound of the result.
    within : float
        Requested relative distance of the result from `found`.
    requested : float, optional
        Value to establish, rad, such as a requirement, in place of `(1 + within) found`; above `found`.
    boxes : int
        Largest number of boxes to model.
    progress : callable, optional
        Called with the fraction of boxes used.

    Returns
    -------
    RobustBudgetBound
        At least `found`; larger than `(1 + within) found` if the boxes were not sufficient.

    Raises
    ------
    InputError
        When an argument is out of range.
    DesignError
        When the loops differ in the number of states, a block does not declare its noise, or constants of the loop
        act on the errors.

    Notes
    -----
    The result is valid for the model, which is exact except for its nonlinear remainder; see `affine_fit`. The
    remainder is measured at sample points instead of being bounded by a theorem. Means over a window (MPE, RPE) have no
    such bound; the absolute errors bound them from above.

    Examples
    --------
    >>> from polhode import controllers, plant
    >>> from polhode.controllers.sensing.sensors import RateGyro, StarTracker
    >>> def model(x):
    ...     craft = plant.Spacecraft(plant.RigidBody((3.0 + 0.3 * x[0], 3, 3)))
    ...     return craft.linearize(craft.at_rest())
    >>> law = controllers.lqr(model([0.0]), attitude=1.0, rate=1.0, effort=1.0, sample=0.1)
    >>> gyro, tracker = RateGyro(angle_random_walk=1e-4), StarTracker(noise=1e-4, roll_noise=1e-4)
    >>> blocks = [each.block(sample=0.1, shadows=True) for each in (gyro, tracker)]
    >>> loop_at = lambda x: law.loop(model(x), blocks=blocks)
    >>> budgets = [controllers.pointing_budget(law, model([x]), blocks=blocks, window=1.0) for x in (-1.0, 1.0)]
    >>> worst = max(each.figures()["ape"] for each in budgets)
    >>> bound = robust_budget_bound(loop_at, numbers=1, error="ape", found=worst)
    >>> bool(worst < bound.value <= 1.02 * worst)
    True
    """
    choice("error", error, tuple(ERRORS))
    found = positive("found", found, "rad")
    if not 0.0 < within < 1.0 or boxes < 1 or numbers < 1:
        raise InputError(
            f"within must be between 0 and 1, boxes and numbers at least 1; got {within}, {boxes}, {numbers}"
        )
    requested = (1.0 + within) * found if requested is None else positive("requested", requested, "rad")
    if requested < found:
        raise InputError(f"requested = {requested:g} is below the largest {error} found, {found:g}; use at least this")
    if not loop_at((0.0,) * numbers).stable:
        return RobustBudgetBound(error=error, value=None, requested=requested, rest=0.0, boxes=0, crafts=1)
    family = NoiseFamily(loop_at, error, numbers)
    rest = 0.0

    def leaf(box: Box) -> tuple[float, int, Box, int]:
        nonlocal rest, made
        made += 1
        if progress is not None:
            progress(min(1.0, made / boxes))
        fit = affine_fit(family.matrix, box, directions=DIRECTIONS)
        bound = variance_bound(fit, family.sizes)
        rest = max(rest, fit.rest)
        influence = fit.influence if bound is None else bound.influence
        worst = inf if bound is None else sqrt(bound.value)
        return -worst, made, box, int(np.argmax(influence))

    made = 0
    queue = [leaf(Box((-1.0,) * numbers, (1.0,) * numbers))]
    while -queue[0][0] > requested and made + 2 <= boxes:
        _, _, box, number = heapq.heappop(queue)
        for half in box.halves(number):
            heapq.heappush(queue, leaf(half))
    value = -queue[0][0]
    return RobustBudgetBound(
        error=error,
        value=value if isfinite(value) else None,
        requested=requested,
        rest=rest,
        boxes=made,
        crafts=family.crafts,
    )
