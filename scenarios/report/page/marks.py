"""Times marked in every chart: mode transitions and jumps of the reference."""

from typing import TYPE_CHECKING, Any

from ....sim.results.mode_intervals import MODE_QUANTITY, mode_intervals
from ..followed_reference import reference_jumps
from .chart import Mark

if TYPE_CHECKING:
    from ....sim import Run


def modes_of(run: "Run") -> list[dict[str, Any]]:
    """Return the intervals of the control system's modes in order of time; empty if there are no modes."""
    if MODE_QUANTITY not in run.names or not run.labels(MODE_QUANTITY):
        return []
    return [
        {"mode": each.mode, "start": each.start, "end": each.end, "why": each.why, "unseen": each.unseen}
        for each in mode_intervals(run)
    ]


def jump_marks(run: "Run") -> tuple[Mark, ...]:
    """Return a mark at each jump of the reference, where only the attitude error is discontinuous."""
    return tuple(Mark(time=time, label="reference changes", kind="jump") for time in reference_jumps(run))
