# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The simplest sampled loop: a free body and a compiled law with zero delay, in equal steps.

The loop performs the operations of the general loop in the same order, so that the results are bitwise identical. It
checks once per call, not at every sample, that other features are absent (blocks, delay, edges, poses), and keeps its
counters in registers. Events that it cannot process, such as rows between samples, are left to the general loop.
"""

import math

from ...controllers.contracts.law_layout import SEEN
from ...plant.hub.dynamics import momentum_to_rate
from ...plant.hub.parameters import LEDGER
from ...plant.kernels.kernel import kernel
from . import indices as at
from .fixed import how_many
from .law import ask_reference, command_of
from .outputs import record
from .steppers.free_rates import is_free
from .steppers.rk4_free import rk4_free_walk
from .steppers.stage_times import close_to


@kernel(inline=True)
def is_free_body_loop(b):
    """Return whether the only remaining events are samples and output rows."""
    count = b.count
    busy = count[at.BLOCKS] + count[at.WATCH] + count[at.SEGMENT_N] + count[at.HAVE_COMMAND]
    if busy != 0 or count[at.METHOD] != at.RK4 or count[at.LAW_MODE] != at.COMPILED_LAW or b.clock[at.DELAY] != 0.0:
        return False
    return count[at.KEDGE] == b.edges.size and count[at.KA] == count[at.KS] and is_free(b.p)


@kernel(inline=True)
def _straight(ledger, law, reference, b):
    """Advance as `free_body_loop` does; compiled twice, with a ledger and without one."""
    clock, count, x, u, p, seen = b.clock, b.count, b.x, b.u, b.p, b.seen
    sample, step, end = clock[at.SAMPLE], clock[at.STEP], clock[at.T_END]
    t, k, steps, worst, status = clock[at.T], count[at.KS], count[at.STEPS], clock[at.NORM_DRIFT], 0
    for i in range(SEEN.rate):
        seen[i] = x[i]
    w0, w1, w2 = momentum_to_rate(x[0], x[1], x[2], p)
    seen[SEEN.rate], seen[SEEN.rate + 1], seen[SEEN.rate + 2] = w0, w1, w2
    y0, y1, y2, y3 = 0.0, 0.0, 0.0, 0.0
    while t < end - close_to(t) and k * sample <= t + close_to(t):
        status = ask_reference(t, reference, b)
        if status != 0:
            break
        status, u0, u1, u2 = command_of(t, law, b)
        if status != 0:
            break
        u[0], u[1], u[2] = u0, u1, u2
        k += 1
        while count[at.KOUT] < count[at.N_OUT] and b.out_t[count[at.KOUT]] <= t + close_to(t):
            if count[at.KOUT] - count[at.TAKEN] >= b.out_x.shape[0]:
                break
            record(x, b)
        t_next = min(end, k * sample)
        n = how_many(t, t_next, step)
        row = b.out_t[count[at.KOUT]] if count[at.KOUT] < count[at.N_OUT] else math.inf
        if row < t_next or steps + n > count[at.BUDGET]:
            break
        h = t_next - t
        if n > 1:
            h /= n
        if ledger:
            y0, y1, y2, y3 = x[7], x[8], x[9], x[10]
        drift, x0, x1, x2, x3, x4, x5, x6, y0, y1, y2, y3, w0, w1, w2 = rk4_free_walk(
            ledger, h, n, x[0], x[1], x[2], x[3], x[4], x[5], x[6], y0, y1, y2, y3, seen[7], seen[8], seen[9],
            u0, u1, u2, p,
        )  # fmt: skip
        if not drift < 1e300:
            break
        seen[0], seen[1], seen[2], seen[3], seen[4], seen[5], seen[6] = x0, x1, x2, x3, x4, x5, x6
        seen[7], seen[8], seen[9] = w0, w1, w2
        x[0], x[1], x[2], x[3], x[4], x[5], x[6] = x0, x1, x2, x3, x4, x5, x6
        if ledger:
            x[7], x[8], x[9], x[10] = y0, y1, y2, y3
        worst = max(worst, drift)
        t = t_next
        steps += n
    clock[at.T], clock[at.NORM_DRIFT] = t, worst
    count[at.KS], count[at.KA], count[at.STEPS], count[at.FRESH] = k, k, steps, 1
    return status


@kernel
def free_body_loop(law, reference, b):
    """Advance from sample to sample until another event is due; return 0 or the stop code."""
    if b.p[LEDGER] != 0.0:
        return _straight(True, law, reference, b)
    return _straight(False, law, reference, b)
