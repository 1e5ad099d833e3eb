# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""A pack between two samples: its fixed steps, the demand of its motors, and the mask of the runs in it."""

from ...plant.hub.parameters import BARE, LEDGER
from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import shared
from .element_pack_blocks import record_pack_signals
from .element_pack_lanes import DRIFT_OF, LEFT, STEPS_OF, T_OF, next_row, record_all
from .element_pack_plant import pack_derivative, tally_pack
from .element_pack_step import copy_rows, pack_explicit, pack_rk4
from .element_pack_wheel import demand_of
from .indices import METHOD, N_OUT, RK4
from .pack_loop import walk
from .simd import put_element, run_of, spread, verdict, width
from .steppers.sphere import to_unit
from .steppers.stage_times import close_to


@kernel(inline=True)
def present(own):
    """Return a mask of the runs that are in the pack."""
    return own[LEFT] < 0.5


@kernel
def leave(fine, own):
    """Mark the runs outside the mask as having left the pack."""
    for lane in range(width()):
        if not verdict(fine, lane):
            put_element(own, LEFT, lane, 1.0)


@kernel(inline=True)
def count_left(fine):
    """Return the number of runs that have left the pack."""
    left = 0
    for lane in range(width()):
        if not verdict(fine, lane):
            left += 1
    return left


@kernel(inline=True)
def are_finite(row, size):
    """Return a mask of the runs for which the first `size` values of a row are all finite."""
    fine = abs(row[0]) < 1e300
    for m in range(1, size):
        fine = fine & (abs(row[m]) < 1e300)
    return fine


@kernel(inline=True)
def _sums_are_finite(off, y):
    """Return a mask of the runs whose drift of |e|^2 and state are finite."""
    total = spread(0.0)
    for m in range(y.size):
        total = total + y[m]
    return (abs(off) < 1e300) & (abs(total) < 1e300)


@kernel
def demand_all(tables, first, u, wheels, demand):
    """Write the torque that the law demands of each motor of all runs to `demand`."""
    for lane in range(width()):
        demand_of(run_of(tables, first + lane), lane, u, wheels, demand)


@kernel
def begin_steps(x, u, p, demand, w, slope, stages, own):
    """Compute the derivative at the start of an interval."""
    pack_derivative(x, u, p, demand, w, slope)
    copy_rows(slope, 0, stages, 0, x.size)
    leave(are_finite(slope, x.size), own)


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


@kernel
def take_fixed_steps(
    start, t_next, many, room, b, tables, first, x, y, u, p, demand, wheels, w, stages, slope, between, tally, own,
    held, progress, signals,
):  # fmt: skip
    """Take at most `room` of `many` equal steps from start to t_next; return the number taken."""
    count, out_t, method, size, fine = b.count, b.out_t, b.count[METHOD], x.size, present(own)
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
    leave(fine, own)
    return i
