"""Known Lyapunov functions of nonlinear laws."""

from ...controllers import Law
from ...controllers.contracts.law_defaults import with_defaults
from ...controllers.laws.lyapunov import LyapunovFunction
from ...plant.one_thread import one_thread


@one_thread
def lyapunov_function(law: Law, *, moving: bool = False) -> LyapunovFunction:
    """Return the Lyapunov function that a law provides: see `QuaternionFeedback.lyapunov`.

    Parameters
    ----------
    law : Law
        `QuaternionFeedback`, `EnergyShaping`, or a custom law with a method `lyapunov`.
    moving : bool
        Whether the reference moves.

    Returns
    -------
    LyapunovFunction
        V, and the damping matrix D in V' = - v' D v.

    Raises
    ------
    DesignError
        When no Lyapunov function is known; the message names the condition that fails.

    Examples
    --------
    >>> import numpy as np
    >>> from polhode.controllers import QuaternionFeedback
    >>> law = QuaternionFeedback(inertia=(3, 2, 1), stiffness=0.1, damping=1.0, sample=0.1)
    >>> found = lyapunov_function(law)
    >>> found.words, round(found.value(np.array([0.8, 0.6, 0, 0]), np.zeros(3)), 12)
    ("1/2 v' Kp^-1 J v + 2 (1 - e_err0)", 0.4)
    """
    return with_defaults(law).lyapunov(moving=moving)
