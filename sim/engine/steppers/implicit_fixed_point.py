# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Implicit step in the states of a formulation, by fixed-point iteration on the stage derivatives.

    K_i = f(t + c_i h, x + h sum a_ij K_j)        x(t + h) = x + h sum b_i K_i

The iteration converges if h times the fastest rate of the motion is well below one, which holds for any step that
resolves the motion. A formulation adds no stiffness. A step that does not converge is reported.
"""

from ....plant.hub.dynamics import derivative
from ....plant.hub.parameters import LEDGER, LEDGER_SIZE, N_STATES
from ....plant.kernels.kernel import kernel
from .implicit_layout import COEFFICIENTS, ITERATIONS, META, SCHEME, STAGES, WEIGHTS
from .sphere import project_all
from .stage_times import stage_times

MAX_ITERATIONS = 100
CLOSE = 2e-15
"""Relative change of a group of states with one unit below which the iteration has converged."""

NOISE = 1e-9
"""Relative change below which a stalled iteration is accepted; the rest is cancellation round-off."""

INFINITE = float("inf")


@kernel
def _change(h, x, p, old, new, groups):
    """Return the largest relative change of the final state, by groups of states with one unit."""
    worst = 0.0
    k = 0
    last = int(p[N_STATES])
    if p[LEDGER] != 0.0:
        last -= LEDGER_SIZE
    while k < last:
        size = 1e-300
        change = 0.0
        end = int(groups[k])
        for m in range(k, end):
            step = abs(h * (new[m] - old[m]))
            if not step < 1e300:  # true for NaN too
                return INFINITE
            size = max(size, abs(x[m]) + abs(h * new[m]))
            change = max(change, step)
        worst = max(worst, change / size)
        k = end
    return worst


@kernel
def collocate(t, h, x, u, p, user, w, y, first, implicit):
    """Take a step from x to y; return the drift of |e|^2, infinite if the iteration does not converge."""
    scheme = implicit[SCHEME]
    s = int(scheme[STAGES])
    weights = COEFFICIENTS + s * s
    places = weights + s
    n = int(p[N_STATES])
    early, late = stage_times(t, h)
    state, slope, new = implicit[first], first + s, first + 2 * s
    derivative(early, x, u, p, implicit[slope], user, w)
    for i in range(1, s):
        for k in range(n):
            implicit[slope + i, k] = implicit[slope, k]
    before = INFINITE
    for count in range(MAX_ITERATIONS):
        for i in range(s):
            for k in range(n):
                total = 0.0
                for j in range(s):
                    total += scheme[COEFFICIENTS + s * i + j] * implicit[slope + j, k]
                state[k] = x[k] + h * total
            now = min(max(t + scheme[places + i] * h, early), late)
            derivative(now, state, u, p, implicit[new + i], user, w)
        change = 0.0
        for i in range(s):
            change = max(change, _change(h, x, p, implicit[slope + i], implicit[new + i], implicit[WEIGHTS]))
            for k in range(n):
                implicit[slope + i, k] = implicit[new + i, k]
        implicit[META, ITERATIONS] += 1.0
        if change <= CLOSE or (count > 2 and change < NOISE and change > 0.9 * before):
            for k in range(n):
                total = 0.0
                for j in range(s):
                    total += scheme[weights + j] * implicit[slope + j, k]
                y[k] = x[k] + h * total
            return project_all(y, p, w)
        if not change < 1e300 or (count > 2 and change > 2.0 * before):
            return INFINITE
        before = change
    return INFINITE
