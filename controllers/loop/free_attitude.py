"""A loop whose law does not control attitude, although a block measures it: a gyro.

A common rotation of the craft and of the blocks' memories then changes no measurement of the law, and persists: a pole
at z = 1 that belongs to no part of the loop. It is removed, as without such a block, by a change of coordinates:
y = x - M theta, where (theta, M theta) is such a rotation.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .lifted import LiftedParts

Array = NDArray[np.float64]

TURN = 3  # states of the attitude, the first
ALIKE = 1e-9


def turns_with(F: Array, C: Array) -> Array | None:
    """Return M (n - 3, 3), the other states of a rotation; None where a rotation does not persist, or is measured.

    F (n, n): transition matrix over a period, the attitude first; C: output matrix.
    """
    rest = F[TURN:]
    system = np.vstack((np.eye(len(rest)) - rest[:, TURN:], F[:TURN, TURN:], C[:, TURN:]))
    wanted = np.vstack((rest[:, :TURN], np.eye(TURN) - F[:TURN, :TURN], -C[:, :TURN]))
    M = np.asarray(np.linalg.lstsq(system, wanted, rcond=None)[0], dtype=np.float64)
    off = float(np.abs(system @ M - wanted).max(initial=0.0))
    return M if off < ALIKE * max(1.0, float(np.abs(M).max(initial=0.0))) else None


def without_attitude(F: NDArray[Any], M: Array) -> NDArray[Any]:
    """Return the transition matrix of the other states, relative to the attitude, over a period."""
    return F[TURN:, TURN:] - M @ F[:TURN, TURN:]


def parts_beside(parts: LiftedParts, M: Array) -> LiftedParts:
    """Return the parts of a loop relative to its attitude."""
    return LiftedParts(
        F=without_attitude(parts.F, M),
        G=parts.G[TURN:] - M @ parts.G[:TURN],
        C=parts.C[:, TURN:],
        P=parts.P[TURN:] - M @ parts.P[:TURN],
    )
