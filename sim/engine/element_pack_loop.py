# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Sampled loop of a hub with elements for several runs at a time, each in one element of a vector.

All runs have their samples and commands at the same times, and the operations are the same as in the general loop.
Between them, steps of dop853 differ from run to run (`element_pack_adaptive`), and fixed steps are common. If a run may
exceed its budget of steps, each run completes the interval with the code of a single run. A run with a non-finite value
keeps the state that was last stored, and continues as a single run.
"""

import math

from ...controllers.contracts.law_layout import REFERENCE, SEEN
from ...plant.hub.parameters import AT_ELEMENTS, ELEMENT, N_ELEMENTS
from ...plant.kernels.kernel import kernel
from . import indices as at
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
from .element_pack_interval import are_finite, begin_steps, count_left, demand_all, leave, present, take_fixed_steps
from .element_pack_lanes import (
    DRIFT_OF,
    LEFT,
    OWN,
    finish_alone,
    load_lane,
    load_rest,
    next_row,
    record_all,
    room_of_all,
    store_counts,
    store_lane,
)
from .element_pack_plant import hub_rate, tally_pack
from .extremes import TALLY_ROW
from .fixed import how_many
from .pack_rows import has_reference_of, next_stop, pack_command, pack_reference, take_commands
from .simd import run_of, spread, vector_row, verdict, width
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
    leave(own[DRIFT_OF] < math.inf, own)
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
    elements, fine = int(b.p[N_ELEMENTS]), present(own)
    for k in range(count[at.BLOCKS] + 1):
        if k == count[at.LAW_AT] and count[at.LAW_MODE] != at.NO_LAW:
            if due:
                fine = fine & sample_law(t, law, b, seen, r, q, z, command, limits, queue, row_in, signals, inputs)
            port = count[at.LAW_COMMAND]
            ka, row_out = take_commands(
                t + close_to(t), clock[at.SAMPLE], clock[at.DELAY], b.queue.shape[0], ks, ka, row_out, queue,
                signals[port : port + 3],
            )  # fmt: skip
        if k < count[at.BLOCKS]:
            code = kernels[elements + k]
            fine = run_pack_block(t, k, b, code, signals, inputs, held, block_q, block_z, answer, progress, fine)
    act(b, signals, limits, u)
    leave(fine, own)
    return ka, row_out


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
    progress = vector_row(work, n, PROGRESS * count[at.BLOCKS])
    same = _load(
        b, tables, first, kernels, x, u, stages, tally, own, p, q, z, limits, queue, floors, demand, signals, inputs,
        held, block_q, block_z, progress,
    )  # fmt: skip
    demand_all(tables, first, u, wheels, demand)
    end, sample, delay = clock[at.T_END], clock[at.SAMPLE], clock[at.DELAY]
    t, ks, ka, kout, n_out = clock[at.T], count[at.KS], count[at.KA], count[at.KOUT], count[at.N_OUT]
    row_in, row_out, rows = count[at.ROW_IN], count[at.ROW_OUT], b.queue.shape[0]
    fresh, sampled, adaptive = count[at.FRESH], count[at.LAW_MODE] != at.NO_LAW, count[at.METHOD] == at.DOP853
    start, i, many, room = clock[at.T], 0, 0, room_of_all(tables, first)
    while t < end - close_to(t) and count_left(present(own)) < width():
        slack = close_to(t)
        due = sampled and ks * sample <= t + slack
        if due or is_any_due(t, b, progress):
            leave(pack_reference(t, same, reference, b, tables, first, r), own)
            _sense(count[at.LAW_FURTHER], x, p, demand, w, seen)
            show_plant(b, seen, u, r, p, w, signals)
        row, before = row_in, ka
        if due:
            row_in = row_in + 1 if row_in + 1 < rows else 0
            ks += 1
        if count[at.BLOCKS] > 0:
            ka, row_out = _run_blocks(
                t, due, law, b, kernels, seen, r, q, z, command, limits, queue, u, signals, inputs, held, block_q,
                block_z, answer, progress, own, ks, ka, row, row_out,
            )  # fmt: skip
        else:
            if due:
                leave(pack_command(t, law, seen, r, q, z, command, limits, queue, row), own)
            ka, row_out = take_commands(t + slack, sample, delay, rows, ks, ka, row_out, queue, u)
        if count[at.BLOCKS] > 0 or ka != before:
            fresh = 1
            demand_all(tables, first, u, wheels, demand)
        t_next = next_of_pack_blocks(next_stop(end, sampled, sample, delay, ks, ka), b, progress)
        if not (kout > 0 and out_t[kout - 1] > t):
            tally_pack(present(own), spread(0.0), x, p, demand, wheels, w, tally)
        start, i, many = t, 0, 0 if adaptive else how_many(t, t_next, clock[at.STEP])
        begin_interval(own)
        if adaptive:
            if fresh != 0:
                begin_steps(x, u, p, demand, w, slope, stages, own)
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
            i = take_fixed_steps(
                start, t_next, many, room, b, tables, first, x, y, u, p, demand, wheels, w, stages, slope, between,
                tally, own, held, progress, signals,
            )  # fmt: skip
            room -= i
        if room <= 0:
            rest = many if i < many else 0
            for lane in range(width()):
                if verdict(present(own), lane):
                    _store(
                        run_of(tables, first + lane), lane, x, u, z, queue, stages, tally, own, signals, inputs, held,
                        block_z, progress, ks, ka, row_in, row_out, fresh, start, i if rest > 0 else 0, rest,
                    )  # fmt: skip
                    if is_within(adaptive, rest, own, lane):
                        finish_alone(run_of(tables, first + lane), lane, t_next, user, x, u, stages, tally, own)
            room = room_of_all(tables, first)
        kout = next_row(present(own), own, kout)
        t = t_next
    while kout < n_out and count_left(present(own)) < width():
        record_pack_signals(kout, out_t[kout], b, tables, first, present(own), held, progress, signals)
        record_all(tables, first, present(own), x, u, tally, own)
        kout += 1
    leave(are_finite(x, size), own)
    for lane in range(width()):
        codes[first + lane] = at.DOUBTFUL
        if verdict(present(own), lane):
            codes[first + lane] = at.DONE
            _store(
                run_of(tables, first + lane), lane, x, u, z, queue, stages, tally, own, signals, inputs, held, block_z,
                progress, ks, ka, row_in, row_out, fresh, start, many, 0,
            )  # fmt: skip


@kernel
def advance_element_packs(law, reference, user, tables, kernels, wheels, work, codes):
    """Advance runs in packs of the vector width, and write their status codes.

    A run with the code DOUBTFUL continues as a single run from its current state.
    law: a kernel on vectors; user: loads of the single run; tables: address tables, a row for each run; kernels:
    addresses of the vector kernels of the elements; wheels: start of the row of each wheel in the parameters; work:
    space for one pack; codes: return codes of the runs, whose number is a multiple of `width()`.
    """
    first = 0
    while first < codes.size:
        _advance_pack(law, reference, user, run_of(tables, first), tables, first, kernels, wheels, work, codes)
        first += width()
