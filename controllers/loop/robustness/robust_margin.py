"""Robust margin within parameter bounds, from structured singular values with branch and bound."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from ....plant.checks import choice, positive
from ....plant.errors import DesignError, InputError
from ..sampled_loop import SampledLoop
from .affine_fit import Box
from .loop_family import LoopFamily, Numbers, UncertainLoop
from .open_regions import Leaf, open_regions
from .shapes import SHAPES, alpha_of

LESS = (0.98, 0.97, 0.95, 0.93, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05)
"""Fractions of the requested margin that are tried if the full margin cannot be established."""
LATE = "; the remaining effect of a fractional delay is measured, and covered in the same way"


@dataclass(frozen=True, kw_only=True)
class RobustMarginBound:
    """Lower bound on a margin of all loops within the parameter bounds.

    Parameters
    ----------
    margin : str
        Name of the margin.
    value : float or None
        Established value, in the unit of the margin; None if none is established, not even stability.
    requested : float
        Requested value.
    exact : bool
        Whether the loops differ only in the inertia of a spacecraft at rest, which the model represents exactly except
        for the nonlinear remainder.
    rest : float
        Largest nonlinear remainder on the boxes used, relative to the change of the loops. An uncertain complex matrix
        of this norm covers it.
    boxes, crafts : int
        Number of boxes, and number of loops evaluated to model them.
    explanation : str
        Explanation of how the result was established.
    """

    margin: str
    value: float | None
    requested: float
    exact: bool
    rest: float
    boxes: int
    crafts: int

    @property
    def explanation(self) -> str:
        """Explanation of how the result was established."""
        how = "the inverse of the inertia" if self.exact else "the matrices of the sampled loop"
        return (
            f"{how} as an affine function over {self.boxes} box{'es' * (self.boxes > 1)}; the nonlinear remainder, up "
            f"to {100.0 * self.rest:.2g} % of the change as measured on {self.crafts} spacecraft, is covered 1.25 "
            "times by a complex matrix; all frequencies are covered"
        ) + (LATE if self.margin.endswith("delay_margin_s") else "")

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            The attributes; `value` is None if no margin is established.
        """
        return {
            "margin": self.margin,
            "value": self.value,
            "requested": self.requested,
            "exact": self.exact,
            "rest": self.rest,
            "boxes": self.boxes,
            "crafts": self.crafts,
            "explanation": self.explanation,
        }


