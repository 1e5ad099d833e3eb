"""A word of warning when a craft with elements starts in a spin that does not hold."""

from typing import TYPE_CHECKING

import numpy as np

from ...plant.errors import PolhodeError

if TYPE_CHECKING:
    from ...sim import Run

__all__ = ["unstable_spin"]

NEAR = np.radians(20.0)
MOST_WORK = 100  # coordinates times places to start from: a second for three rings, a tenth for ten wheels


def unstable_spin(run: "Run") -> list[str]:
    """Return what the linear model says of the steady spin that a free craft starts near.

    One sentence where the spin is unstable; none where it holds, nothing is known, a law is in charge, or the craft has
    so many coordinates and places to start from that the search would take more than about a second.
    """
    craft, momentum = run.craft, run.start[:3]
    size = float(np.linalg.norm(momentum))
    if not craft.elements or run.law is not None or size == 0.0 or craft.potentials or craft.efforts:
        return []
    from ...plant import spin_equilibria
    from ...plant.equilibria.reduced import reduce
    from ...plant.equilibria.starts import count_starts

    try:
        system = reduce(craft)
        if system.n * count_starts(system) > MOST_WORK:
            return []
        found = spin_equilibria(craft, momentum=size)
    except PolhodeError:
        return []
    nearest = max(found, key=lambda each: abs(float(each.momentum @ momentum)))
    angle = np.arccos(min(1.0, abs(float(nearest.momentum @ momentum)) / size**2))
    return [nearest.words] if nearest.kind == "unstable" and angle < NEAR else []
