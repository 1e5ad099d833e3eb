"""Warning about wheels that creep where dry friction would hold them."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...plant.elements.element import coordinate_slices
from ...plant.elements.signal import element_labels
from ...plant.elements.wheel import Wheel

if TYPE_CHECKING:
    from .run import Run

SLOW = 3.0  # rate over the smoothing rate up to which a wheel under less torque than its friction counts as creeping
WEAK = 0.05  # torque over dry friction from which a slow wheel creeps instead of coming to rest
FAR = 1.0  # rad: angle from which a warning is given
LONG = 0.01  # fraction of the run time from which a warning is given


def creeping_wheels(run: "Run") -> list[str]:
    """Return a sentence for each wheel that crept under a motor torque below its dry friction, at the output rows."""
    if run.t.size < 2:
        return []
    found: list[str] = []
    elements = run.craft.elements
    for (element, own), label in zip(coordinate_slices(elements), element_labels(elements), strict=True):
        if isinstance(element, Wheel) and element.dry_friction > 0.0 and element.has_motor:
            found += _creeping(run, element, own.start, label)
    return found


def _creeping(run: "Run", wheel: Wheel, number: int, label: str) -> list[str]:
    labels = run.components("motor_torque")[0]
    torques: Any = np.reshape(run.values("motor_torque"), (run.t.size, -1))
    torque = np.abs(torques[:, labels.index(label)])
    rate = np.abs(run.values("internal_rate")[:, number])
    holds = (torque > WEAK * wheel.dry_friction) & (torque < wheel.dry_friction)
    slow = holds & (rate < SLOW * wheel.smoothing_rate)
    both, steps = slow[1:] & slow[:-1], np.diff(run.t)
    time, angle = float(steps @ both), float((0.5 * (rate[1:] + rate[:-1]) * steps) @ both)
    if angle < FAR or time < LONG * float(run.t[-1] - run.t[0]):
        return []
    words = (
        f"{label.replace('_', ' ')} crept by {angle:.3g} rad in {time:.3g} s, at up to {rate[slow].max():.3g} rad/s, "
        f"under a motor torque below its friction of {wheel.dry_friction:g} N m, which would hold a real wheel: "
        f"friction is smoothed over {wheel.smoothing_rate:g} rad/s; reduce coulomb_rate (rad/s) to reduce the creep"
    )
    return [words]
