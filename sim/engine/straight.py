# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The plain sampled loop: a free body under a compiled law that acts at once, in equal steps, sample after sample.

It is what the general loop does of it, operation by operation, so the numbers are the same to the bit; but it looks
once at what there is not (blocks, delay, edges, poses), and keeps its counters in registers. What it cannot go on with,
such as rows within a stretch, it leaves to the general loop, at the same place.
"""

import math

from ...plant.hub.parameters import LEDGER
from ...plant.kernels.kernel import kernel
from ..steppers.free_rates import is_free
from ..steppers.rk4_free import rk4_free_steps
from ..steppers.stage_times import close_to
from .fixed import how_many
from .indices import (
    BLOCKS,
    BUDGET,
    COMPILED_LAW,
    DELAY,
    FRESH,
    HAVE_COMMAND,
    KA,
    KEDGE,
    KOUT,
    KS,
    LAW_MODE,
    METHOD,
    N_OUT,
    NORM_DRIFT,
    RK4,
    SAMPLE,
    SEGMENT_N,
    STEP,
    STEPS,
    T_END,
    TAKEN,
    WATCH,
    T,
)
from .law import command_of, look
from .outputs import record

__all__ = ["goes_straight", "straight"]


@kernel(inline=True)
def goes_straight(b):
    """Whether nothing but samples, and rows at them, is to come."""
    count = b.count
    busy = count[BLOCKS] + count[WATCH] + count[SEGMENT_N] + count[HAVE_COMMAND]
    if busy != 0 or count[METHOD] != RK4 or count[LAW_MODE] != COMPILED_LAW or b.clock[DELAY] != 0.0:
        return False
    return count[KEDGE] == b.edges.size and count[KA] == count[KS] and is_free(b.p)


@kernel
def straight(law, reference, b):
    """Go on from sample to sample as long as there is nothing else; 0, or why it stopped."""
    clock, count, x, u, p = b.clock, b.count, b.x, b.u, b.p
    sample, step, end, ledger = clock[SAMPLE], clock[STEP], clock[T_END], p[LEDGER] != 0.0
    t, k, steps, worst, status = clock[T], count[KS], count[STEPS], clock[NORM_DRIFT], 0
    while t < end - close_to(t) and k * sample <= t + close_to(t):
        status = look(t, reference, b)
        if status == 0:
            status = command_of(t, law, b, u)
        if status != 0:
            break
        k += 1
        while count[KOUT] < count[N_OUT] and b.out_t[count[KOUT]] <= t + close_to(t):
            if count[KOUT] - count[TAKEN] >= b.out_x.shape[0]:
                break
            record(x, b)
        t_next = min(end, k * sample)
        n = how_many(t, t_next, step)
        row = b.out_t[count[KOUT]] if count[KOUT] < count[N_OUT] else math.inf
        if row < t_next or steps + n > count[BUDGET]:
            break
        h = t_next - t
        if n > 1:
            h /= n
        drift = rk4_free_steps(ledger, h, n, x, u, p)
        if not drift < 1e300:
            break
        worst = max(worst, drift)
        t = t_next
        steps += n
    clock[T], clock[NORM_DRIFT] = t, worst
    count[KS], count[KA], count[STEPS], count[FRESH] = k, k, steps, 1
    return status
