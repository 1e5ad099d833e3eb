# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Sampled loop of a hub with elements for several simultaneous runs, each in one element of a vector.

Samples and commands are simultaneous in all runs, and the operations follow the general loop. Between them, steps
of dop853 differ from run to run (`element_pack_adaptive`), and fixed steps are common. If a run may exceed its budget
of steps, each run completes the interval with the code of a single run. A run with a non-finite value keeps the state
that was last stored, and continues as a single run.
"""

import math

from ...controllers.contracts.law_layout import REFERENCE, SEEN
from ...plant.hub.parameters import AT_ELEMENTS, BARE, ELEMENT, LEDGER, N_ELEMENTS
from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import shared
from .element_pack_adaptive import (
    STEP_ROW,
    adaptive_pack,
    begin_interval,
    first_length,
    is_begun,
    is_within,
)
from .element_pack_blocks import (
    PROGRESS,
    act,
    is_any_due,
    load_blocks,
    next_of_pack_blocks,
    record_pack_signals,
    run_pack_block,
    sample_law,
    show_plant,
    store_blocks,
)
from .element_pack_lanes import (
    DRIFT_OF,
    LEFT,
    OWN,
    STEPS_OF,
    T_OF,
    finish_alone,
    load_lane,
    load_rest,
    next_row,
    record_all,
    room_of_all,
    store_counts,
    store_lane,
)
from .element_pack_plant import hub_rate, pack_derivative, tally_pack
from .element_pack_step import copy_rows, pack_explicit, pack_rk4
from .element_pack_wheel import demand_of
from .extremes import TALLY_ROW
from .fixed import how_many
from .indices import (
    BLOCKS,
    DELAY,
    DONE,
    DOP853,
    DOUBTFUL,
    FRESH,
    KA,
    KOUT,
    KS,
    LAW_AT,
    LAW_COMMAND,
    LAW_FURTHER,
    LAW_MODE,
    METHOD,
    N_OUT,
    NO_LAW,
    RK4,
    ROW_IN,
    ROW_OUT,
    SAMPLE,
    STEP,
    T_END,
    T,
)
from .pack_loop import walk
from .pack_rows import has_reference_of, next_stop, pack_command, pack_reference, take_commands
from .simd import put_element, run_of, spread, vector_row, verdict, width
from .steppers.sphere import to_unit
from .steppers.stage_times import close_to

STAGES_KEPT = 16
"""Number of rows of stages: those of a step of dop853, the derivative at its end, and three of the dense output."""

DENSE_KEPT = 7
"""Number of rows of the polynomial of the dense output."""


@kernel(inline=True)
def _sense(further, x, p, demand, w, seen):
    """Write the plant signals that the law measures to `seen`; the last `further` inputs are other signals."""
    for m in range(SEEN.rate):
        seen[m] = x[m]
    seen[SEEN.rate], seen[SEEN.rate + 1], seen[SEEN.rate + 2] = hub_rate(x, p, demand, w)
    for m in range(SEEN.rate, seen.size - 3 - further):
        seen[m + 3] = x[m]


@kernel
def _demand_all(tables, first, u, wheels, demand):
    """Write the torque that the law demands of each motor of all runs to `demand`."""
    for lane in range(width()):
        demand_of(run_of(tables, first + lane), lane, u, wheels, demand)


@kernel
def _fixed_step(method, h, x, u, p, demand, w, y, stages, k2, k3, k4, slope, tableau):
    """Write x(t + h) by a fixed-step method to y; return the removed drift of |e|^2."""
    if shared(p, BARE) != 0.0:  # by rk4
        return walk(shared(p, LEDGER) != 0.0, h, 1, x, u, p, y)
    if method == RK4:
        pack_rk4(h, x, u, p, demand, w, y, slope, k2, k3, k4)
    else:
        pack_derivative(x, u, p, demand, w, slope)
        copy_rows(slope, 0, stages, 0, x.size)
        pack_explicit(h, x, u, p, demand, w, y, stages, slope, tableau)
    off, y[3], y[4], y[5], y[6] = to_unit(y[3], y[4], y[5], y[6])
    return off


@kernel(inline=True)
def _sums_are_finite(off, y):
    """Return a mask of the runs whose drift of |e|^2 and state are finite."""
    total = spread(0.0)
    for m in range(y.size):
        total = total + y[m]
    return (abs(off) < 1e300) & (abs(total) < 1e300)


@kernel(inline=True)
def _are_finite(row, size):
    """Return a mask of the runs for which the first `size` values of a row are all finite."""
    fine = abs(row[0]) < 1e300
    for m in range(1, size):
        fine = fine & (abs(row[m]) < 1e300)
    return fine


@kernel(inline=True)
def _count_left(fine):
    """Return the number of runs that have left the pack."""
    left = 0
    for lane in range(width()):
        if not verdict(fine, lane):
            left += 1
    return left


@kernel
def _leave(fine, own):
    """Mark the runs outside the mask as having left the pack."""
    for lane in range(width()):
        if not verdict(fine, lane):
            put_element(own, LEFT, lane, 1.0)


@kernel(inline=True)
def _present(own):
    """Return a mask of the runs that are in the pack."""
    return own[LEFT] < 0.5


@kernel
def _load(
    b, tables, first, kernels, x, u, stages, tally, own, p, q, z, limits, queue, floors, demand, signals, inputs, held,
    block_q, block_z, progress,
):  # fmt: skip
    """Copy the data of all runs to their lanes; return whether they have the same reference."""
    same = True
    for lane in range(width()):
        load_lane(run_of(tables, first + lane), lane, x, u, stages, tally, own)
        load_rest(run_of(tables, first + lane), lane, p, q, z, limits, queue, floors)
        load_blocks(run_of(tables, first + lane), lane, signals, inputs, held, block_q, block_z, progress)
        same = same and has_reference_of(run_of(tables, first + lane), b)
    row = int(b.p[AT_ELEMENTS])
    for k in range(int(b.p[N_ELEMENTS])):
        p[row + ELEMENT.function] = spread(kernels[k])
        row += int(b.p[row + ELEMENT.length])
    for m in range(demand.size):
        demand[m] = spread(0.0)
    own[LEFT] = spread(0.0)
    _leave(own[DRIFT_OF] < math.inf, own)
    return same


@kernel
def _store(
    b, lane, x, u, z, queue, stages, tally, own, signals, inputs, held, block_z, progress,
    ks, ka, row_in, row_out, fresh, start, i, many,
):  # fmt: skip
    """Copy all data of a lane back to its run."""
    store_lane(b, lane, x, u, z, queue, stages, tally, own)
    store_blocks(b, lane, signals, inputs, held, block_z, progress)
    store_counts(b, ks, ka, row_in, row_out, fresh, start, i, many)


@kernel
def _run_blocks(
    t, due, law, b, kernels, seen, r, q, z, command, limits, queue, u, signals, inputs, held, block_q, block_z, answer,
    progress, own, ks, ka, row_in, row_out,
):  # fmt: skip
    """Process blocks and law at t; due: whether the law takes its sample ks - 1; return the next command and row."""
    count, clock = b.count, b.clock
    elements, fine = int(b.p[N_ELEMENTS]), _present(own)
    for k in range(count[BLOCKS] + 1):
        if k == count[LAW_AT] and count[LAW_MODE] != NO_LAW:
            if due:
                fine = fine & sample_law(t, law, b, seen, r, q, z, command, limits, queue, row_in, signals, inputs)
            at = count[LAW_COMMAND]
            ka, row_out = take_commands(
                t + close_to(t), clock[SAMPLE], clock[DELAY], b.queue.shape[0], ks, ka, row_out, queue,
                signals[at : at + 3],
            )  # fmt: skip
        if k < count[BLOCKS]:
            code = kernels[elements + k]
            fine = run_pack_block(t, k, b, code, signals, inputs, held, block_q, block_z, answer, progress, fine)
    act(b, signals, limits, u)
    _leave(fine, own)
    return ka, row_out


@kernel
def _take_fixed_steps(
    start, t_next, many, room, b, tables, first, x, y, u, p, demand, wheels, w, stages, slope, between, tally, own,
    held, progress, signals,
):  # fmt: skip
    """Take at most `room` of `many` equal steps from start to t_next; return the number taken."""
    count, out_t, method, size, fine = b.count, b.out_t, b.count[METHOD], x.size, _present(own)
    k2, k3, k4 = stages[:size], stages[size : 2 * size], stages[2 * size : 3 * size]
    h, t, i, kout = (t_next - start) / max(many, 1), start, 0, next_row(fine, own, count[N_OUT])
    while i < many and room > i:
        after = t_next if i == many - 1 else start + (i + 1) * h
        while kout < count[N_OUT] and out_t[kout] < after - close_to(after):
            record_pack_signals(kout, out_t[kout], b, tables, first, fine, held, progress, signals)
            if out_t[kout] <= t + close_to(t):
                record_all(tables, first, fine, x, u, tally, own)
            else:
                part = (out_t[kout] - t) / h * h
                _fixed_step(method, part, x, u, p, demand, w, between, stages, k2, k3, k4, slope, b.tableau)
                record_all(tables, first, fine, between, u, tally, own)
            kout += 1
        off = _fixed_step(method, h, x, u, p, demand, w, y, stages, k2, k3, k4, slope, b.tableau)
        fine = fine & _sums_are_finite(off, y)
        copy_rows(y, 0, x, 0, size)
        own[DRIFT_OF] = max(own[DRIFT_OF], abs(off))
        own[STEPS_OF] = own[STEPS_OF] + 1.0
        tally_pack(fine, spread(h), x, p, demand, wheels, w, tally)
        t = after
        i += 1
    own[T_OF] = spread(t)
    _leave(fine, own)
    return i


@kernel
def _begin_steps(x, u, p, demand, w, slope, stages, own):
    """Compute the derivative at the start of an interval."""
    pack_derivative(x, u, p, demand, w, slope)
    copy_rows(slope, 0, stages, 0, x.size)
    _leave(_are_finite(slope, x.size), own)


@kernel
def _advance_pack(law, reference, user, b, tables, first, kernels, wheels, work, codes):
    """Advance the pack that starts at run `first` to its end or budget; b: that run, with the common counters."""
    clock, count, out_t = b.clock, b.count, b.out_t
    size = b.x.size
    n = 0
    x = vector_row(work, n, size)
    n += size
    y = vector_row(work, n, size)
    n += size
    slope = vector_row(work, n, size)
    n += size
    between = vector_row(work, n, size)
    n += size
    demand = vector_row(work, n, size)
    n += size
    dense = vector_row(work, n, DENSE_KEPT * size)
    n += DENSE_KEPT * size
    stages = vector_row(work, n, STAGES_KEPT * size)
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
    w = vector_row(work, n, b.w.size)
    n += b.w.size
    r = vector_row(work, n, REFERENCE.size)
    n += REFERENCE.size
    command = vector_row(work, n, 3)
    n += 3
    limited = int(b.tally[0]) if b.tally.size > 0 else 0
    tally = vector_row(work, n, TALLY_ROW * limited)
    n += TALLY_ROW * limited
    step = vector_row(work, n, STEP_ROW)
    n += STEP_ROW
    own = vector_row(work, n, OWN)
    n += OWN
    signals = vector_row(work, n, b.signals.size)
    n += b.signals.size
    inputs = vector_row(work, n, b.inputs.size)
    n += b.inputs.size
    held = vector_row(work, n, b.held.size)
    n += b.held.size
    answer = vector_row(work, n, b.answer.size)
    n += b.answer.size
    block_q = vector_row(work, n, b.block_q.size)
    n += b.block_q.size
    block_z = vector_row(work, n, b.block_z.size)
    n += b.block_z.size
    progress = vector_row(work, n, PROGRESS * count[BLOCKS])
    same = _load(
        b, tables, first, kernels, x, u, stages, tally, own, p, q, z, limits, queue, floors, demand, signals, inputs,
        held, block_q, block_z, progress,
    )  # fmt: skip
    _demand_all(tables, first, u, wheels, demand)
    end, sample, delay = clock[T_END], clock[SAMPLE], clock[DELAY]
    t, ks, ka, kout, n_out = clock[T], count[KS], count[KA], count[KOUT], count[N_OUT]
    row_in, row_out, rows = count[ROW_IN], count[ROW_OUT], b.queue.shape[0]
    fresh, sampled, adaptive = count[FRESH], count[LAW_MODE] != NO_LAW, count[METHOD] == DOP853
    start, i, many, room = clock[T], 0, 0, room_of_all(tables, first)
    while t < end - close_to(t) and _count_left(_present(own)) < width():
        slack = close_to(t)
        due = sampled and ks * sample <= t + slack
        if due or is_any_due(t, b, progress):
            _leave(pack_reference(t, same, reference, b, tables, first, r), own)
            _sense(count[LAW_FURTHER], x, p, demand, w, seen)
            show_plant(b, seen, u, r, p, w, signals)
        row, before = row_in, ka
        if due:
            row_in = row_in + 1 if row_in + 1 < rows else 0
            ks += 1
        if count[BLOCKS] > 0:
            ka, row_out = _run_blocks(
                t, due, law, b, kernels, seen, r, q, z, command, limits, queue, u, signals, inputs, held, block_q,
                block_z, answer, progress, own, ks, ka, row, row_out,
            )  # fmt: skip
        else:
            if due:
                _leave(pack_command(t, law, seen, r, q, z, command, limits, queue, row), own)
            ka, row_out = take_commands(t + slack, sample, delay, rows, ks, ka, row_out, queue, u)
        if count[BLOCKS] > 0 or ka != before:
            fresh = 1
            _demand_all(tables, first, u, wheels, demand)
        t_next = next_of_pack_blocks(next_stop(end, sampled, sample, delay, ks, ka), b, progress)
        if not (kout > 0 and out_t[kout - 1] > t):
            tally_pack(_present(own), spread(0.0), x, p, demand, wheels, w, tally)
        start, i, many = t, 0, 0 if adaptive else how_many(t, t_next, clock[STEP])
        begin_interval(own)
        if adaptive:
            if fresh != 0:
                _begin_steps(x, u, p, demand, w, slope, stages, own)
                fresh = 0
            for lane in range(width()):
                if not is_begun(own, lane):
                    _store(
                        run_of(tables, first + lane), lane, x, u, z, queue, stages, tally, own, signals, inputs, held,
                        block_z, progress, ks, ka, row_in, row_out, fresh, start, 0, 0,
                    )  # fmt: skip
                    first_length(run_of(tables, first + lane), lane, t_next, own)
            room = adaptive_pack(
                t_next, b, tables, first, room, x, y, u, p, demand, wheels, w, stages, slope, floors, step, dense,
                between, tally, own,
            )  # fmt: skip
        else:
            i = _take_fixed_steps(
                start, t_next, many, room, b, tables, first, x, y, u, p, demand, wheels, w, stages, slope, between,
                tally, own, held, progress, signals,
            )  # fmt: skip
            room -= i
        if room <= 0:
            rest = many if i < many else 0
            for lane in range(width()):
                if verdict(_present(own), lane):
                    _store(
                        run_of(tables, first + lane), lane, x, u, z, queue, stages, tally, own, signals, inputs, held,
                        block_z, progress, ks, ka, row_in, row_out, fresh, start, i if rest > 0 else 0, rest,
                    )  # fmt: skip
                    if is_within(adaptive, rest, own, lane):
                        finish_alone(run_of(tables, first + lane), lane, t_next, user, x, u, stages, tally, own)
            room = room_of_all(tables, first)
        kout = next_row(_present(own), own, kout)
        t = t_next
    while kout < n_out and _count_left(_present(own)) < width():
        record_pack_signals(kout, out_t[kout], b, tables, first, _present(own), held, progress, signals)
        record_all(tables, first, _present(own), x, u, tally, own)
        kout += 1
    _leave(_are_finite(x, size), own)
    for lane in range(width()):
        codes[first + lane] = DOUBTFUL
        if verdict(_present(own), lane):
            codes[first + lane] = DONE
            _store(
                run_of(tables, first + lane), lane, x, u, z, queue, stages, tally, own, signals, inputs, held, block_z,
                progress, ks, ka, row_in, row_out, fresh, start, many, 0,
            )  # fmt: skip


@kernel
def advance_element_packs(law, reference, user, tables, kernels, wheels, work, codes):
    """Advance runs in packs of the vector width, and write their codes.

    A run with the code DOUBTFUL continues as a single run from its current state.
    law: a kernel on vectors; user: loads of the single run; tables: address tables, a row for each run; kernels:
    addresses of the vector kernels of the elements; wheels: start of the row of each wheel in the parameters; work:
    space for one pack; codes: return codes of the runs, whose number is a multiple of `width()`.
    """
    first = 0
    while first < codes.size:
        _advance_pack(law, reference, user, run_of(tables, first), tables, first, kernels, wheels, work, codes)
        first += width()
