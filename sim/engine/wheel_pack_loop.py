# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Sampled loop of a hub with wheels for several simultaneous runs, each in one element of a vector.

Times and samples are equal in all runs, and the operations are those of the general loop. Runs may differ in the
next operation: a step of dop853 is rejected in one run or has a different length. In this case, or with a row of
results within a step, each run completes the interval with the code of the single run; then all continue together. A
run with a non-finite value keeps the state that was last stored, and continues as a single run.
"""

import math

from ...controllers.contracts.law_layout import REFERENCE, SEEN
from ...plant.hub.parameters import N_INTERNAL
from ...plant.kernels.kernel import kernel
from .adaptive import adaptive_stretch, proposed_length, step_length
from .extremes import HEAD, LEAST, MOST, TALLY_ROW
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
from .pack_rows import gather, has_reference_of, next_stop, pack_command, pack_reference, scatter, take_commands
from .simd import element_of, put_element, run_of, spread, vector_row, verdict, width
from .steppers.sphere import to_unit
from .steppers.stage_times import close_to
from .wheel_pack_plant import demand_of, hub_rate, pack_derivative, tally_pack
from .wheel_pack_step import copy_rows, pack_error, pack_explicit, pack_rk4

STAGES_KEPT = 13
"""Number of rows of stages: the stages of a step of dop853, and the derivative at its end."""

OWN = 7
"""Individual counters of each run: drift, next step, longest step, steps, rejected steps, whether the last step was
rejected, and whether the run has left the pack."""

DRIFT_OF, NEXT, LONGEST_OF, STEPS_OF, REJECTED_OF, RETRY_OF, LEFT = range(OWN)


@kernel
def _load(b, lane, x, u, stages, tally, own):
    """Copy the data of a run that change within an interval to its lane."""
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
    """Copy the other data of a run to its lane."""
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
    """Copy the data of a lane back to its run, at the time t."""
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
    """Set the counters of a run to the common values."""
    b.count[KS], b.count[KA], b.count[KOUT] = ks, ka, kout
    b.count[ROW_IN], b.count[ROW_OUT], b.count[FRESH] = row_in, row_out, fresh
    b.clock[T_SEGMENT] = start
    b.count[SEGMENT_I], b.count[SEGMENT_N] = i, many


@kernel
def _stretch(b, t_next, user):
    """Complete an interval with the code of the single run; return 0 or the stop code."""
    if b.count[METHOD] == DOP853:
        return adaptive_stretch(t_next, user, b)
    return fixed_stretch(t_next, user, b)


@kernel
def _record(b, lane, kout, x, u, tally):
    """Store state, input, and signal extremes since the previous row, as row `kout` of a run."""
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
    """Store row `kout` of each run, and restart the extremes of the signals."""
    for lane in range(width()):
        _record(run_of(tables, first + lane), lane, kout, x, u, tally)
    for k in range(tally.size // TALLY_ROW):
        tally[TALLY_ROW * k + LEAST] = spread(math.inf)
        tally[TALLY_ROW * k + MOST] = spread(-math.inf)


@kernel
def _count_of(b, place):
    """Return a counter of a run."""
    return b.count[place]


@kernel
def _room(b):
    """Return the number of steps that a run may take in this call."""
    return b.count[BUDGET] - b.count[STEPS]


@kernel
def _room_of_all(tables, first):
    """Return the minimum of `_room` over all runs of the pack."""
    least = _room(run_of(tables, first))
    for lane in range(1, width()):
        least = min(least, _room(run_of(tables, first + lane)))
    return least


@kernel(inline=True)
def _sense(x, p, seen):
    """Write the plant signals that the law measures to seen."""
    for m in range(SEEN.rate):
        seen[m] = x[m]
    seen[SEEN.rate], seen[SEEN.rate + 1], seen[SEEN.rate + 2] = hub_rate(x, p)
    for m in range(SEEN.rate, seen.size - 3):
        seen[m + 3] = x[m]


@kernel
def _demand_all(tables, first, u, demand):
    """Write the torque that the law demands of each motor of all runs to `demand`."""
    for lane in range(width()):
        demand_of(run_of(tables, first + lane), lane, u, demand)


@kernel(inline=True)
def _common_length(t, t_next, longest, fine, own):
    """Return the next step of dop853, whether it ends at t_next, and whether there is no common step."""
    h, ends, found, differ = 0.0, False, False, False
    for lane in range(width()):
        if verdict(fine, lane):
            proposed = element_of(own, NEXT, lane)
            mine, cut = step_length(t, t_next, proposed, longest)
            if proposed == 0.0 or (found and (mine != h or cut != ends)):
                differ = True
            h, ends, found = mine, cut, True
    return h, ends, differ or not found


@kernel(inline=True)
def _due_rows(t, after, n_out, out_t, kout):
    """Return the index of the first row due after a step from t, and whether a row is within the step."""
    within = False
    while kout < n_out and out_t[kout] < after - close_to(after):
        if out_t[kout] > t + close_to(t):
            within = True
        kout += 1
    return kout, within


@kernel(inline=True)
def _is_refused(fine, errors):
    """Return whether any run of the pack rejects a step of dop853."""
    refused = False
    for lane in range(width()):
        if verdict(fine, lane) and not element_of(errors, 0, lane) <= 1.0:
            refused = True
    return refused


@kernel(inline=True)
def _fixed_step(method, h, x, u, p, demand, v, y, stages, k2, k3, k4, slope, tableau):
    """Write x(t + h) by a fixed-step method to y, before the normalisation of the attitude."""
    if method == RK4:
        pack_rk4(h, x, u, p, demand, v, y, slope, k2, k3, k4)
    else:
        pack_derivative(x, u, p, demand, v, slope)
        copy_rows(slope, 0, stages, 0, x.size)
        pack_explicit(h, x, u, p, demand, v, y, stages, slope, tableau)


@kernel(inline=True)
def _sums_are_finite(off, y):
    """Return a mask of the runs whose drift of |e|^2 and state are finite."""
    total = spread(0.0)
    for m in range(y.size):
        total = total + y[m]
    return (abs(off) < 1e300) & (abs(total) < 1e300)


@kernel(inline=True)
def _are_finite(row):
    """Return a mask of the runs for which all values of a row are finite."""
    fine = abs(row[0]) < 1e300
    for m in range(1, row.size):
        fine = fine & (abs(row[m]) < 1e300)
    return fine


@kernel
def _count_step(adaptive, h, ends, off, errors, own):
    """Count a step that all runs took; for dop853 also propose the next step."""
    own[DRIFT_OF] = max(own[DRIFT_OF], abs(off))
    own[STEPS_OF] = own[STEPS_OF] + 1.0
    if adaptive:
        own[LONGEST_OF] = max(own[LONGEST_OF], spread(h))
        for lane in range(width()):
            retry = element_of(own, RETRY_OF, lane) != 0.0
            proposed = element_of(own, NEXT, lane)
            put_element(own, NEXT, lane, proposed_length(h, element_of(errors, 0, lane), retry, proposed, ends))
            put_element(own, RETRY_OF, lane, 0.0)


@kernel(inline=True)
def _count_signals(h, x, p, demand, v, tally):
    """Update the signal records with a step of length h that ended in x."""
    if tally.size > 0:
        tally_pack(h, x, p, demand, v, tally)


@kernel(inline=True)
def _count_left(fine):
    """Return the number of runs that have left the pack."""
    left = 0
    for lane in range(width()):
        if not verdict(fine, lane):
            left += 1
    return left


@kernel(inline=True)
def _record_up_to(due, tables, first, kout, x, u, tally):
    """Store the rows of each run before row `due`, and return the index of the next row."""
    while kout < due:
        _record_all(tables, first, kout, x, u, tally)
        kout += 1
    return kout


@kernel
def _rest_alone(b, lane, t_next, user, x, u, stages, tally, own):
    """Complete an interval with the code of the single run; return whether the run stays in the pack."""
    if _stretch(b, t_next, user) != 0:
        put_element(own, LEFT, lane, 1.0)
        return False
    _load(b, lane, x, u, stages, tally, own)
    return True


@kernel
def _advance_pack(law, reference, user, b, tables, first, work, codes):
    """Advance one pack from run `first` on to the end or budget; b: that run, with the common counters."""
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
        put_element(own, LEFT, lane, 0.0)
    _demand_all(tables, first, u, demand)
    end, sample, delay, rtol = clock[T_END], clock[SAMPLE], clock[DELAY], clock[RTOL]
    t, ks, ka, kout, n_out = clock[T], count[KS], count[KA], count[KOUT], count[N_OUT]
    row_in, row_out, rows = count[ROW_IN], count[ROW_OUT], b.queue.shape[0]
    fresh, method, sampled = count[FRESH], count[METHOD], count[LAW_MODE] != NO_LAW
    adaptive = method == DOP853
    start, i, many = clock[T_SEGMENT], 0, 0
    longest, room = clock[STEP], _room_of_all(tables, first)
    fine = own[DRIFT_OF] < math.inf
    left = 0
    while t < end - close_to(t) and left < width():
        slack = close_to(t)
        if sampled and ks * sample <= t + slack:
            fine = fine & pack_reference(t, same, reference, b, tables, first, r)
            _sense(x, p, seen)
            fine = fine & pack_command(t, law, seen, r, q, z, command, limits, queue, row_in)
            row_in = row_in + 1 if row_in + 1 < rows else 0
            ks += 1
        before = ka
        ka, row_out = take_commands(t + slack, sample, delay, rows, ks, ka, row_out, queue, u)
        if ka != before:
            fresh = 1
            _demand_all(tables, first, u, demand)
        t_next = next_stop(end, sampled, sample, delay, ks, ka)
        if not (kout > 0 and out_t[kout - 1] > t):
            _count_signals(0.0, x, p, demand, v, tally)
        single, ends = False, False
        start, i, many = t, 0, 0 if adaptive else how_many(t, t_next, longest)
        if adaptive and fresh != 0:
            pack_derivative(x, u, p, demand, v, slope)
            copy_rows(slope, 0, stages, 0, size)
            fresh = 0
            fine = fine & _are_finite(slope)
        length = (t_next - start) / max(many, 1)
        while not ends:
            # length of the step, and whether all runs take this step
            if adaptive:
                h, ends, single = _common_length(t, t_next, longest, fine, own)
                after = t_next if ends else t + h
            else:
                h, ends = length, i == many - 1
                after = t_next if ends else start + (i + 1) * length
            due, within = _due_rows(t, after, n_out, out_t, kout)
            single = single or within or room <= 0
            if single:
                break
            # the step
            if adaptive:
                pack_explicit(h, x, u, p, demand, v, y, stages, slope, b.tableau)
                errors[0] = pack_error(h, x, y, p, stages, rtol, floors)
                fine = fine & (errors[0] < 1e300)
                single = _is_refused(fine, errors)
                if single:
                    break
            else:
                _fixed_step(method, h, x, u, p, demand, v, y, stages, k2, k3, k4, slope, b.tableau)
            off, y[3], y[4], y[5], y[6] = to_unit(y[3], y[4], y[5], y[6])
            if adaptive:
                pack_derivative(y, u, p, demand, v, slope)
                copy_rows(slope, 0, stages, 0, size)
            else:
                fine = fine & _sums_are_finite(off, y)
            kout = _record_up_to(due, tables, first, kout, x, u, tally)
            copy_rows(y, 0, x, 0, size)
            _count_step(adaptive, h, ends, off, errors, own)
            _count_signals(h, x, p, demand, v, tally)
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
                    if _rest_alone(run_of(tables, first + lane), lane, t_next, user, x, u, stages, tally, own):
                        together = lane + 1
            room = _room_of_all(tables, first)
            fine = fine & (own[LEFT] < 0.5)
            if together > 0:
                kout = _count_of(run_of(tables, first + together - 1), KOUT)
                fresh = _count_of(run_of(tables, first + together - 1), FRESH)
            t = t_next
        left = _count_left(fine)
    kout = _record_up_to(n_out if left < width() else kout, tables, first, kout, x, u, tally)
    fine = fine & _are_finite(x)
    for lane in range(width()):
        codes[first + lane] = DOUBTFUL
        if verdict(fine, lane):
            codes[first + lane] = DONE
            _store(run_of(tables, first + lane), lane, t, x, u, z, queue, stages, tally, own)
            _store_counts(run_of(tables, first + lane), ks, ka, kout, row_in, row_out, fresh, start, many, 0)


@kernel
def advance_wheel_packs(law, reference, user, tables, work, codes):
    """Advance runs in packs of the vector width, and write their codes.

    A run with the code DOUBTFUL continues as a single run from its current state.
    law: a kernel on vectors; user: loads of the single run; tables: address tables, a row for each run; work: space for
    one pack; codes: return codes of the runs, whose number is a multiple of `width()`.
    """
    first = 0
    while first < codes.size:
        _advance_pack(law, reference, user, run_of(tables, first), tables, first, work, codes)
        first += width()
