# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Acceptance of a computed step: pose events, rows within the step, signals of the elements."""

from ...plant.kernels.kernel import kernel
from .extremes import tally_step
from .indices import KOUT, N_OUT, NORM_DRIFT, NOT_CONVERGED, ROWS_FULL, STEPS, UNSOLVED, WATCH, T
from .outputs import outputs
from .pose_events import pose_events


@kernel(inline=True)
def step_is_finite(drift, y):
    """Return whether the state y after a step and the removed drift of |e|^2 are finite."""
    total = 0.0
    for m in range(y.size):
        total += y[m]
    return abs(drift) < 1e300 and abs(total) < 1e300


@kernel
def take_step(method, drift, t, after, h, user, b):
    """Accept the step of length h from t to `after`, computed in b.new; return 0 or the stop code."""
    x, y, clock, count = b.x, b.new, b.clock, b.count
    if count[WATCH] != 0:
        status = pose_events(method, t, h, user, b)
        if status != 0:
            return status
    if count[KOUT] < count[N_OUT] and not outputs(after, method, t, h, user, b):
        return NOT_CONVERGED if count[UNSOLVED] != 0 else ROWS_FULL
    if abs(drift) > clock[NORM_DRIFT]:
        clock[NORM_DRIFT] = abs(drift)
    for m in range(x.size):
        x[m] = y[m]
    clock[T] = after
    if b.tally.size > 0:
        tally_step(h, after, x, b.u, b.p, b.w, b.tally)
    count[STEPS] += 1
    return 0
