"""Scale of the momentum of a spacecraft: sum of the magnitudes of the momenta of its parts."""

from typing import TYPE_CHECKING

import numpy as np

from ..engine.steppers.error_floors import SLOW
from .row_norms import row_norms
from .shared_rows import once

if TYPE_CHECKING:
    from ...plant import Spacecraft
    from .run import Run


@once
def largest_momentum(run: "Run") -> float:
    """Return the largest |H| of the rows; with elements, the largest sum over hub and elements, N m s.

    Momenta of wheels may be large but cancel. Hence the sum is |J omega| + sum |M_k sdot_k|, with J the inertia with
    all elements locked and M_k the momentum per rate of coordinate k, both at t = 0.
    """
    largest = max(float(row_norms(piece).max()) for piece in run.pieces("momentum"))
    if not run.craft.elements:
        return largest
    mass = run.craft.initial_mass_matrix
    rates = [run.pieces("rate")]
    if mass.shape[0] > 3:  # arms have states but no coordinates
        rates.append(run.pieces("internal_rate"))
    for pieces in zip(*rates, strict=True):
        held = row_norms(pieces[0] @ mass[:3, :3])
        if len(pieces) > 1:
            held = held + np.abs(pieces[1]) @ np.linalg.norm(mass[:3, 3:], axis=0)
        largest = max(largest, float(held.max()))
    return largest


def slow_momentum(craft: "Spacecraft") -> float:
    """Return the momentum at 1e-6 rad/s, N m s: a floor for relative errors."""
    return SLOW * float(np.trace(craft.body.inertia)) / 3.0
