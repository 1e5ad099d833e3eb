"""Loops whose law does not control the attitude, although a block such as a gyro measures it.

A common rotation of the spacecraft and of the attitudes stored in the blocks then changes no measurement of the law,
and persists. The rotation adds a pole at z = 1 that the law can neither measure nor move. The change of coordinates
y = x - M theta, where (theta, M theta) is such a rotation, removes this pole.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .lifted import LiftedParts

Array = NDArray[np.float64]

TURN = 3  # number of attitude states, which come first
ALIKE = 1e-9


def turns_with(F: Array, C: Array) -> Array | None:
    """Return M, the remaining states of a common rotation; None if it does not persist or is measured.

    F (n, n): transition matrix over a period, the attitude first; C: output matrix -> M (n - 3, 3).
    """
    rest = F[TURN:]
    system = np.vstack((np.eye(len(rest)) - rest[:, TURN:], F[:TURN, TURN:], C[:, TURN:]))
    wanted = np.vstack((rest[:, :TURN], np.eye(TURN) - F[:TURN, :TURN], -C[:, :TURN]))
    M = np.asarray(np.linalg.lstsq(system, wanted, rcond=None)[0], dtype=np.float64)
    off = float(np.abs(system @ M - wanted).max(initial=0.0))
    return M if off < ALIKE * max(1.0, float(np.abs(M).max(initial=0.0))) else None


def without_attitude(F: NDArray[Any], M: Array) -> NDArray[Any]:
    """Return the transition matrix, over a period, of the remaining states relative to the attitude."""
    return F[TURN:, TURN:] - M @ F[:TURN, TURN:]


def parts_beside(parts: LiftedParts, M: Array) -> LiftedParts:
    """Return the parts of a loop with the attitude removed and all other states relative to it."""
    return LiftedParts(
        F=without_attitude(parts.F, M),
        G=parts.G[TURN:] - M @ parts.G[:TURN],
        C=parts.C[:, TURN:],
        P=parts.P[TURN:] - M @ parts.P[:TURN],
    )
