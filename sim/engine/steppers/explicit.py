# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Step of any explicit Runge-Kutta method, given its tableau."""

from ....plant.hub.dynamics import derivative
from ....plant.kernels.kernel import kernel
from .dop853_coefficients import A
from .free_rates import free_derivative, is_free
from .order8_step import order8_step
from .stage_times import stage_times

ORDER8_STAGES = 12


@kernel(inline=True)
def _combined(row, count, h, x, stages, tableau, y):
    """Write x + h sum_m tableau[row, m] stages[m] to y, m < count.

    Four independent sums are computed at a time. Zero weights are skipped (at high order, half of all weights are
    zero).
    """
    n = x.size
    i = 0
    while i < n:
        i = min(i, n - 4)  # the last group of four may overlap with the previous one and recompute some entries
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for m in range(count):
            weight = tableau[row, m]
            if weight != 0.0:
                a += weight * stages[m, i]
                b += weight * stages[m, i + 1]
                c += weight * stages[m, i + 2]
                d += weight * stages[m, i + 3]
        y[i], y[i + 1], y[i + 2], y[i + 3] = x[i] + h * a, x[i + 1] + h * b, x[i + 2] + h * c, x[i + 3] + h * d
        i += 4


@kernel
def explicit_step(t, h, x, u, p, user, w, y, stages, tableau):
    """Write x(t + h) to y; stages[0] holds the derivative at x, the other rows are computed.

    tableau (s + 2, s): rows of a, then b, then c; see `Stepper`.
    """
    count = tableau.shape[1]
    first, last = stage_times(t, h)
    free = is_free(p)
    if count == ORDER8_STAGES and tableau[1, 0] == A[1, 0]:
        if free:
            order8_step(True, t, h, x, u, p, user, w, y, stages)
        else:
            order8_step(False, t, h, x, u, p, user, w, y, stages)
        return
    for s in range(1, count):
        _combined(s, s, h, x, stages, tableau, y)
        if free:
            free_derivative(y, u, p, stages[s])
        else:
            derivative(max(min(t + tableau[count + 1, s] * h, last), first), y, u, p, stages[s], user, w)
    _combined(count, count, h, x, stages, tableau, y)
