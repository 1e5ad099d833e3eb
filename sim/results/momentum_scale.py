"""What the momentum of a craft is large or small beside: the sum of what its parts hold, which may cancel."""

from typing import TYPE_CHECKING

import numpy as np

from ..steppers.error_floors import SLOW

if TYPE_CHECKING:
    from ...plant import Spacecraft
    from .run import Run

__all__ = ["largest_momentum", "slow_momentum"]


def largest_momentum(run: "Run") -> float:
    """Return the largest |H| of the rows, or with elements the largest sum of what hub and elements hold of it, N m s.

    Wheels beside each other may hold much and the craft nothing: |J omega| + sum |M_k sdot_k|, J the inertia with
    everything locked and M_k how the rate of coordinate k enters the momentum, as at t = 0.
    """
    largest = max(float(np.linalg.norm(piece, axis=1).max()) for piece in run.pieces("momentum"))
    if not run.craft.elements:
        return largest
    mass = run.craft.initial_mass_matrix
    rates = [run.pieces("rate")]
    if mass.shape[0] > 3:  # an arm has states of its own, and no coordinates
        rates.append(run.pieces("internal_rate"))
    for pieces in zip(*rates, strict=True):
        held = np.linalg.norm(pieces[0] @ mass[:3, :3], axis=1)
        if len(pieces) > 1:
            held = held + np.abs(pieces[1]) @ np.linalg.norm(mass[:3, 3:], axis=0)
        largest = max(largest, float(held.max()))
    return largest


def slow_momentum(craft: "Spacecraft") -> float:
    """Return the momentum of a turn of 1e-6 rad/s, N m s: of slower ones a share says nothing."""
    return SLOW * float(np.trace(craft.body.inertia)) / 3.0
