"""Warning about motors whose demands were too small for them during much of a run."""

from typing import TYPE_CHECKING

from ...plant.elements.signal import element_labels
from ...plant.elements.wheel import Wheel

if TYPE_CHECKING:
    from .run import Run

LONG = 0.5  # fraction of the run time from which a warning is given


def dead_zones(run: "Run") -> list[str]:
    """Return a sentence for the wheels whose demand was in the dead zone of their motors for much of the run.

    There is one sentence for each value of the minimum torque.
    """
    zones: dict[float, dict[str, float]] = {}
    for element, label in zip(run.craft.elements, element_labels(run.craft.elements), strict=True):
        if isinstance(element, Wheel) and element.minimum_torque is not None:
            time = run.counters.get(f"{label}_in_dead_zone_s", 0.0)
            if time > LONG * run.end_time:
                zones.setdefault(element.minimum_torque, {})[label.replace("_", " ")] = time
    return [
        f"{', '.join(times)} gave no torque for {'' if len(times) == 1 else 'up to '}{max(times.values()):.4g} of "
        f"{run.end_time:.4g} s, when the demand was below the minimum torque of the motor, {least:g} N m: the attitude "
        "then drifts or remains in a limit cycle, and margins of the linear loop do not hold; use a motor with a "
        "smaller minimum_torque (N m), or accept the error that the run shows"
        for least, times in zones.items()
    ]
