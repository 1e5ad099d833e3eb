"""Warning about motors whose demands were too small for them during much of a run."""

from typing import TYPE_CHECKING

from ...plant.elements.element import coordinate_slices
from ...plant.elements.signal import element_labels
from ...plant.elements.wheel import Wheel

if TYPE_CHECKING:
    from .run import Run

LONG = 0.5  # fraction of the run time from which a warning is given


def dead_zones(run: "Run") -> list[str]:
    """Return a sentence for each wheel whose demand was in the dead zone of its motor for much of the run."""
    elements = run.craft.elements
    sentences: list[str] = []
    for (element, _), label in zip(coordinate_slices(elements), element_labels(elements), strict=True):
        if not isinstance(element, Wheel) or element.minimum_torque is None:
            continue
        time = run.counters.get(f"{label}_in_dead_zone_s", 0.0)
        if time > LONG * run.end_time:
            sentences.append(
                f"{label.replace('_', ' ')} gave no torque for {time:.4g} of {run.end_time:.4g} s, when its demand was "
                f"below the minimum torque of its motor, {element.minimum_torque:g} N m: the attitude then drifts or "
                "remains in a limit cycle, and margins of the linear loop do not hold; use a motor with a smaller "
                "minimum_torque (N m), or accept the error that the run shows"
            )
    return sentences
