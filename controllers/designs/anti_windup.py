"""Anti-windup for any compensator: its states estimated from the command that really went out."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import DesignError

__all__ = ["automatic_tracking"]

Array = NDArray[np.float64]

SLOW = 1e-9  # an eigenvalue this near the unit circle, or outside, winds up


def automatic_tracking(A: Array, B: Array, C: Array, *, D: Array) -> Array:
    """Return T of x[k+1] = A x + B y + T (limited u - u) that keeps x bounded under saturation.

    Where A is stable there is nothing to wind up, and T is zero: the system is flown as it is. Otherwise the command
    is taken as a measurement of the states: with y as white noise, u = C x + D y is a noisy one, and T is the Kalman
    gain of that, so that A - T C is stable. For a square compensator with stable inverse this is T = B D^-1, the
    conditioning technique (Hanus, Kinnaert & Henrotte 1987).

    A, B, C, D: the compensator, discrete -> (n, p). Raises DesignError when a state that does not decay is not seen in
    the command.
    """
    if not len(A) or float(np.abs(np.linalg.eigvals(A)).max()) < 1.0 - SLOW:
        return np.zeros((len(A), len(C)))
    from scipy import linalg

    direct, driven = D @ D.T, B @ B.T
    R = direct + 1e-9 * max(float(np.trace(direct)), float(np.trace(C @ C.T)), 1e-300) * np.eye(len(C))
    Q = driven + 1e-9 * max(float(np.trace(driven)), 1e-300) * np.eye(len(A))
    S = B @ D.T
    try:
        P = cast("Any", linalg).solve_discrete_are(A.T, C.T, Q, R, s=S)
    except (np.linalg.LinAlgError, ValueError) as error:
        raise DesignError(
            f"no anti-windup gain exists for this compensator ({error}): a state that does not decay is not "
            "seen in its output; take it out, or fly it with anti_windup=False"
        ) from None
    return np.asarray(np.linalg.solve(C @ P @ C.T + R, (A @ P @ C.T + S).T).T, dtype=np.float64)
