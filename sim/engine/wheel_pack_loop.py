# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The sampled loop of a hub with wheels for several runs at once, each an element of a vector.

Times and samples are the same in all runs, and the way through is that of the general loop. Where the runs differ in
what comes next (a step of dop853 that one refuses, another length of it), or a row of results lies within a step, each
takes the rest of the stretch by the code of the single run, and all go on together from its end. A run that comes to a
number that is not finite is left as it was last stored, and goes on as a single run.
"""

import math

from ...controllers.laws.law_layout import REFERENCE, SEEN
from ...plant.hub.parameters import N_INTERNAL
from ...plant.kernels.kernel import kernel
from ...plant.loads.torque.torque_limits import saturate
from ..steppers.sphere import to_unit
from ..steppers.stage_times import close_to
from .adaptive import adaptive_stretch
from .fixed import fixed_stretch, how_many
from .indices import (
    BUDGET,
    DELAY,
    DONE,
    DOP853,
    DOUBTFUL,
    FRESH,
    KA,
    KOUT,
    KS,
    LAW_MODE,
    LONGEST,
    METHOD,
    N_OUT,
    NO_LAW,
    NORM_DRIFT,
    REJECTED,
    RETRY,
    RK4,
    ROW_IN,
    ROW_OUT,
    RTOL,
    SAMPLE,
    SEGMENT_I,
    SEGMENT_N,
    STEP,
    STEPS,
    T_END,
    T_SEGMENT,
    H,
    T,
)
from .pack_rows import gather, has_reference_of, refer, scatter
from .simd import element_of, put_element, run_of, spread, vector_row, verdict, width
from .tally import HEAD, LEAST, MOST, TALLY_ROW
from .wheel_pack_plant import demand_of, hub_rate, pack_derivative, tally_pack
from .wheel_pack_step import copy_rows, pack_error, pack_explicit, pack_rk4

__all__ = ["OWN", "STAGES_KEPT", "advance_wheel_packs"]

STAGES_KEPT = 13
"""Rows of stages: those of a step of dop853, and the derivative at its end."""

OWN = 7
"""Numbers that each run counts by itself: drift, next step, longest step, steps, refused steps, whether the last step
was refused, and whether it has left the pack."""

DRIFT_OF, NEXT, LONGEST_OF, STEPS_OF, REJECTED_OF, RETRY_OF, LEFT = range(OWN)


@kernel
def _load(b, lane, x, u, stages, tally, own):
    """Put what changes in a stretch into the elements of a run."""
    gather(b.x, x, lane)
    gather(b.u, u, lane)
    for m in range(x.size):
        put_element(stages, m, lane, b.stages[0, m])
    for m in range(tally.size):
        put_element(tally, m, lane, b.tally[HEAD + m])
    put_element(own, DRIFT_OF, lane, b.clock[NORM_DRIFT])
    put_element(own, NEXT, lane, b.clock[H])
    put_element(own, LONGEST_OF, lane, b.clock[LONGEST])
    put_element(own, STEPS_OF, lane, float(b.count[STEPS]))
    put_element(own, REJECTED_OF, lane, float(b.count[REJECTED]))
    put_element(own, RETRY_OF, lane, float(b.count[RETRY]))


@kernel
def _load_rest(b, lane, p, q, z, limits, queue, floors):
    """Put the rest of a run into its elements."""
    gather(b.p, p, lane)
    gather(b.q, q, lane)
    gather(b.z, z, lane)
    gather(b.limits, limits, lane)
    gather(b.floors, floors, lane)
    for k in range(b.queue.shape[0]):
        for m in range(3):
            put_element(queue, 3 * k + m, lane, b.queue[k, m])


@kernel
def _store(b, lane, t, x, u, z, queue, stages, tally, own):
    """Take a run out of its elements, at the time t."""
    scatter(b.x, x, lane)
    scatter(b.u, u, lane)
    scatter(b.z, z, lane)
    for k in range(b.queue.shape[0]):
        for m in range(3):
            b.queue[k, m] = element_of(queue, 3 * k + m, lane)
    for m in range(b.x.size):
        b.stages[0, m] = element_of(stages, m, lane)
    for m in range(tally.size):
        b.tally[HEAD + m] = element_of(tally, m, lane)
    b.clock[T] = t
    b.clock[NORM_DRIFT] = element_of(own, DRIFT_OF, lane)
    b.clock[H] = element_of(own, NEXT, lane)
    b.clock[LONGEST] = element_of(own, LONGEST_OF, lane)
    b.count[STEPS] = int(element_of(own, STEPS_OF, lane))
    b.count[REJECTED] = int(element_of(own, REJECTED_OF, lane))
    b.count[RETRY] = int(element_of(own, RETRY_OF, lane))


@kernel
def _store_counts(b, ks, ka, kout, row_in, row_out, fresh, start, i, many):
    """Put the counts that all runs share into one."""
    b.count[KS], b.count[KA], b.count[KOUT] = ks, ka, kout
    b.count[ROW_IN], b.count[ROW_OUT], b.count[FRESH] = row_in, row_out, fresh
    b.clock[T_SEGMENT] = start
    b.count[SEGMENT_I], b.count[SEGMENT_N] = i, many


@kernel
def _stretch(b, t_next, user):
    """Take the rest of a stretch by the code of the single run; 0 or why it stopped."""
    if b.count[METHOD] == DOP853:
        return adaptive_stretch(t_next, user, b)
    return fixed_stretch(t_next, user, b)


@kernel
def _record(b, lane, kout, x, u, tally):
    """Store state, input and what the signals did since the row before as row `kout` of a run."""
    for m in range(x.size):
        b.out_x[kout, m] = element_of(x, m, lane)
    for m in range(u.size):
        b.out_u[kout, m] = element_of(u, m, lane)
    signals = tally.size // TALLY_ROW
    out = HEAD + (TALLY_ROW + 2 * kout) * signals
    for k in range(signals):
        b.tally[out + k] = element_of(tally, TALLY_ROW * k + LEAST, lane)
        b.tally[out + signals + k] = element_of(tally, TALLY_ROW * k + MOST, lane)


@kernel
def _record_all(tables, first, kout, x, u, tally):
    """Store row `kout` of each run, and begin the extremes of the signals anew."""
    for lane in range(width()):
        _record(run_of(tables, first + lane), lane, kout, x, u, tally)
    for k in range(tally.size // TALLY_ROW):
        tally[TALLY_ROW * k + LEAST] = spread(math.inf)
        tally[TALLY_ROW * k + MOST] = spread(-math.inf)


@kernel
def _count_of(b, place):
    """A count of a run."""
    return b.count[place]


@kernel
def _room(b):
    """How many steps a run may take in this call."""
    return b.count[BUDGET] - b.count[STEPS]


@kernel
def _room_of_all(tables, first):
    """The least of all runs."""
    least = _room(run_of(tables, first))
    for lane in range(1, width()):
        least = min(least, _room(run_of(tables, first + lane)))
    return least


@kernel
def _length(t, t_next, proposed, longest):
    """The next step of dop853 and whether it ends the stretch, as `adaptive_stretch` has them."""
    h = min(proposed, longest)
    cut = t + 1.01 * h >= t_next
    if cut:
        h = t_next - t
    elif t + 2.0 * h > t_next:
        h = 0.5 * (t_next - t)
    return h, cut


@kernel
def _proposed(h, error, retry, proposed, cut):
    """The step that dop853 proposes after one that it took."""
    factor = 10.0
    if error > 0.0:
        factor = min(10.0, 0.9 * error**-0.125)
    if retry:
        factor = min(factor, 1.0)
    after = h * factor
    return max(after, proposed) if cut and factor >= 1.0 else after


@kernel
def _advance_pack(law, reference, user, b, tables, first, work, codes):
    """Move the runs from `first` on to the end or their budget; b is the first, whose times and counts all have."""
    clock, count, out_t = b.clock, b.count, b.out_t
    size = b.x.size
    n = 0
    x = vector_row(work, n, size)
    n += size
    y = vector_row(work, n, size)
    n += size
    slope = vector_row(work, n, size)
    n += size
    stages = vector_row(work, n, STAGES_KEPT * size)
    k2, k3, k4 = vector_row(work, n, size), vector_row(work, n + size, size), vector_row(work, n + 2 * size, size)
    n += STAGES_KEPT * size
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
    floors = vector_row(work, n, b.floors.size)
    n += b.floors.size
    r = vector_row(work, n, REFERENCE.size)
    n += REFERENCE.size
    command = vector_row(work, n, 3)
    n += 3
    wheels = int(b.p[N_INTERNAL])
    v = vector_row(work, n, 3 + wheels)
    n += 3 + wheels
    demand = vector_row(work, n, wheels)
    n += wheels
    signals = int(b.tally[0]) if b.tally.size > 0 else 0
    tally = vector_row(work, n, TALLY_ROW * signals)
    n += TALLY_ROW * signals
    errors = vector_row(work, n, 1)
    n += 1
    own = vector_row(work, n, OWN)
    same = True
    for lane in range(width()):
        _load(run_of(tables, first + lane), lane, x, u, stages, tally, own)
        _load_rest(run_of(tables, first + lane), lane, p, q, z, limits, queue, floors)
        same = same and has_reference_of(run_of(tables, first + lane), b)
        demand_of(run_of(tables, first + lane), lane, u, demand)
        put_element(own, LEFT, lane, 0.0)
    end, sample, delay, rtol = clock[T_END], clock[SAMPLE], clock[DELAY], clock[RTOL]
    t, ks, ka, kout = clock[T], count[KS], count[KA], count[KOUT]
    row_in, row_out, rows = count[ROW_IN], count[ROW_OUT], b.queue.shape[0]
    fresh, method, sampled = count[FRESH], count[METHOD], count[LAW_MODE] != NO_LAW
    start, i, many = clock[T_SEGMENT], 0, 0
    longest, room = clock[STEP], _room_of_all(tables, first)
    fine = own[DRIFT_OF] < math.inf
    left = 0
    while t < end - close_to(t) and left < width():
        slack = close_to(t)
        if sampled and ks * sample <= t + slack:
            if same:
                b.r[REFERENCE.attitude] = math.nan
                reference(t, b.rq, b.r)
                whole = 0.0
                for m in range(REFERENCE.size):
                    whole = whole + abs(b.r[m])
                    r[m] = spread(b.r[m])
                fine = fine & (spread(whole) < 1e300)
            else:
                for lane in range(width()):
                    refer(run_of(tables, first + lane), t, reference, lane, r)
                wholes = spread(0.0)
                for m in range(REFERENCE.size):
                    wholes = wholes + abs(r[m])
                fine = fine & (wholes < 1e300)
            for m in range(SEEN.rate):
                seen[m] = x[m]
            seen[SEEN.rate], seen[SEEN.rate + 1], seen[SEEN.rate + 2] = hub_rate(x, p)
            for m in range(SEEN.rate, seen.size - 3):
                seen[m + 3] = x[m]
            for m in range(3):
                command[m] = spread(math.nan)
            law(t, seen, r, q, z, command)
            c0, c1, c2 = command[0], command[1], command[2]
            fine = fine & (abs(c0) < 1e300) & (abs(c1) < 1e300) & (abs(c2) < 1e300)
            c0, c1, c2 = saturate(c0, c1, c2, limits)
            queue[3 * row_in], queue[3 * row_in + 1], queue[3 * row_in + 2] = c0, c1, c2
            row_in = row_in + 1 if row_in + 1 < rows else 0
            ks += 1
        acts = False
        while ka < ks and not ka * sample + delay > t + slack:
            for m in range(3):
                u[m] = queue[3 * row_out + m]
            row_out = row_out + 1 if row_out + 1 < rows else 0
            ka += 1
            acts = True
        if acts:
            fresh = 1
            for lane in range(width()):
                demand_of(run_of(tables, first + lane), lane, u, demand)
        t_next = end
        if sampled:
            t_next = min(t_next, ks * sample)
            if ka < ks:
                t_next = min(t_next, ka * sample + delay)
        if tally.size > 0 and not (kout > 0 and out_t[kout - 1] > t):
            tally_pack(0.0, x, p, demand, v, tally)
        single = False
        start, i, many = t, 0, 0
        if method == DOP853:
            if fresh != 0:
                pack_derivative(x, u, p, demand, v, slope)
                copy_rows(slope, 0, stages, 0, size)
                fresh = 0
                for m in range(size):
                    fine = fine & (abs(slope[m]) < 1e300)
        else:
            many = how_many(t, t_next, longest)
        length = t_next - start
        if many > 1:
            length /= many
        ends = False
        while not ends:
            # how long the step is, and whether all take it
            h, after = length, t_next
            if method == DOP853:
                found = False
                for lane in range(width()):
                    if verdict(fine, lane):
                        proposed = element_of(own, NEXT, lane)
                        mine, cut = _length(t, t_next, proposed, longest)
                        if proposed == 0.0 or (found and (mine != h or cut != ends)):
                            single = True
                        h, ends, found = mine, cut, True
                after = t_next if ends else t + h
            else:
                ends = i == many - 1
                after = t_next if ends else start + (i + 1) * length
            single = single or room <= 0
            k = kout
            while k < count[N_OUT] and out_t[k] < after - close_to(after):
                if out_t[k] > t + close_to(t):
                    single = True
                k += 1
            if single:
                break
            # the step
            if method == DOP853:
                pack_explicit(h, x, u, p, demand, v, y, stages, slope, b.tableau)
                errors[0] = pack_error(h, x, y, p, stages, rtol, floors)
                fine = fine & (errors[0] < 1e300)
                for lane in range(width()):
                    if verdict(fine, lane) and not element_of(errors, 0, lane) <= 1.0:
                        single = True
                if single:
                    break
            elif method == RK4:
                pack_rk4(h, x, u, p, demand, v, y, slope, k2, k3, k4)
            else:
                pack_derivative(x, u, p, demand, v, slope)
                copy_rows(slope, 0, stages, 0, size)
                pack_explicit(h, x, u, p, demand, v, y, stages, slope, b.tableau)
            off, y[3], y[4], y[5], y[6] = to_unit(y[3], y[4], y[5], y[6])
            if method == DOP853:
                pack_derivative(y, u, p, demand, v, slope)
                copy_rows(slope, 0, stages, 0, size)
            else:
                total = spread(0.0)
                for m in range(size):
                    total = total + y[m]
                fine = fine & (abs(off) < 1e300) & (abs(total) < 1e300)
            while kout < k:
                _record_all(tables, first, kout, x, u, tally)
                kout += 1
            own[DRIFT_OF] = max(own[DRIFT_OF], abs(off))
            copy_rows(y, 0, x, 0, size)
            if tally.size > 0:
                tally_pack(h, x, p, demand, v, tally)
            own[STEPS_OF] = own[STEPS_OF] + 1.0
            if method == DOP853:
                own[LONGEST_OF] = max(own[LONGEST_OF], spread(h))
                for lane in range(width()):
                    retry = element_of(own, RETRY_OF, lane) != 0.0
                    proposed = element_of(own, NEXT, lane)
                    put_element(own, NEXT, lane, _proposed(h, element_of(errors, 0, lane), retry, proposed, ends))
                    put_element(own, RETRY_OF, lane, 0.0)
            t = after
            i += 1
            room -= 1
        if single:
            together = 0
            for lane in range(width()):
                if verdict(fine, lane):
                    _store(run_of(tables, first + lane), lane, t, x, u, z, queue, stages, tally, own)
                    _store_counts(
                        run_of(tables, first + lane), ks, ka, kout, row_in, row_out, fresh, start,
                        i if many > 0 else 0, many,
                    )  # fmt: skip
                    if _stretch(run_of(tables, first + lane), t_next, user) == 0:
                        together = lane + 1
                        _load(run_of(tables, first + lane), lane, x, u, stages, tally, own)
                    else:
                        put_element(own, LEFT, lane, 1.0)
            room = _room_of_all(tables, first)
            fine = fine & (own[LEFT] < 0.5)
            if together > 0:
                kout = _count_of(run_of(tables, first + together - 1), KOUT)
                fresh = _count_of(run_of(tables, first + together - 1), FRESH)
            t = t_next
        left = 0
        for lane in range(width()):
            if not verdict(fine, lane):
                left += 1
    if left < width():
        while kout < count[N_OUT]:
            _record_all(tables, first, kout, x, u, tally)
            kout += 1
    for m in range(size):
        fine = fine & (abs(x[m]) < 1e300)
    for lane in range(width()):
        codes[first + lane] = DOUBTFUL
        if verdict(fine, lane):
            codes[first + lane] = DONE
            _store(run_of(tables, first + lane), lane, t, x, u, z, queue, stages, tally, own)
            _store_counts(run_of(tables, first + lane), ks, ka, kout, row_in, row_out, fresh, start, many, 0)


@kernel
def advance_wheel_packs(law, reference, user, tables, work, codes):
    """Move runs on, as many at once as a vector holds, and write why each came back.

    DOUBTFUL: it goes on as a single run from where it is. law: a kernel on vectors; user: the loads of the single run;
    tables: of addresses, a row for each run; work: space for one pack; codes: one for each run, a multiple of
    `width()`.
    """
    first = 0
    while first < codes.size:
        _advance_pack(law, reference, user, run_of(tables, first), tables, first, work, codes)
        first += width()
