"""Messages about the cause when an implicit step has no solution."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...plant import Spacecraft, TorquePulse
from ...plant.elements.signal import element_labels
from ..engine import indices as at
from ..engine.fastest import fastest
from ..engine.halved import MOST_TRIALS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..engine.loop import Loop

FOLDED = 150.0
"""Angle between neighbouring nodes of an arm above which it is reported, deg; at 180 deg, the element is singular."""


def no_solution(loop: "Loop", pulses: Sequence[TorquePulse]) -> str:
    """Return the reason for the end of a run whose implicit step has no solution.

    Times are rounded to a hundredth of the step, because the end of the last halved steps depends on round-off.
    """
    b = loop.arrays
    t, step, shortest = float(b.clock[at.T]), float(b.clock[at.STEP]), float(b.clock[at.SHORTEST])
    places = max(3, math.ceil(math.log10(max(t / step, 1.0))) + 2)
    head = f"at t = {t:.{places}g} s the implicit equations have no solution with a step of {step:.4g} s"
    if b.count[at.TRIALS] < MOST_TRIALS:
        return (
            f"{head}, nor with halved steps down to {shortest:.2g} s: a load or an element is discontinuous there, "
            "as a sign or a switch does; make it continuous over a small range, or use dop853"
        )
    found = fastest(loop.craft, b.x, t=t, u=b.u, pulses=pulses)
    words = f"{head}, which was not completed after {MOST_TRIALS} parts, halved down to {shortest:.1g} s"
    words += f"; {found.words}" if found.words else ""
    words += _folded(loop.craft, b.x)
    return f"{words}; use a shorter step or dop853, and check the units of inertia, rate, torque and stiffness"


def _folded(craft: Spacecraft, x: "NDArray[np.float64]") -> str:
    """Return a clause about the arm that is bent or twisted most between two nodes, if close to singular."""
    from ...plant.flexible import Arm, node_attitudes

    arms = [element for element in craft.elements if isinstance(element, Arm)]
    labels = [label for label, each in zip(element_labels(craft.elements), craft.elements, strict=True) if each in arms]
    worst, words = 0.0, ""
    for label, rows in zip(labels, node_attitudes(craft, x[None, : craft.layout.size]) if arms else (), strict=True):
        e = rows[0]
        angles = 2.0 * np.degrees(np.arccos(np.minimum(np.abs((e[1:] * e[:-1]).sum(axis=1)), 1.0)))
        k = int(angles.argmax())
        if angles[k] > max(FOLDED, worst + 1.0):  # of identical arms, report the first
            worst = float(angles[k])
            words = (
                f"; {label} is bent or twisted by {worst:.0f} deg between nodes {k} and {k + 1}, but the strain of an "
                "element is undefined at 180: use more elements for the arm, or check its stiffness"
            )
    return words
