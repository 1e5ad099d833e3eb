# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Integration between two breakpoints in equal steps."""

import math

from ...plant.hub.parameters import LEDGER
from ...plant.kernels.kernel import kernel
from . import indices as at
from .halved import implicit_part
from .single_step import fixed_step
from .steppers.free_rates import is_free
from .steppers.rk4 import rk4_step
from .steppers.rk4_free import rk4_free_steps
from .steppers.sphere import project_all
from .steppers.stage_times import close_to
from .take_step import step_is_finite, take_step


@kernel(inline=True)
def how_many(t, t_next, step):
    """Return the number of steps from t to t_next; an excess due to round-off adds no step."""
    span = t_next - t - 2.0 * close_to(t_next)
    if span <= step:
        return 1
    return math.ceil(span / step * (1.0 - 1e-12))


@kernel(inline=True)
def at_once(t_next, b):
    """Advance a free body to t_next in one call if no output is due earlier; return whether this was done."""
    clock, count, p = b.clock, b.count, b.p
    if count[at.METHOD] != at.RK4 or count[at.SEGMENT_N] != 0 or not is_free(p):
        return False
    if count[at.KOUT] < count[at.N_OUT] and b.out_t[count[at.KOUT]] < t_next:
        return False
    n = how_many(clock[at.T], t_next, clock[at.STEP])
    if count[at.STEPS] + n > count[at.BUDGET]:
        return False
    h = t_next - clock[at.T]
    if n > 1:
        h /= n
    drift = rk4_free_steps(p[LEDGER] != 0.0, h, n, b.x, b.u, p)
    if not drift < 1e300:
        return False
    if drift > clock[at.NORM_DRIFT]:
        clock[at.NORM_DRIFT] = drift
    clock[at.T] = t_next
    count[at.STEPS] += n
    return True


@kernel
def fixed_stretch(t_next, user, b):
    """Take equal steps to t_next; return 0 or the stop code."""
    x, u, p, w, y, clock, count, out_t = b.x, b.u, b.p, b.w, b.new, b.clock, b.count, b.out_t
    if count[at.SEGMENT_N] == 0:
        clock[at.T_SEGMENT] = clock[at.T]
        count[at.SEGMENT_N] = how_many(clock[at.T], t_next, clock[at.STEP])
        count[at.SEGMENT_I] = 0
    method = count[at.METHOD]
    start = clock[at.T_SEGMENT]
    n = count[at.SEGMENT_N]
    stages = b.stages
    k1, k2, k3, k4 = stages[0], stages[1], stages[2], stages[3]
    h = t_next - start
    if n > 1:
        h /= n
    plain = method == at.RK4 and is_free(p)
    i = count[at.SEGMENT_I]
    while i < n:
        if count[at.STEPS] >= count[at.BUDGET]:
            return at.STEP_LIMIT if count[at.STEPS] >= count[at.MAX_STEPS] else at.PAUSED
        t = start + i * h
        if plain:
            steps = min(n - i, count[at.BUDGET] - count[at.STEPS])
            if count[at.KOUT] < count[at.N_OUT] and out_t[count[at.KOUT]] < t_next:  # stop before the next output
                steps = min(steps, int((out_t[count[at.KOUT]] - t) / h * (1.0 - 1e-12)))
            if steps > 0:
                drift = rk4_free_steps(p[LEDGER] != 0.0, h, steps, x, u, p)
                if not drift < 1e300:  # one of the steps fails: take them one by one to find it
                    plain = False
                    continue
                if drift > clock[at.NORM_DRIFT]:
                    clock[at.NORM_DRIFT] = drift
                i += steps
                clock[at.T] = t_next if i == n else start + i * h
                count[at.STEPS] += steps
                count[at.SEGMENT_I] = i
                continue
        after = t_next if i == n - 1 else start + (i + 1) * h
        if method == at.IMPLICIT:
            status = implicit_part(t, after, h, user, b)
            if status != 0:
                return status
            i = count[at.SEGMENT_I]
            continue
        if method == at.RK4:
            rk4_step(t, h, x, u, p, user, w, y, k1, k2, k3, k4)
            drift = project_all(y, p, w)
        else:
            drift = fixed_step(method, t, h, y, False, h, user, b)
        if not step_is_finite(drift, y):
            return at.NOT_FINITE
        status = take_step(method, drift, t, after, h, user, b)
        if status != 0:
            return status
        i += 1
        count[at.SEGMENT_I] = i
    count[at.SEGMENT_N] = 0
    return 0
