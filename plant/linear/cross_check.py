"""Check that user functions propagate the imaginary part that carries the derivative.

A function that applies abs, a norm or float() to its arguments drops the imaginary part without an error. The linear
model would then be wrong. The derivatives of user-defined loads are therefore compared with finite differences.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..hub.dynamics import body_rate
from .deviations import groups

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

STEPS = (1e-4, 1e-6, 1e-8)  # relative steps: small ones suit steep functions, large ones keep rounding small
MISMATCH = 1e-3  # relative to the largest derivative; a dropped imaginary part causes an error of 50 % or more


def check_user_loads(craft: "Spacecraft", x: NDArray[np.float64], *, moved: Callable[[Any], Any]) -> None:
    """Raise InputError if user-defined loads cannot be differentiated by complex steps.

    x (nx,): the state; moved: moved(z) returns the state at a deviation z, real or complex. Raises InputError if a
    user function rejects complex numbers or drops their imaginary parts.
    """
    if not craft.user_forces and all(potential.gradient is None for potential in craft.user_potentials):
        return  # without user forces or user-supplied gradients, dual numbers differentiate the potentials
    p, loads = craft.pack(), craft.user_loads()

    def acting(z: Any) -> Any:
        state = moved(z)
        dx = np.zeros_like(state)
        w = craft.work_space(dtype=state.dtype)
        body_rate(0.0, state, np.zeros(3), p, w)
        loads(0.0, state, p, dx, w)
        return np.concatenate([dx[:3], dx[craft.layout.linear_momentum]])

    parts = groups(craft, x)
    n = parts[-1].rows.stop
    units = np.concatenate([np.full(part.rows.stop - part.rows.start, part.met + part.size) for part in parts])
    try:
        exact = np.array([acting(1e-40j * row).imag / 1e-40 for row in np.diag(units)])
    except Exception as failure:
        error = failure.__cause__ or failure  # exception raised by the user function
        raise InputError(
            f"a user force, or the given gradient of a potential, failed on complex numbers ({type(error).__name__}: "
            f"{error}), which carry the derivatives of the linear model; write it with arithmetic and numpy functions"
        ) from failure
    floor = 1e-9 * float(np.abs(acting(np.zeros(n))).max())
    errors: list[float] = []
    for step in STEPS:
        differences = np.array([(acting(step * row) - acting(-step * row)) / (2.0 * step) for row in np.diag(units)])
        errors.append(float(np.abs(differences - exact).max()) - floor - MISMATCH * float(np.abs(differences).max()))
    if min(errors) > 0.0:
        raise InputError(
            "the complex-step derivative of a user force, or of the given gradient of a potential, differs from finite "
            "differences: it has a kink at this state, or abs, np.linalg.norm, np.sign, float or .real in it drop the "
            "imaginary part that carries the derivative; write abs(x) as np.sqrt(x * x)"
        )
