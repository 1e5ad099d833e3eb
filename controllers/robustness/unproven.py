"""Part of the bounds and of the frequencies, and what of it structured singular values do not prove."""

from collections.abc import Sequence
from math import isfinite, pi, sqrt
from typing import NamedTuple

from .arcs import Transfer, proven_arc
from .late import Folded
from .loop_family import LoopFamily, UncertainLoop
from .multipliers import UncertainBlock, structured_multipliers
from .shapes import Shape
from .straight_fit import Box

__all__ = ["Leaf", "unproven"]

Arc = tuple[float, float]

REFUSALS = 2  # frequencies of a box at which nothing is proven: then it is cut
ASIDE = 1.4  # how far about such a frequency nothing else is tried
NARROW = 1e-7  # of its frequency: no arc is cut further
LOW = 0.05  # of the upper end: an arc that begins below is not cut at its geometric mean
SPANS = (2.0, 1.3, 1.08, 1.02, 1.006)  # times its frequency: so far an arc of a delay is tried to reach


class Leaf(NamedTuple):
    """Part of the bounds, in one of the ways in which torque changes, over frequencies not proven yet."""

    box: Box
    shape: Shape
    arcs: tuple[Arc, ...]
    hard: float
    """Where nothing was proven, rad per sample."""


def unproven(family: LoopFamily, model: UncertainLoop, leaf: Leaf, size: float) -> Leaf:
    """Return what is left of the arcs of a leaf when all that can be proven of it is.

    family, model: the loops, and those of the leaf's box as one; size: how much its shape changes the torque.
    """
    if not isfinite(size) or not model.stable:
        return leaf
    late = leaf.shape.kind == "delay"
    prove = _Late(family.folded, model, leaf.shape, size) if late else _Alike(model, leaf.shape, size)
    todo, left = list(leaf.arcs), list[Arc]()
    hard, tried, refusals = leaf.hard, 0, 0
    while todo:
        low, high = todo.pop()
        if high <= low:
            continue
        tried += 1
        if refusals == REFUSALS or tried > prove.most:
            left.append((low, high))
            continue
        at = hard if low < hard < high else sqrt(low * high) if low > LOW * high else low + 0.3 * (high - low)
        arc = prove(low, at, high)
        if arc is None:
            refusals, hard = refusals + 1, at
            arc = max(low, at / ASIDE), min(high, at * ASIDE)
            left.append(arc)
        rest = [(low, arc[0]), (arc[1], high)]
        if high - low < NARROW * high:  # no further
            left += [each for each in rest if each[0] < each[1]]
        else:
            todo += rest
    return leaf._replace(arcs=tuple(sorted(left)), hard=hard)


class _Alike:
    """What changes torque alike at every frequency."""

    most = 60  # arcs of a leaf

    def __init__(self, model: UncertainLoop, shape: Shape, size: float) -> None:
        self.system, self.blocks = model.closed(shape, size, pi)

    def __call__(self, low: float, at: float, high: float) -> Arc | None:
        """An arc about an angle that is proven; None where there is none."""
        return _arc(self.system, self.blocks, at)


class _Late:
    """What is late: on an arc as at its upper end."""

    most = 300

    def __init__(self, folded: Folded, model: UncertainLoop, shape: Shape, size: float) -> None:
        self.folded, self.model, self.shape, self.size = folded, model, shape, size

    def __call__(self, low: float, at: float, high: float) -> Arc | None:
        """An arc between low and high about an angle that is proven; None where there is none."""
        wide, *between, narrow = SPANS
        if found := self._up_to(wide, low, at, high):
            return found
        short = self._up_to(narrow, low, at, high)
        if short is None:
            return None
        return next(filter(None, (self._up_to(span, low, at, high) for span in between)), short)

    def _up_to(self, span: float, low: float, at: float, high: float) -> Arc | None:
        top = min(high, span * at)
        model = self.model.beside(self.folded.between(low, top), self.shape.inputs)
        found = _arc(*model.closed(self.shape, self.size, top), at)
        return None if found is None else (max(low, found[0]), min(top, found[1]))


def _arc(system: Transfer, blocks: Sequence[UncertainBlock], at: float) -> Arc | None:
    scalings = structured_multipliers(system.at(at), blocks)
    return None if scalings is None else proven_arc(system, at, scalings)
