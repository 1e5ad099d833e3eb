# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""One step of any explicit Runge-Kutta method, read from its tableau."""

from ...plant.hub.dynamics import derivative
from ...plant.kernels.kernel import kernel
from .stage_times import stage_times

__all__ = ["explicit_step"]


@kernel
def explicit_step(t, h, x, u, p, user, w, y, stages, tableau):
    """Write x(t + h) into y; stages[0] holds the derivative at x already, the next rows are filled.

    tableau (s + 2, s): a, b and c, see `Stepper`.
    """
    n = x.size
    count = tableau.shape[1]
    first, last = stage_times(t, h)
    for s in range(1, count):
        for i in range(n):
            total = 0.0
            for m in range(s):
                total += tableau[s, m] * stages[m, i]
            y[i] = x[i] + h * total
        derivative(max(min(t + tableau[count + 1, s] * h, last), first), y, u, p, stages[s], user, w)
    for i in range(n):
        total = 0.0
        for m in range(count):
            total += tableau[count, m] * stages[m, i]
        y[i] = x[i] + h * total
