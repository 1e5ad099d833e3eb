"""The user's own potentials and efforts as one plain Python function of the plant's state.

This is the uncompiled form, also on complex numbers; `polhode.sim` compiles the same functions for its loop.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .dynamics import add_load
from .effort import Effort
from .parameters import LINEAR_MOMENTUM, MASS, POSITION, TRANSLATION, W_V
from .potentials.user import Potential, potential_load

__all__ = ["python_user_loads"]


def python_user_loads(
    potentials: Sequence[Potential], efforts: Sequence[Effort]
) -> Callable[[float, Any, Any, Any, Any], None]:
    """Return loads(t, x, p, dx, w), which adds all of them to the rates of change.

    Parameters
    ----------
    potentials : sequence of Potential
        The user's own potentials.
    efforts : sequence of Effort
        The user's own torques and forces.

    Returns
    -------
    callable
        loads(t, x, p, dx, w) adds all their torques and forces to dx.
    """

    def loads(t: float, x: Any, p: Any, dx: Any, w: Any) -> None:
        e = np.array(x[3:7])
        c = np.zeros(3, dtype=e.dtype)
        v = np.zeros(3, dtype=e.dtype)
        if p[TRANSLATION] != 0.0:
            position, linear = int(p[POSITION]), int(p[LINEAR_MOMENTUM])
            c = np.array(x[position : position + 3])
            v = np.array(x[linear : linear + 3]) / p[MASS]
        for potential in potentials:
            add_load(x, p, dx, w, False, *potential_load(*e, *potential.slope(c, e)))
        if efforts:
            at = int(p[W_V])
            omega = np.array(w[at : at + 3])
            for effort in efforts:
                add_load(x, p, dx, w, True, *effort.function(t, e, omega, c, v))

    return loads
