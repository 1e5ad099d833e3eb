"""Replacement of modes too fast for the sampling period with their static gain."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def without_fast_modes(A: Array, B: Array, C: Array, *, D: Array, limit: float) -> tuple[Array, Array, Array, Array]:
    """Replace a continuous system's modes whose |eigenvalue| exceeds a limit with their static gain.

    The poles of an optimal H-infinity law can tend to infinity. Tustin's rule would map them to z = -1.

    A, B, C, D: the system; limit: 1/s -> the slow part, with the static gain of the fast part added to D. The parts are
    separated by an ordered real Schur form and a Sylvester equation.
    """
    from scipy import linalg

    tool = cast("Any", linalg)

    def slower(real: float, imag: float) -> bool:
        return float(np.hypot(real, imag)) <= limit

    found: tuple[Array, Array, int] = tool.schur(A, sort=slower)
    T, Q, slow = found
    if slow == len(A):
        return A, B, C, D
    X: Array = tool.solve_sylvester(T[:slow, :slow], -T[slow:, slow:], -T[:slow, slow:])
    b, c = Q.T @ B, C @ Q
    b_slow, c_fast = b[:slow] - X @ b[slow:], c[:, :slow] @ X + c[:, slow:]
    static: Array = -c_fast @ np.linalg.solve(T[slow:, slow:], b[slow:])
    return T[:slow, :slow], b_slow, c[:, :slow], D + static