def robust_margin_bound(
    loop_at: Callable[[Numbers], SampledLoop],
    *,
    numbers: int,
    margin: str,
    found: float,
    within: float = 0.02,
    requested: float | None = None,
    boxes: int = 64,
    all_or_nothing: bool = False,
    progress: Callable[[float], None] | None = None,
) -> RobustMarginBound:
    """Return a lower bound on a margin of all loops within the parameter bounds.

    The loops are modelled as one loop with real uncertain parameters; the torque changes that the margin allows are
    additional uncertain factors. At every frequency, an upper bound of the structured singular value (scalings D and G)
    shows that parameters and factors together cannot destabilise the loop. If the bound is not conclusive, the
    parameter box is bisected (branch and bound).

    Parameters
    ----------
    loop_at : callable
        `loop_at(x)` returns the sampled loop for a tuple of parameters x, each from -1 to 1.
    numbers : int
        Number of parameters.
    margin : str
        "disk_margin_inputs", "gain_margin_dB", "phase_margin_deg" or "delay_margin_s"; gain, phase and delay margins
        also with the prefix one_input_.
    found : float
        Smallest margin found among the loops: an upper bound of the result.
    within : float
        Requested relative distance of the result from `found`.
    requested : float, optional
        Value to establish, such as a requirement, in place of `(1 - within) found`; below `found`.
    boxes : int
        Largest number of boxes.
    all_or_nothing : bool
        Whether to stop as soon as the boxes cannot suffice for the requested value. Then no smaller value is
        established, which would take more boxes.
    progress : callable, optional
        Called with the fraction of boxes used.

    Returns
    -------
    RobustMarginBound
        At most `found`; smaller than `(1 - within) found`, or None, if the boxes were not sufficient.

    Raises
    ------
    InputError
        When an argument is out of range.
    DesignError
        When the central loop is not stable, or the loops differ in the number of states or are periodic.

    Notes
    -----
    The result is valid for the model, which is exact except for its nonlinear remainder; see `affine_fit`. The
    remainder is measured at sample points instead of being bounded by a theorem.

    At each frequency, a delay is modelled as any phase shift between zero and the phase shift of the delay. The
    remaining effect of a fraction of a sample is also measured, and covered by an uncertain complex matrix whose norm
    grows with frequency. This cover does not affect a delay margin of tens of samples, but at least halves a margin of
    one or two samples.

    Examples
    --------
    A spacecraft whose three moments of inertia are known to 20 %:

    >>> from polhode import controllers, plant
    >>> def model(x):
    ...     craft = plant.Spacecraft(plant.RigidBody([4.0 + 0.8 * x[0], 5.0 + x[0], 6.0 + 1.2 * x[0]]))
    ...     return craft.linearize(craft.at_rest())
    >>> law = controllers.lqr(model([0.0]), attitude=1.0, rate=1.0, effort=1.0, sample=0.1)
    >>> worst = law.margins(model([-1.0])).gain_up_dB
    >>> found = robust_margin_bound(lambda x: law.loop(model(x)), numbers=1, margin="gain_margin_dB", found=worst)
    >>> bool(0.98 * worst <= found.value + 1e-9 < worst), found.exact
    (True, True)
    """
    choice("margin", margin, tuple(SHAPES))
    found = positive("found", found)
    if not 0.0 < within < 1.0 or boxes < 1 or numbers < 1:
        raise InputError(
            f"within must be between 0 and 1, boxes and numbers at least 1; got {within}, {boxes}, {numbers}"
        )
    if not loop_at((0.0,) * numbers).stable:
        raise DesignError(
            "the loop at the centre of the parameter bounds is not stable, so there is no margin to bound"
        )
    family = LoopFamily(loop_at, numbers)
    requested = (1.0 - within) * found if requested is None else positive("requested", requested)
    if requested > found:
        raise InputError(f"requested = {requested:g} is above the smallest {margin} found, {found:g}; lower it")
    delay = margin.endswith("delay_margin_s")

    def size_of(value: float) -> float:
        return family.samples_late(value) if delay else alpha_of(margin, value)

    size = size_of(requested)
    root = Box((-1.0,) * numbers, (1.0,) * numbers)
    queue = deque(Leaf(root, shape, ((0.0, pi),), 0.5) for shape in SHAPES[margin])
    models: dict[Box, UncertainLoop] = {}
    stuck = list[Leaf]()  # leaves that bisection does not improve
    used = 0.0
    while queue:
        if all_or_nothing and (stuck or len({leaf.box for leaf in queue}.union(models)) > boxes):
            break
        if queue[0].box not in models:
            if len(models) == boxes:
                break
            models[queue[0].box] = family.over(queue[0].box)
            if progress is not None:
                progress(len(models) / boxes)
        leaf = queue.popleft()
        model = models[leaf.box]
        left = open_regions(family, model, leaf, size)
        if left.arcs != leaf.arcs:
            used = max(used, model.rest)
        if left.arcs and not model.influence.any():
            stuck.append(left)
        elif left.arcs:
            number = int(np.argmax(model.influence))
            queue += [left._replace(box=half) for half in leaf.box.halves(number)]
    value: float | None = requested
    if (queue or stuck) and all_or_nothing:
        value = None
    elif queue or stuck:
        value, rest = _less(requested, size_of, family, models, [*stuck, *queue])
        used = max(used, rest)
    return RobustMarginBound(
        margin=margin,
        value=value,
        requested=requested,
        exact=family.is_gain,
        rest=used,
        boxes=len(models),
        crafts=family.crafts,
    )


def _less(
    requested: float,
    size_of: Callable[[float], float],
    family: LoopFamily,
    models: dict[Box, UncertainLoop],
    leaves: Sequence[Leaf],
) -> tuple[float | None, float]:
    """Return the largest value that is established on all remaining leaves, and their nonlinear remainder."""
    level, used = 0, 0.0
    for leaf in leaves:
        if leaf.box not in models:
            models[leaf.box] = family.over(leaf.box)
        model = models[leaf.box]
        used = max(used, model.rest)
        while True:
            if level == len(LESS):
                return None, used
            if not open_regions(family, model, leaf, size_of(LESS[level] * requested)).arcs:
                break
            level += 1
    return LESS[level] * requested, used
