"""Warning when a spacecraft with elements starts near an unstable spin."""

from typing import TYPE_CHECKING

import numpy as np

from ...plant.errors import PolhodeError

if TYPE_CHECKING:
    from ...sim import Run

NEAR = np.radians(20.0)
MOST_WORK = 100  # coordinates times start points of the search: 1 s for three rings, 0.1 s for ten wheels


def unstable_spin(run: "Run") -> list[str]:
    """Return a warning, from the linear model, when a free spacecraft starts near an unstable steady spin.

    The result has one sentence when the spin is unstable. It is empty when the spin is stable or unknown, when a law is
    active, or when many coordinates and start points would make the search take more than about a second.
    """
    craft, momentum = run.craft, run.start[:3]
    size = float(np.linalg.norm(momentum))
    if not craft.elements or run.law is not None or size == 0.0 or craft.potentials or craft.user_forces:
        return []
    from ...plant import spin_equilibria
    from ...plant.linear.equilibria.reduced import reduce
    from ...plant.linear.equilibria.starts import count_starts

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
