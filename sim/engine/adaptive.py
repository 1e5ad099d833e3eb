# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Integration between two breakpoints by dop853, with steps as long as the tolerance allows."""

import math

from ...plant.hub.dynamics import derivative
from ...plant.kernels.kernel import kernel
from . import indices as at
from .extremes import tally_step
from .outputs import outputs
from .passive import passive
from .pose import speed
from .pose_events import pose_events
from .steppers.dop853 import dense_prepare, dop853_error
from .steppers.explicit import explicit_step
from .steppers.sphere import project_all
from .steppers.stage_times import close_to, stage_times


@kernel
def first_step(t_next, b):
    """Return the first adaptive step: a small fraction of the time scale of attitude and momentum."""
    x, clock, stages = b.x, b.clock, b.stages
    rate = speed(clock[at.T], x, b.u, b.p, b.w)
    size = 0.0
    change = 0.0
    for i in range(3):
        size += x[i] * x[i]
        change += stages[0, i] * stages[0, i]
    if size > 0.0:
        rate = max(rate, math.sqrt(change / size))
    h = 0.01 * (t_next - clock[at.T])
    if rate > 0.0:
        h = min(h, 0.05 / rate)
    return h


@kernel(inline=True)
def step_length(t, t_next, proposed, longest):
    """Return the length of the next step, and whether the step ends at t_next."""
    h = min(proposed, longest)
    cut = t + 1.01 * h >= t_next
    if cut:
        h = t_next - t
    elif t + 2.0 * h > t_next:  # two equal steps instead of a long and a tiny one
        h = 0.5 * (t_next - t)
    return h, cut


@kernel(inline=True)
def proposed_length(h, error, retry, proposed, cut):
    """Return the length proposed after a step of length h; retry: whether the previous step was rejected."""
    factor = 10.0
    if error > 0.0:
        factor = min(10.0, 0.9 * error**-0.125)
    if retry:
        factor = min(factor, 1.0)
    after = h * factor
    return max(after, proposed) if cut and factor >= 1.0 else after


@kernel(inline=True)
def rejected_length(h, error):
    """Return the length proposed after a rejected step of length h."""
    factor = 0.2
    if error < 1e300:
        factor = max(0.2, 0.9 * error**-0.125)
    return h * factor


@kernel(inline=True)
def is_collapsed(h, t):
    """Return whether a proposed step is too short to advance the time t."""
    return h <= 16.0 * 2.3e-16 * abs(t) or h < 1e-100


@kernel
def adaptive_stretch(t_next, user, b):
    """Take steps of dop853 to t_next, each within the tolerance; return 0 or the stop code."""
    x, u, p, w, y, clock, count, out_t, stages = b.x, b.u, b.p, b.w, b.new, b.clock, b.count, b.out_t, b.stages
    if count[at.FRESH] != 0:
        derivative(stage_times(clock[at.T], t_next - clock[at.T])[0], x, u, p, stages[0], user, w)
        count[at.FRESH] = 0
        for i in range(x.size):
            if not abs(stages[0, i]) < 1e300:
                return at.NOT_FINITE
    if clock[at.H] == 0.0:
        clock[at.H] = passive(first_step(t_next, b))
    while True:
        t = clock[at.T]
        if count[at.STEPS] >= count[at.BUDGET]:
            return at.STEP_LIMIT if count[at.STEPS] >= count[at.MAX_STEPS] else at.PAUSED
        h, cut = step_length(t, t_next, clock[at.H], clock[at.STEP])
        explicit_step(t, h, x, u, p, user, w, y, stages, b.tableau)
        error = dop853_error(t, h, x, y, u, p, w, stages, clock[at.RTOL], b.floors)
        if not error <= 1.0:
            count[at.REJECTED] += 1
            clock[at.H] = passive(rejected_length(h, error))
            count[at.RETRY] = 1
            if is_collapsed(clock[at.H], t):
                return at.STEP_COLLAPSE if error < 1e300 else at.NOT_FINITE
            continue
        drift = project_all(y, p, w)
        after = t_next if cut else t + h
        derivative(stage_times(t, h)[1], y, u, p, stages[12], user, w)
        want = count[at.WATCH] != 0 or (
            count[at.KOUT] < count[at.N_OUT] and out_t[count[at.KOUT]] < after - close_to(after)
        )
        if want:
            dense_prepare(t, h, x, y, u, p, user, w, stages, b.dense, b.between)
        if count[at.WATCH] != 0:
            status = pose_events(at.DOP853, t, h, user, b)
            if status != 0:
                return status
        if want and not outputs(after, at.DOP853, t, h, user, b):
            return at.ROWS_FULL
        if abs(drift) > clock[at.NORM_DRIFT]:
            clock[at.NORM_DRIFT] = abs(drift)
        for m in range(x.size):
            x[m] = y[m]
            stages[0, m] = stages[12, m]
        clock[at.T] = after
        if b.tally.size > 0:
            tally_step(h, after, x, u, p, w, b.tally)
        if h > clock[at.LONGEST]:
            clock[at.LONGEST] = h
        count[at.STEPS] += 1
        clock[at.H] = passive(proposed_length(h, error, count[at.RETRY] != 0, clock[at.H], cut))
        count[at.RETRY] = 0
        if cut:
            return 0
