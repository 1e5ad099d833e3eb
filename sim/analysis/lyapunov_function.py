"""Lyapunov functions of the nonlinear laws, where one is known."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...controllers import EnergyShaping, Law, QuaternionFeedback
from ...plant.brief import brief
from ...plant.errors import DesignError
from ...plant.frozen import frozen_arrays
from ...plant.one_thread import one_thread

__all__ = ["LyapunovFunction", "lyapunov_function"]

Array = NDArray[np.float64]

ROUNDING = 1e-9


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class LyapunovFunction:
    """V of the error attitude and the rate error, with what the theorem says of V'.

    Parameters
    ----------
    words : str
        The formula.
    unit : str
        Its unit.
    value : callable
        value(e_err, v), with e_err of the cover e_err0 >= 0 and v = omega - R_err' omega_ref.
    damping : numpy.ndarray, shape (3, 3)
        D of V' = - v' D v, symmetric, in continuous time and without limits.
    """

    words: str
    unit: str
    value: Callable[[Array, Array], float]
    damping: Array

    __repr__ = brief


@one_thread
def lyapunov_function(law: Law, *, moving: bool = False) -> LyapunovFunction:
    """Return the Lyapunov function of quaternion feedback or energy shaping.

    For quaternion feedback with gains Kp and Kd and P = Kp^-1,

        V = 1/2 v' P J v + 2 (1 - e_err0),      V' = - v' P Kd v

    in continuous time (Wie, Weiss & Arapostathis 1989; Wen & Kreutz-Delgado 1991), if

    - P J is symmetric: Kp a number, or a multiple of J, or of one eigenbasis with it;
    - the symmetric part of P Kd is positive definite;
    - the gyroscopic torque is cancelled, or else the reference is at rest and w' P (w x J w) = 0 for every w:
      P = a J + b.

    For any other matrix Kp, Kp vec(e_err) is not the gradient of a function of the attitude that is known, so there
    is no such V; the law may be stable all the same. For energy shaping V is its storage function.

    Parameters
    ----------
    law : Law
        `QuaternionFeedback` or `EnergyShaping`.
    moving : bool
        Whether the reference moves.

    Returns
    -------
    LyapunovFunction
        V and the damping in V'.

    Raises
    ------
    DesignError
        When none is known, with the condition that fails.

    Examples
    --------
    >>> law = QuaternionFeedback(inertia=(3, 2, 1), stiffness=0.1, damping=1.0, sample=0.1)
    >>> found = lyapunov_function(law)
    >>> found.words, round(found.value(np.array([0.8, 0.6, 0, 0]), np.zeros(3)), 12)
    ("1/2 v' Kp^-1 J v + 2 (1 - e_err0)", 0.4)
    """
    if isinstance(law, EnergyShaping):
        return LyapunovFunction(
            words="1/2 v' J v + 1/2 tr(G (1 - R_err)), the storage function", unit="J", value=law.storage,
            damping=np.array(law.damping),
        )  # fmt: skip
    if not isinstance(law, QuaternionFeedback):
        raise DesignError(f"no Lyapunov function of a {type(law).__name__} is known here; look at its runs instead")
    J = law.inertia
    P: Array = np.linalg.inv(law.stiffness).astype(np.float64)
    kinetic, loss = P @ J, P @ law.damping
    if float(np.abs(kinetic - kinetic.T).max()) > ROUNDING * float(np.abs(kinetic).max()):
        raise DesignError(
            "no Lyapunov function is known: Kp^-1 J is not symmetric, so Kp vec(e_err) is no gradient; take a Kp that "
            "is a number or a multiple of J"
        )
    damping = 0.5 * (loss + loss.T)
    lowest = float(np.linalg.eigvalsh(damping).min())
    if lowest <= 0.0:
        raise DesignError(
            "V = 1/2 v' Kp^-1 J v + 2 (1 - e_err0) does not decrease along every motion: the symmetric part of "
            f"Kp^-1 Kd has the eigenvalue {lowest:g} s; take a Kd that is a multiple of Kp or of J"
        )
    if not law.gyroscopic and (moving or _gyroscopic_power(J, P) > ROUNDING):
        raise DesignError(
            "no Lyapunov function is known: the gyroscopic torque is not cancelled and does work in "
            "v' Kp^-1 J v; take gyroscopic=True, or for a reference at rest a Kp with Kp^-1 = a J + b"
        )

    def value(error: Array, rate: Array) -> float:
        # 1 - e0 = |vec|^2 / (1 + e0): no digits lost near the reference
        return float(0.5 * rate @ kinetic @ rate + 2.0 * (error[1:] @ error[1:]) / (1.0 + error[0]))

    return LyapunovFunction(words="1/2 v' Kp^-1 J v + 2 (1 - e_err0)", unit="1", value=value, damping=damping)


def _gyroscopic_power(J: Array, P: Array) -> float:
    """The largest |w' P (w x J w)| over vectors in general position, relative."""
    directions = np.array([(1, 1, 1), (1, -1, 1), (1, 1, -1), (-1, 1, 1), (1, 2, 3), (3, 1, 2), (2, 3, 1)], dtype=float)
    size = float(np.abs(P).max() * np.abs(J).max())
    return max(abs(float(w @ P @ np.cross(w, J @ w))) / (float(w @ w) ** 1.5 * size) for w in directions)
