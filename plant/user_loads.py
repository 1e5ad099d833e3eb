"""The user's own potentials and efforts as one plain Python function of the plant's state.

This is the uncompiled form, also on complex numbers; `polhode.sim` compiles the same functions for its loop.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .dynamics import body_rate
from .effort import Effort
from .parameters import LINEAR_MOMENTUM, MASS, POSITION, TRANSLATION
from .potentials.user import Potential

__all__ = ["python_user_loads"]


def python_user_loads(
    potentials: Sequence[Potential], efforts: Sequence[Effort]
) -> Callable[[float, Any, Any, Any], None]:
    """Return loads(t, x, p, w), which adds all of them to the twelve numbers w.

    Parameters
    ----------
    potentials : sequence of Potential
        The user's own potentials.
    efforts : sequence of Effort
        The user's own torques and forces.

    Returns
    -------
    callable
        Adds potential torque and force to w[0:6], the others to w[6:12]; torques in body components, forces
        inertial.
    """

    def loads(t: float, x: Any, p: Any, w: Any) -> None:
        e = np.array(x[3:7])
        c = np.zeros(3, dtype=e.dtype)
        v = np.zeros(3, dtype=e.dtype)
        if p[TRANSLATION] != 0.0:
            c = np.array(x[POSITION : POSITION + 3])
            v = np.array(x[LINEAR_MOMENTUM : LINEAR_MOMENTUM + 3]) / p[MASS]
        for potential in potentials:
            slope = potential.slope(c, e)
            w[3:6] -= slope[:3]
            g0, g1, g2, g3 = slope[3:]
            w[0] -= 0.5 * (-e[1] * g0 + e[0] * g1 + e[3] * g2 - e[2] * g3)
            w[1] -= 0.5 * (-e[2] * g0 - e[3] * g1 + e[0] * g2 + e[1] * g3)
            w[2] -= 0.5 * (-e[3] * g0 + e[2] * g1 - e[1] * g2 + e[0] * g3)
        if efforts:
            omega = np.array(body_rate(x, p))
            for effort in efforts:
                w[6:12] += np.asarray(effort.function(t, e, omega, c, v))

    return loads
