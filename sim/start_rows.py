"""How many runs of a craft without elements start, and what inertia each has: worked out for all of them at once.

What comes out is what the single craft and its single state say, to the bit; of a run that does not pass, they say why.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..plant import Spacecraft
from ..plant.checks import UNIT, norms
from ..plant.hub.inertia import inertia_matrices
from ..plant.hub.internal_state import momentum_at
from ..plant.hub.packing import body_numbers

__all__ = ["StartRows", "inertia_of", "is_bare", "start_rows"]

Array = NDArray[np.float64]

WIDTHS = {"attitude": 4, "rate": 3, "momentum": 3}


class StartRows(NamedTuple):
    """x (n, 7): states at t = 0; of_body (n, 27): what `body_numbers` says of each; fine (n,): whether it may fly."""

    x: Array
    of_body: Array
    fine: NDArray[np.bool_]


def is_bare(craft: Spacecraft) -> bool:
    """Whether nothing but its inertia says how a craft turns, and nothing but momentum and attitude is its state."""
    more = craft.elements or craft.potentials or craft.efforts or craft.external or craft.translation
    return not more and craft.body.pivot is None


def inertia_of(crafts: Sequence[Spacecraft]) -> Array | None:
    """Return the tensors of crafts that differ in nothing else, (n, 3, 3); None where they do."""
    first = crafts[0]
    for craft in crafts:
        if not is_bare(craft) or craft.torques is not first.torques or craft.body.mass != first.body.mass:
            return None
    return np.array([craft.body.inertia for craft in crafts])


def start_rows(inertia: Array, parts: Mapping[str, Array], *, checked: bool) -> StartRows | None:
    """Return how runs start.

    inertia (n, 3, 3): of each; parts: attitude, rate or momentum, of all or a row of each; checked: whether the inertia
    is that of a craft -> None where the single state must say what is wrong with all of them.
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
