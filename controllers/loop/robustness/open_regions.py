"""Regions of parameters and frequencies for which a margin is not yet established."""

from collections.abc import Sequence
from math import isfinite, pi, sqrt
from typing import NamedTuple

from .affine_fit import Box
from .delay_factor import Folded
from .frequency_intervals import Transfer, proven_arc
from .loop_family import LoopFamily, UncertainLoop
from .multipliers import UncertainBlock, structured_multipliers
from .shapes import Shape

Arc = tuple[float, float]

REFUSALS = 2  # number of failed frequencies in a box before the box is bisected
ASIDE = 1.4  # no frequency within this factor of a failed one is tried
NARROW = 1e-7  # relative width below which an arc is not divided
LOW = 0.05  # an arc that begins below this fraction of its upper end is not divided at its geometric mean
SPANS = (2.0, 1.3, 1.08, 1.02, 1.006)  # trial upper ends of an arc for a delay, relative to its frequency


class Leaf(NamedTuple):
    """A parameter box with one kind of torque change, and the frequencies that remain to be covered."""

    box: Box
    shape: Shape
    arcs: tuple[Arc, ...]
    hard: float
    """Last frequency at which the margin could not be established, rad per sample."""


def open_regions(family: LoopFamily, model: UncertainLoop, leaf: Leaf, size: float) -> Leaf:
    """Return a leaf with the arcs on which the margin could not be established.

    family: the loops; model: uncertain loop for the leaf's box; size: magnitude of the torque change.
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
        if high - low < NARROW * high:  # too narrow to divide
            left += [each for each in rest if each[0] < each[1]]
        else:
            todo += rest
    return leaf._replace(arcs=tuple(sorted(left)), hard=hard)


class _Alike:
    """Torque change that is the same at every frequency."""

    most = 60  # largest number of arcs in a leaf

    def __init__(self, model: UncertainLoop, shape: Shape, size: float) -> None:
        self.system, self.blocks = model.closed(shape, size, pi)

    def __call__(self, low: float, at: float, high: float) -> Arc | None:
        """Return an arc around an angle on which the margin is established; None if there is none."""
        return _arc(self.system, self.blocks, at)


class _Late:
    """Torque delay; on each arc the phase shift at the upper end is used."""

    most = 300

    def __init__(self, folded: Folded, model: UncertainLoop, shape: Shape, size: float) -> None:
        self.folded, self.model, self.shape, self.size = folded, model, shape, size

    def __call__(self, low: float, at: float, high: float) -> Arc | None:
        """Return an arc around an angle, between low and high, with an established margin, or None."""
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
