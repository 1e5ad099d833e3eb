"""A margin that every loop within bounds is shown to have, by structured singular values on ever smaller boxes."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from ...plant.checks import choice, positive
from ...plant.errors import InputError
from ..loop.sampled_loop import SampledLoop
from .loop_family import LoopFamily, Numbers, UncertainLoop
from .shapes import SHAPES, alpha_of
from .straight_fit import Box
from .unproven import Leaf, unproven

__all__ = ["GuaranteedMargin", "guaranteed_margin"]

LESS = (0.98, 0.97, 0.95, 0.93, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05)
"""Shares of what was looked for that are tried where it is not proven."""
LATE = "; what a fraction of a sample does beside its phase is measured and covered so, too"


@dataclass(frozen=True, kw_only=True)
class GuaranteedMargin:
    """A margin that every loop within bounds has.

    Parameters
    ----------
    margin : str
        Which one.
    value : float or None
        What is proven, in its unit; None where not even stability is.
    wanted : float
        What was tried to be proven.
    exact : bool
        Whether the loops differ by an inertia at rest alone, which the model has exactly but for its bends.
    rest : float
        The largest part of the loops' change, on the boxes that the proof is made of, that was not straight and was
        covered by a complex matrix of that size.
    boxes, crafts : int
        Into how many boxes the bounds were cut, and how many loops were looked at to make their models.
    words : str
        What the proof rests on.
    """

    margin: str
    value: float | None
    wanted: float
    exact: bool
    rest: float
    boxes: int
    crafts: int

    @property
    def words(self) -> str:
        """What it rests on, for people."""
        how = "the inverse of the inertia" if self.exact else "the matrices of the sampled loop"
        return (
            f"{how} as straight lines over {self.boxes} box{'es' * (self.boxes > 1)}; what bends, up to "
            f"{100.0 * self.rest:.2g} % of the change as measured on {self.crafts} crafts, is covered 1.25 times by a "
            "complex matrix; between frequencies nothing is left out"
        ) + (LATE if self.margin.endswith("delay_margin_s") else "")

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON.

        Returns
        -------
        dict
            `value` is None where nothing is proven.
        """
        return {
            "margin": self.margin,
            "value": self.value,
            "wanted": self.wanted,
            "exact": self.exact,
            "rest": self.rest,
            "boxes": self.boxes,
            "crafts": self.crafts,
            "words": self.words,
        }


def guaranteed_margin(
    loop_at: Callable[[Numbers], SampledLoop],
    *,
    numbers: int,
    margin: str,
    found: float,
    within: float = 0.02,
    boxes: int = 64,
    progress: Callable[[float], None] | None = None,
) -> GuaranteedMargin:
    """Prove that no loop within bounds has a smaller margin than one value.

    The loops are taken as one with real uncertain numbers in it, and what the margin allows at the torque as further
    uncertain factors; the upper bound of the structured singular value (scalings D and G) says at every frequency
    whether all of them together can make it unstable. Where it does not say no, the bounds are cut in half (branch and
    bound).

    Parameters
    ----------
    loop_at : callable
        `loop_at(x)` gives the sampled loop of numbers x, each from -1 to 1: a tuple.
    numbers : int
        How many.
    margin : str
        "disk_margin_inputs", "gain_margin_dB", "phase_margin_deg" or "delay_margin_s", the last three with one_input_
        before them too.
    found : float
        The smallest that was found among the loops: no more can be proven.
    within : float
        How close to it the proof is to come, as a share.
    boxes : int
        Into how many boxes the bounds are cut at most.
    progress : callable, optional
        Called with the share of the boxes used.

    Returns
    -------
    GuaranteedMargin
        At most `found`; smaller than `(1 - within) found` where the boxes did not do.

    Raises
    ------
    InputError
        When an argument is out of range.
    DesignError
        When the loops are not alike: of different sizes, or answering one frequency with many.

    Notes
    -----
    Proven of the model, which is exact but for what bends in it; see `straight_fit`. What bends is measured, not
    bounded by a theorem.

    A delay is any phase between none and its own at each frequency; what a fraction of a sample does beside is measured
    too, and covered by any complex matrix of that size. That grows with frequency: of a delay margin of tens of samples
    nothing is lost by it, of one or two samples half or more.

    Examples
    --------
    A craft whose three moments are known to 20 %:

    >>> from polhode import controllers, plant
    >>> def model(x):
    ...     craft = plant.Spacecraft(plant.RigidBody([4.0 + 0.8 * x[0], 5.0 + x[0], 6.0 + 1.2 * x[0]]))
    ...     return craft.linearize(craft.at_rest())
    >>> law = controllers.lqr(model([0.0]), attitude=1.0, rate=1.0, effort=1.0, sample=0.1)
    >>> worst = law.margins(model([-1.0])).gain_up_dB
    >>> found = guaranteed_margin(lambda x: law.loop(model(x)), numbers=1, margin="gain_margin_dB", found=worst)
    >>> bool(0.98 * worst <= found.value + 1e-9 < worst), found.exact
    (True, True)
    """
    choice("margin", margin, tuple(SHAPES))
    found = positive("found", found)
    if not 0.0 < within < 1.0 or boxes < 1 or numbers < 1:
        raise InputError(
            f"within lies between 0 and 1, boxes and numbers are at least 1; got {within}, {boxes}, {numbers}"
        )
    family = LoopFamily(loop_at, numbers)
    wanted = (1.0 - within) * found
    delay = margin.endswith("delay_margin_s")

    def size_of(value: float) -> float:
        return family.samples_late(value) if delay else alpha_of(margin, value)

    size = size_of(wanted)
    root = Box((-1.0,) * numbers, (1.0,) * numbers)
    queue = deque(Leaf(root, shape, ((0.0, pi),), 0.5) for shape in SHAPES[margin])
    models: dict[Box, UncertainLoop] = {}
    stuck = list[Leaf]()  # which no cut makes smaller
    used = 0.0
    while queue:
        if queue[0].box not in models:
            if len(models) == boxes:
                break
            models[queue[0].box] = family.over(queue[0].box)
            if progress is not None:
                progress(len(models) / boxes)
        leaf = queue.popleft()
        model = models[leaf.box]
        left = unproven(family, model, leaf, size)
        if left.arcs != leaf.arcs:
            used = max(used, model.rest)
        if left.arcs and not model.influence.any():
            stuck.append(left)
        elif left.arcs:
            number = int(np.argmax(model.influence))
            queue += [left._replace(box=half) for half in leaf.box.halves(number)]
    value: float | None = wanted
    if queue or stuck:
        value, rest = _less(wanted, size_of, family, models, [*stuck, *queue])
        used = max(used, rest)
    return GuaranteedMargin(
        margin=margin,
        value=value,
        wanted=wanted,
        exact=family.is_gain,
        rest=used,
        boxes=len(models),
        crafts=family.crafts,
    )


def _less(
    wanted: float,
    size_of: Callable[[float], float],
    family: LoopFamily,
    models: dict[Box, UncertainLoop],
    leaves: Sequence[Leaf],
) -> tuple[float | None, float]:
    """The largest share of what was wanted that holds on every part left over, and what bends there."""
    level, used = 0, 0.0
    for leaf in leaves:
        if leaf.box not in models:
            models[leaf.box] = family.over(leaf.box)
        model = models[leaf.box]
        used = max(used, model.rest)
        while True:
            if level == len(LESS):
                return None, used
            if not unproven(family, model, leaf, size_of(LESS[level] * wanted)).arcs:
                break
            level += 1
    return LESS[level] * wanted, used
