# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Sampled loop of a free body for several simultaneous runs, each in one element of a vector.

Times and counters are equal in all runs. The operations follow the general loop, so that each run is bitwise identical
to the same run simulated individually. A run with a non-finite value is restored to its start; it is then simulated
individually, which reports where the value occurred.
"""

import math

from ...controllers.contracts.law_layout import REFERENCE, SEEN
from ...plant.hub.dynamics import momentum_to_rate
from ...plant.hub.parameters import LEDGER
from ...plant.kernels.kernel import kernel
from . import indices as at
from .fixed import how_many
from .pack_rows import gather, has_reference_of, next_stop, pack_command, pack_reference, scatter, take_commands
from .simd import element_of, put_element, run_of, vector_row, verdict, width
from .steppers.rk4_free import rk4_free_walk
from .steppers.stage_times import close_to


@kernel
def _load(b, lane, x, u, p, q, z, limits, queue, drift):
    """Copy the data of a run into its lane."""
    gather(b.x, x, lane)
    gather(b.u, u, lane)
    gather(b.p, p, lane)
    gather(b.q, q, lane)
    gather(b.z, z, lane)
    gather(b.limits, limits, lane)
    for k in range(b.queue.shape[0]):
        for m in range(3):
            put_element(queue, 3 * k + m, lane, b.queue[k, m])
    put_element(drift, 0, lane, b.clock[at.NORM_DRIFT])


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
    """Copy the data of a lane back to its run."""
    scatter(b.x, x, lane)
    scatter(b.u, u, lane)
    scatter(b.z, z, lane)
    for k in range(b.queue.shape[0]):
        for m in range(3):
            b.queue[k, m] = element_of(queue, 3 * k + m, lane)
    b.clock[at.NORM_DRIFT] = element_of(drift, 0, lane)


@kernel
def _store_clock(b, t, start, ks, ka, kout, steps, row_in, row_out, i, many):
    """Set the clock and counters of a run to the common values."""
    b.clock[at.T], b.clock[at.T_SEGMENT] = t, start
    b.count[at.KS], b.count[at.KA], b.count[at.KOUT], b.count[at.STEPS] = ks, ka, kout, steps
    b.count[at.ROW_IN], b.count[at.ROW_OUT], b.count[at.FRESH] = row_in, row_out, 1
    b.count[at.SEGMENT_I], b.count[at.SEGMENT_N] = i, many


@kernel
def walk(ledger, h, steps, x, u, p, y):
    """Write the state after a number of steps from x to y; return the largest drift of |e|^2 in one step."""
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
def _record_until(t_next, t, tables, first, n_out, out_t, kout, x, u):
    """Store the rows that are due at t, before t_next, and return the index of the next row."""
    while kout < n_out and out_t[kout] <= t + close_to(t) and out_t[kout] < t_next - close_to(t_next):
        _record_all(tables, first, kout, x, u)
        kout += 1
    return kout


@kernel
def _record_within(t, h, after, ledger, tables, first, n_out, out_t, kout, x, u, p, y):
    """Compute the rows within the step of length h from t with shorter steps; return the next row."""
    while kout < n_out and out_t[kout] < after - close_to(after):
        walk(ledger, (out_t[kout] - t) / h * h, 1, x, u, p, y)
        _record_all(tables, first, kout, y, u)
        kout += 1
    return kout


@kernel(inline=True)
def _steps_at_once(t, h, t_next, left, n_out, out_t, kout):
    """Return the number of steps before the next row, at most `left`; 0 if the next step contains a row."""
    if kout < n_out and out_t[kout] < t_next:
        return min(left, int((out_t[kout] - t) / h * (1.0 - 1e-12)))
    return left


@kernel(inline=True)
def _sense(x, p, seen):
    """Write the plant signals that the law measures to `seen`."""
    for m in range(SEEN.rate):
        seen[m] = x[m]
    seen[SEEN.rate], seen[SEEN.rate + 1], seen[SEEN.rate + 2] = momentum_to_rate(x[0], x[1], x[2], p)


@kernel
def _advance_pack(law, reference, b, tables, first, work, codes):
    """Advance the pack that starts at run `first` to its end or budget; b: that run, with the common counters."""
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
    end, sample, delay, step = clock[at.T_END], clock[at.SAMPLE], clock[at.DELAY], clock[at.STEP]
    t, ks, ka, kout, steps = clock[at.T], count[at.KS], count[at.KA], count[at.KOUT], count[at.STEPS]
    row_in, row_out, rows = count[at.ROW_IN], count[at.ROW_OUT], b.queue.shape[0]
    i, many, start = count[at.SEGMENT_I], count[at.SEGMENT_N], clock[at.T_SEGMENT]
    ledger, sampled, n_out = b.p[LEDGER] != 0.0, count[at.LAW_MODE] != at.NO_LAW, count[at.N_OUT]
    worst, status = drift[0], at.DONE
    fine = worst < math.inf
    while t < end - close_to(t):
        if many == 0:
            slack = close_to(t)
            if sampled and ks * sample <= t + slack:
                fine = fine & pack_reference(t, alike, reference, b, tables, first, r)
                _sense(x, p, seen)
                fine = fine & pack_command(t, law, seen, r, q, z, command, limits, queue, row_in)
                row_in = row_in + 1 if row_in + 1 < rows else 0
                ks += 1
            ka, row_out = take_commands(t + slack, sample, delay, rows, ks, ka, row_out, queue, u)
        t_next = next_stop(end, sampled, sample, delay, ks, ka)
        if many == 0:
            start, many, i = t, how_many(t, t_next, step), 0
        h = t_next - start
        if many > 1:
            h /= many
        while i < many:
            now = start + i * h
            kout = _record_until(t_next, now, tables, first, n_out, out_t, kout, x, u)
            go = min(many - i, count[at.BUDGET] - steps)
            if go <= 0:
                break
            go = _steps_at_once(now, h, t_next, go, n_out, out_t, kout)
            if go <= 0:
                go = 1
                after = t_next if i == many - 1 else start + (i + 1) * h
                kout = _record_within(now, h, after, ledger, tables, first, n_out, out_t, kout, x, u, p, y)
            found = walk(ledger, h, go, x, u, p, x)
            fine = fine & (found < 1e300)
            worst = max(worst, found)
            i += go
            steps += go
            t = t_next if i == many else start + i * h
        if i < many:
            status = at.STEP_LIMIT if steps >= count[at.MAX_STEPS] else at.PAUSED
            break
        many = 0
    if status == at.DONE:
        while kout < n_out:
            _record_all(tables, first, kout, x, u)
            kout += 1
    drift[0] = worst
    for m in range(x.size):
        fine = fine & (abs(x[m]) < 1e300)
    for lane in range(width()):
        codes[first + lane] = at.DOUBTFUL
        if verdict(fine, lane):
            codes[first + lane] = status
            _store(run_of(tables, first + lane), lane, x, u, z, queue, drift)
            _store_clock(run_of(tables, first + lane), t, start, ks, ka, kout, steps, row_in, row_out, i, many)


@kernel
def advance_packs(law, reference, tables, work, codes):
    """Advance runs in packs of the vector width, and write their return codes.

    A run with the code DOUBTFUL is left unchanged.
    law: a kernel on vectors; tables: address tables, a row for each run; work: space for one pack; codes: return codes
    of the runs, whose number is a multiple of `width()`.
    """
    first = 0
    while first < codes.size:
        _advance_pack(law, reference, run_of(tables, first), tables, first, work, codes)
        first += width()
