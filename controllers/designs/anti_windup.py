"""Anti-windup for any compensator by estimation of its states from the saturated command."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import DesignError

Array = NDArray[np.float64]

SLOW = 1e-9  # a state winds up if its eigenvalue is outside the unit circle or this close to it
UNMOVED = 1e-12  # distance from the unit circle below which the gain has not moved an eigenvalue


def automatic_tracking(A: Array, B: Array, C: Array, *, D: Array) -> Array:
    """Return the gain T of x[k+1] = A x + B y + T (limited u - u) that keeps x bounded under saturation.

    A stable A cannot wind up: T is zero and the system is used unchanged. Otherwise the command is treated as a
    measurement of the states: for white noise y, u = C x + D y is a noisy measurement. T is the corresponding Kalman
    gain, which makes A - T C stable. For a square compensator with a stable inverse, T = B D^-1, which is the
    conditioning technique (Hanus, Kinnaert & Henrotte 1987).

    A, B, C, D: the discrete compensator -> T (n, p). Raises DesignError when a state that does not decay is
    unobservable in the command.
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
        gain = np.asarray(np.linalg.solve(C @ P @ C.T + R, (A @ P @ C.T + S).T).T, dtype=np.float64)
        radius = float(np.abs(np.linalg.eigvals(A - gain @ C)).max())
    except (np.linalg.LinAlgError, ValueError) as error:
        raise _unobservable(str(error)) from None
    if radius > 1.0 - UNMOVED:  # the solver also returns solutions that do not stabilise
        raise _unobservable(f"the spectral radius of A - T C is {radius:.6g}")
    return gain


def check_tracking(A: Array, C: Array, *, tracking: Array) -> None:
    """Raise DesignError if the states of a compensator grow while its command is saturated: A - T C is unstable.

    A gain of zero is accepted: the user has chosen states that ignore the limit.

    A, C: the discrete compensator u = C x + D y; tracking: the anti-windup gain T (n, p).
    """
    if not tracking.any():
        return
    radius = float(np.abs(np.linalg.eigvals(A - tracking @ C)).max())
    if radius > 1.0 + SLOW:
        raise DesignError(
            f"with the given anti-windup gain T (tracking), the states of the law grow under saturation by a factor of "
            f"{radius:.6g} per sample (A - T C is unstable); omit tracking, which then follows from A, B, C and D, or "
            "state another gain"
        )


def _unobservable(reason: str) -> DesignError:
    return DesignError(
        f"no anti-windup gain exists for this compensator ({reason}): a state that does not decay is unobservable in "
        "its output; remove it, or state the gain (anti_windup=False of law_from_system, tracking of state_space_law)"
    )
