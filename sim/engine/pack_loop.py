# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The sampled loop of a free body for several runs at once, each an element of a vector.

Times and counts are the same in all of them, so the way through is that of the general loop, and the numbers of each
run are those it has alone, to the bit. A run that comes to a number that is not finite is left as it began: the
single run then reports where that was.
"""

import math

from ...controllers.laws.law_layout import REFERENCE, SEEN
from ...plant.hub.dynamics import momentum_to_rate
from ...plant.hub.parameters import LEDGER
from ...plant.kernels.kernel import kernel
from ...plant.loads.torque.torque_limits import saturate
from ..steppers.rk4_free import rk4_free_walk
from ..steppers.stage_times import close_to
from .fixed import how_many
from .indices import (
    BUDGET,
    DELAY,
    DONE,
    DOUBTFUL,
    FRESH,
    KA,
    KOUT,
    KS,
    LAW_MODE,
    MAX_STEPS,
    N_OUT,
    NO_LAW,
    NORM_DRIFT,
    PAUSED,
    ROW_IN,
    ROW_OUT,
    SAMPLE,
    SEGMENT_I,
    SEGMENT_N,
    STEP,
    STEP_LIMIT,
    STEPS,
    T_END,
    T_SEGMENT,
    T,
)
from .pack_rows import gather, has_reference_of, refer, scatter
from .simd import element_of, put_element, run_of, spread, vector_row, verdict, width

__all__ = ["advance_packs"]


@kernel
def _load(b, lane, x, u, p, q, z, limits, queue, drift):
    """Put what a run has of its own into its elements."""
    gather(b.x, x, lane)
    gather(b.u, u, lane)
    gather(b.p, p, lane)
    gather(b.q, q, lane)
    gather(b.z, z, lane)
    gather(b.limits, limits, lane)
    for k in range(b.queue.shape[0]):
        for m in range(3):
            put_element(queue, 3 * k + m, lane, b.queue[k, m])
    put_element(drift, 0, lane, b.clock[NORM_DRIFT])


@kernel
def _record(b, kout, x, u, lane):
    """Store state and input of a run as row `kout`."""
    for m in range(x.size):
        b.out_x[kout, m] = element_of(x, m, lane)
    for m in range(u.size):
        b.out_u[kout, m] = element_of(u, m, lane)


@kernel
def _record_all(tables, first, kout, x, u):
    """Store states and inputs as row `kout` of each run."""
    for lane in range(width()):
        _record(run_of(tables, first + lane), kout, x, u, lane)


@kernel
def _store(b, lane, x, u, z, queue, drift):
    """Take what a run has of its own out of its elements."""
    scatter(b.x, x, lane)
    scatter(b.u, u, lane)
    scatter(b.z, z, lane)
    for k in range(b.queue.shape[0]):
        for m in range(3):
            b.queue[k, m] = element_of(queue, 3 * k + m, lane)
    b.clock[NORM_DRIFT] = element_of(drift, 0, lane)


@kernel
def _store_clock(b, t, start, ks, ka, kout, steps, row_in, row_out, i, many):
    """Put a run to the time that all have come to."""
    b.clock[T], b.clock[T_SEGMENT] = t, start
    b.count[KS], b.count[KA], b.count[KOUT], b.count[STEPS] = ks, ka, kout, steps
    b.count[ROW_IN], b.count[ROW_OUT], b.count[FRESH] = row_in, row_out, 1
    b.count[SEGMENT_I], b.count[SEGMENT_N] = i, many


@kernel
def _walk(ledger, h, steps, x, u, p, y):
    """Put the state so many steps on from x into y; the largest drift of |e|^2 in one."""
    w0, w1, w2 = momentum_to_rate(x[0], x[1], x[2], p)
    if ledger:
        worst, y[0], y[1], y[2], y[3], y[4], y[5], y[6], y[7], y[8], y[9], y[10], _, _, _ = rk4_free_walk(
            True, h, steps, x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10],
            w0, w1, w2, u[0], u[1], u[2], p,
        )  # fmt: skip
    else:
        worst, y[0], y[1], y[2], y[3], y[4], y[5], y[6], _, _, _, _, _, _, _ = rk4_free_walk(
            False, h, steps, x[0], x[1], x[2], x[3], x[4], x[5], x[6], 0.0, 0.0, 0.0, 0.0,
            w0, w1, w2, u[0], u[1], u[2], p,
        )  # fmt: skip
    return worst


@kernel
def _advance_pack(law, reference, b, tables, first, work, codes):
    """Move the runs from `first` on to the end or their budget; b is the first, whose times and counts all have."""
    clock, count, out_t = b.clock, b.count, b.out_t
    n = 0
    x = vector_row(work, n, b.x.size)
    n += b.x.size
    y = vector_row(work, n, b.x.size)
    n += b.x.size
    u = vector_row(work, n, b.u.size)
    n += b.u.size
    p = vector_row(work, n, b.p.size)
    n += b.p.size
    q = vector_row(work, n, b.q.size)
    n += b.q.size
    z = vector_row(work, n, b.z.size)
    n += b.z.size
    limits = vector_row(work, n, b.limits.size)
    n += b.limits.size
    queue = vector_row(work, n, b.queue.size)
    n += b.queue.size
    seen = vector_row(work, n, b.seen.size)
    n += b.seen.size
    r = vector_row(work, n, REFERENCE.size)
    n += REFERENCE.size
    command = vector_row(work, n, 3)
    n += 3
    drift = vector_row(work, n, 1)
    alike = True
    for lane in range(width()):
        _load(run_of(tables, first + lane), lane, x, u, p, q, z, limits, queue, drift)
        alike = alike and has_reference_of(run_of(tables, first + lane), b)
    end, sample, delay, step = clock[T_END], clock[SAMPLE], clock[DELAY], clock[STEP]
    t, ks, ka, kout, steps = clock[T], count[KS], count[KA], count[KOUT], count[STEPS]
    row_in, row_out, rows = count[ROW_IN], count[ROW_OUT], b.queue.shape[0]
    i, many, start = count[SEGMENT_I], count[SEGMENT_N], clock[T_SEGMENT]
    ledger, sampled = b.p[LEDGER] != 0.0, count[LAW_MODE] != NO_LAW
    worst, status = drift[0], DONE
    fine = worst < math.inf
    while t < end - close_to(t):
        if many == 0:
            slack = close_to(t)
            if sampled and ks * sample <= t + slack:
                if alike:
                    b.r[REFERENCE.attitude] = math.nan
                    reference(t, b.rq, b.r)
                    size, other = 0.0, 0.0  # two sums, of which neither waits for the other
                    for m in range(0, REFERENCE.size, 2):
                        size, other = size + abs(b.r[m]), other + abs(b.r[m + 1])
                        r[m], r[m + 1] = spread(b.r[m]), spread(b.r[m + 1])
                    if not size + other < 1e300:
                        fine = fine & (spread(size + other) < 1e300)
                else:
                    for lane in range(width()):
                        refer(run_of(tables, first + lane), t, reference, lane, r)
                    sizes, others = spread(0.0), spread(0.0)
                    for m in range(0, REFERENCE.size, 2):
                        sizes, others = sizes + abs(r[m]), others + abs(r[m + 1])
                    fine = fine & (sizes + others < 1e300)
                for m in range(SEEN.rate):
                    seen[m] = x[m]
                seen[SEEN.rate], seen[SEEN.rate + 1], seen[SEEN.rate + 2] = momentum_to_rate(x[0], x[1], x[2], p)
                for m in range(3):
                    command[m] = spread(math.nan)
                law(t, seen, r, q, z, command)
                c0, c1, c2 = command[0], command[1], command[2]
                fine = fine & (abs(c0) + abs(c1) + abs(c2) < 1e300)
                c0, c1, c2 = saturate(c0, c1, c2, limits)
                queue[3 * row_in], queue[3 * row_in + 1], queue[3 * row_in + 2] = c0, c1, c2
                row_in = row_in + 1 if row_in + 1 < rows else 0
                ks += 1
            while ka < ks and not ka * sample + delay > t + slack:
                for m in range(3):
                    u[m] = queue[3 * row_out + m]
                row_out = row_out + 1 if row_out + 1 < rows else 0
                ka += 1
        t_next = end
        if sampled:
            t_next = min(t_next, ks * sample)
            if ka < ks:
                t_next = min(t_next, ka * sample + delay)
        if many == 0:
            start, many, i = t, how_many(t, t_next, step), 0
        h = t_next - start
        if many > 1:
            h /= many
        while i < many:
            at = start + i * h
            while kout < count[N_OUT] and out_t[kout] <= at + close_to(at) and out_t[kout] < t_next - close_to(t_next):
                _record_all(tables, first, kout, x, u)
                kout += 1
            go = min(many - i, count[BUDGET] - steps)
            if go <= 0:
                break
            if kout < count[N_OUT] and out_t[kout] < t_next:
                go = min(go, int((out_t[kout] - at) / h * (1.0 - 1e-12)))
            if go <= 0:
                go = 1
                after = t_next if i == many - 1 else start + (i + 1) * h
                while kout < count[N_OUT] and out_t[kout] < after - close_to(after):
                    _walk(ledger, (out_t[kout] - at) / h * h, 1, x, u, p, y)
                    _record_all(tables, first, kout, y, u)
                    kout += 1
            found = _walk(ledger, h, go, x, u, p, x)
            fine = fine & (found < 1e300)
            worst = max(worst, found)
            i += go
            steps += go
            t = t_next if i == many else start + i * h
        if i < many:
            status = STEP_LIMIT if steps >= count[MAX_STEPS] else PAUSED
            break
        many = 0
    if status == DONE:
        while kout < count[N_OUT]:
            _record_all(tables, first, kout, x, u)
            kout += 1
    drift[0] = worst
    for m in range(x.size):
        fine = fine & (abs(x[m]) < 1e300)
    for lane in range(width()):
        codes[first + lane] = DOUBTFUL
        if verdict(fine, lane):
            codes[first + lane] = status
            _store(run_of(tables, first + lane), lane, x, u, z, queue, drift)
            _store_clock(run_of(tables, first + lane), t, start, ks, ka, kout, steps, row_in, row_out, i, many)


@kernel
def advance_packs(law, reference, tables, work, codes):
    """Move runs on, as many at once as a vector holds, and write why each came back; DOUBTFUL: it is as it was.

    law: a kernel on vectors; tables: of addresses, a row for each run; work: space for one pack; codes: one for each
    run, a multiple of `width()`.
    """
    first = 0
    while first < codes.size:
        _advance_pack(law, reference, run_of(tables, first), tables, first, work, codes)
        first += width()
