"""Initial states and inertias of many runs of a spacecraft that has no elements, computed as arrays.

The values are bitwise identical to those of runs simulated individually. If a check fails, the individual run reports
the reason.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...plant import Spacecraft
from ...plant.checks import UNIT, norms
from ...plant.hub.inertia import inertia_matrices
from ...plant.hub.internal_state import momentum_at
from ...plant.hub.packing import body_numbers

Array = NDArray[np.float64]

WIDTHS = {"attitude": 4, "rate": 3, "momentum": 3}


class StartRows(NamedTuple):
    """Initial states `x` (n, 7), body parameters `of_body` (n, 27), and validity flags `fine` (n,)."""

    x: Array
    of_body: Array
    fine: NDArray[np.bool_]


def is_bare(craft: Spacecraft) -> bool:
    """Return whether a spacecraft is a free rigid body, with only momentum and attitude as its state."""
    more = craft.elements or craft.potentials or craft.user_forces or craft.external or craft.translation
    return not more and craft.body.pivot is None


def inertia_of(crafts: Sequence[Spacecraft]) -> Array | None:
    """Return the inertias (n, 3, 3) of spacecraft that differ only in inertia; otherwise None."""
    first = crafts[0]
    for craft in crafts:
        if not is_bare(craft) or craft.torques is not first.torques or craft.body.mass != first.body.mass:
            return None
    return np.array([craft.body.inertia for craft in crafts])


def start_rows(inertia: Array, parts: Mapping[str, Array], *, checked: bool) -> StartRows | None:
    """Return the initial states of runs; None if an error applies to all, which a single run then reports.

    inertia (n, 3, 3): tensor of each run; parts: attitude, rate or momentum, one for all or a row for each; checked:
    whether the inertia comes from a spacecraft.
    """
    if any(name not in WIDTHS or part.shape[-1:] != (WIDTHS[name],) for name, part in parts.items()):
        return None
    if "rate" in parts and "momentum" in parts:
        return None
    runs = len(inertia)
    e = np.broadcast_to(parts.get("attitude", np.array((1.0, 0.0, 0.0, 0.0))), (runs, 4))
    size = norms(e)
    fine = np.abs(size - 1.0) <= UNIT
    if not checked:
        inertia, faults = inertia_matrices(inertia)
        fine &= faults == 0
        inertia = np.where(fine[:, None, None], inertia, np.eye(3))
    rate = np.broadcast_to(parts.get("rate", np.zeros(3)), (runs, 3))
    momentum = parts.get("momentum", momentum_at(inertia, rate))
    x = np.concatenate([np.broadcast_to(momentum, (runs, 3)), e / np.where(fine, size, 1.0)[:, None]], axis=1)
    return StartRows(x, body_numbers(inertia), fine)
