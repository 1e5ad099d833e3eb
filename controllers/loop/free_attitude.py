"""A loop under a law that holds no attitude, of which a block beside it looks at the attitude all the same: a gyro.

A turn of everything, craft and memories of blocks alike, then changes nothing that the law is shown, and stays as it
is: a pole at z = 1 that belongs to no part of the loop. It is taken out, as it is without such a block, by looking at
what the other states are beside the attitude: y = x - M theta, where (theta, M theta) is such a turn.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .lifted import LiftedParts

__all__ = ["TURN", "parts_beside", "turns_with", "without_attitude"]

Array = NDArray[np.float64]

TURN = 3  # states of the attitude, the first
ALIKE = 1e-9


def turns_with(F: Array, C: Array) -> Array | None:
    """Return M (n - 3, 3), how the other states go with a turn; None where a turn is not left as it is, or is seen.

    F (n, n): from period to period, the attitude first; C: rows of what is shown.
    """
    rest = F[TURN:]
    system = np.vstack((np.eye(len(rest)) - rest[:, TURN:], F[:TURN, TURN:], C[:, TURN:]))
    wanted = np.vstack((rest[:, :TURN], np.eye(TURN) - F[:TURN, :TURN], -C[:, :TURN]))
    M = np.asarray(np.linalg.lstsq(system, wanted, rcond=None)[0], dtype=np.float64)
    off = float(np.abs(system @ M - wanted).max(initial=0.0))
    return M if off < ALIKE * max(1.0, float(np.abs(M).max(initial=0.0))) else None


def without_attitude(F: NDArray[Any], M: Array) -> NDArray[Any]:
    """Return what takes the other states, beside the attitude, from period to period."""
    return F[TURN:, TURN:] - M @ F[:TURN, TURN:]


def parts_beside(parts: LiftedParts, M: Array) -> LiftedParts:
    """Return the parts of a loop beside its attitude."""
    return LiftedParts(
        F=without_attitude(parts.F, M),
        G=parts.G[TURN:] - M @ parts.G[:TURN],
        C=parts.C[:, TURN:],
        P=parts.P[TURN:] - M @ parts.P[:TURN],
    )
