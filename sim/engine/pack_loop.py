# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The sampled loop of a free body for several runs at once, each a lane of a pack.

Times and counts are the same in all of them, so the way through is that of the general loop, and the numbers of each
lane are its numbers to the bit. A lane that comes to something that is no finite number is left as it began: the single
run then says where that was. This is no kernel: it exists as compiled code only, made for one law at a time.
"""

import math

from ...controllers.laws.law_layout import REFERENCE, SEEN
from ...plant.hub.dynamics import momentum_to_rate
from ...plant.hub.parameters import LEDGER
from ...plant.loads.torque.torque_limits import saturate
from ..machine.entry import bundle_at, entry_table
from ..machine.packs import LANES, lane_of, pack_row, put_lane, says_of, spread
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

__all__ = ["JITTED", "fly_pack"]


def bundle_of(tables, n):
    """The arrays of a run, of which there is one table each: its functions, then a bundle."""
    return bundle_at(entry_table(tables, n), 3)


def gather(row, pack, n):
    """Put the numbers of a run into its lane."""
    for m in range(row.size):
        put_lane(pack, m, n, row[m])


def scatter(row, pack, n):
    """Take the numbers of a run out of its lane."""
    for m in range(row.size):
        row[m] = lane_of(pack, m, n)


def record_lanes(tables, first, x, u, kout):
    """Store states and inputs as row `kout` of each run."""
    for n in range(LANES):
        b = bundle_of(tables, first + n)
        for m in range(x.size):
            b.out_x[kout, m] = lane_of(x, m, n)
        for m in range(u.size):
            b.out_u[kout, m] = lane_of(u, m, n)


def walk(ledger, h, steps, x, u, p, y):
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


def fly_pack(law, reference, tables, first, work, told):
    """Move the runs `first` on, one for each lane, to the end or their budget; `told` says of each why it came back."""
    b = bundle_of(tables, first)  # whose times and counts are those of all
    clock, count, out_t = b.clock, b.count, b.out_t
    n = 0
    x = pack_row(work, n, b.x.size)
    n += b.x.size
    y = pack_row(work, n, b.x.size)
    n += b.x.size
    u = pack_row(work, n, b.u.size)
    n += b.u.size
    p = pack_row(work, n, b.p.size)
    n += b.p.size
    q = pack_row(work, n, b.q.size)
    n += b.q.size
    z = pack_row(work, n, b.z.size)
    n += b.z.size
    limits = pack_row(work, n, b.limits.size)
    n += b.limits.size
    queue = pack_row(work, n, b.queue.size)
    n += b.queue.size
    seen = pack_row(work, n, b.seen.size)
    n += b.seen.size
    r = pack_row(work, n, REFERENCE.size)
    n += REFERENCE.size
    command = pack_row(work, n, 3)
    n += 3
    drift = pack_row(work, n, 1)
    alike = True
    for lane in range(LANES):
        each = bundle_of(tables, first + lane)
        gather(each.x, x, lane)
        gather(each.u, u, lane)
        gather(each.p, p, lane)
        gather(each.q, q, lane)
        gather(each.z, z, lane)
        gather(each.limits, limits, lane)
        for k in range(each.queue.shape[0]):
            for m in range(3):
                put_lane(queue, 3 * k + m, lane, each.queue[k, m])
        put_lane(drift, 0, lane, each.clock[NORM_DRIFT])
        for m in range(each.rq.size):
            alike = alike and each.rq[m] == b.rq[m]
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
                    size = 0.0
                    for m in range(REFERENCE.size):
                        size += abs(b.r[m])
                        r[m] = spread(b.r[m])
                    if not size < 1e300:
                        fine = fine & (spread(size) < 1e300)
                else:
                    sizes = spread(0.0)
                    for lane in range(LANES):
                        each = bundle_of(tables, first + lane)
                        each.r[REFERENCE.attitude] = math.nan
                        reference(t, each.rq, each.r)
                        for m in range(REFERENCE.size):
                            put_lane(r, m, lane, each.r[m])
                    for m in range(REFERENCE.size):
                        sizes = sizes + abs(r[m])
                    fine = fine & (sizes < 1e300)
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
                record_lanes(tables, first, x, u, kout)
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
                    walk(ledger, (out_t[kout] - at) / h * h, 1, x, u, p, y)
                    record_lanes(tables, first, y, u, kout)
                    kout += 1
            found = walk(ledger, h, go, x, u, p, x)
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
            record_lanes(tables, first, x, u, kout)
            kout += 1
    drift[0] = worst
    for m in range(x.size):
        fine = fine & (abs(x[m]) < 1e300)
    for lane in range(LANES):
        told[first + lane] = status
        if not says_of(fine, lane):
            told[first + lane] = DOUBTFUL
            continue
        each = bundle_of(tables, first + lane)
        scatter(each.x, x, lane)
        scatter(each.u, u, lane)
        scatter(each.z, z, lane)
        for k in range(rows):
            for m in range(3):
                each.queue[k, m] = lane_of(queue, 3 * k + m, lane)
        each.clock[T], each.clock[NORM_DRIFT], each.clock[T_SEGMENT] = t, lane_of(drift, 0, lane), start
        each.count[KS], each.count[KA], each.count[KOUT], each.count[STEPS] = ks, ka, kout, steps
        each.count[ROW_IN], each.count[ROW_OUT], each.count[FRESH] = row_in, row_out, 1
        each.count[SEGMENT_I], each.count[SEGMENT_N] = i, many


JITTED = (bundle_of, gather, scatter, record_lanes, walk, fly_pack)
"""What is compiled."""
