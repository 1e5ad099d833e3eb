# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Steps of dop853 between two breakpoints for several runs, each with its own time and step length.

A mask preserves the state of a run that has reached the breakpoint, or that rejects the step, while the others advance.
The arithmetic follows `polhode.sim.engine.adaptive`.
"""

from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import select
from .adaptive import first_step, is_collapsed, proposed_length, rejected_length, step_length
from .element_pack_lanes import (
    AFTER,
    DRIFT_OF,
    ENDED,
    ENDS,
    KOUT_OF,
    LEFT,
    LONGEST_OF,
    NEXT,
    REJECTED_OF,
    RETRY_OF,
    STEPS_OF,
    T_OF,
    record_lane,
)
from .element_pack_plant import pack_derivative, tally_pack
from .element_pack_step import copy_rows, pack_dense_output, pack_dense_prepare, pack_error, pack_explicit
from .indices import N_OUT, RTOL, STEP
from .simd import element_of, put_element, width
from .steppers.sphere import to_unit
from .steppers.stage_times import close_to

STEP_ROW = 4
"""Number of vectors that describe the current step."""

LENGTH, ERROR, ACCEPTED, THETA = range(STEP_ROW)
"""Length, s; error relative to the tolerance; 1 if accepted; fraction of the step at the next row of results."""


@kernel(inline=True)
def _is_active(own, lane):
    """Return whether a run is in the pack and has not completed the interval."""
    return element_of(own, LEFT, lane) == 0.0 and element_of(own, ENDED, lane) == 0.0


@kernel
def begin_interval(own):
    """Mark all runs as within the interval."""
    for lane in range(width()):
        put_element(own, ENDED, lane, 0.0)


@kernel
def is_begun(own, lane):
    """Return whether a run's first step already has a length, or the run has left the pack."""
    return element_of(own, NEXT, lane) != 0.0 or element_of(own, LEFT, lane) != 0.0


@kernel
def first_length(b, lane, t_next, own):
    """Set the length of the first step of a run, whose data are up to date."""
    put_element(own, NEXT, lane, first_step(t_next, b))


@kernel
def is_within(adaptive, rest, own, lane):
    """Return whether a run has not completed the interval; rest: 0 if all fixed steps are taken."""
    return element_of(own, ENDED, lane) == 0.0 if adaptive else rest > 0


@kernel
def _next_lengths(t_next, longest, own, step):
    """Set every run's next step length, 0 if it takes no step; return whether any run takes a step."""
    active = False
    for lane in range(width()):
        put_element(step, LENGTH, lane, 0.0)
        if _is_active(own, lane):
            t = element_of(own, T_OF, lane)
            h, cut = step_length(t, t_next, element_of(own, NEXT, lane), longest)
            put_element(step, LENGTH, lane, h)
            put_element(own, AFTER, lane, t_next if cut else t + h)
            put_element(own, ENDS, lane, 1.0 if cut else 0.0)
            active = True
    return active


@kernel
def _judge(own, step):
    """Accept or reject the step of each active run; return whether any was accepted."""
    some = False
    for lane in range(width()):
        put_element(step, ACCEPTED, lane, 0.0)
        if _is_active(own, lane):
            error = element_of(step, ERROR, lane)
            if error <= 1.0:
                put_element(step, ACCEPTED, lane, 1.0)
                some = True
            else:
                h = rejected_length(element_of(step, LENGTH, lane), error)
                put_element(own, REJECTED_OF, lane, element_of(own, REJECTED_OF, lane) + 1.0)
                put_element(own, NEXT, lane, h)
                put_element(own, RETRY_OF, lane, 1.0)
                if is_collapsed(h, element_of(own, T_OF, lane)):  # the single run reports the failure
                    put_element(own, LEFT, lane, 1.0)
    return some


@kernel(inline=True)
def _is_due(lane, n_out, out_t, own, step):
    """Return whether the next row is before the end of the accepted step, and whether inside the step."""
    due, within = False, False
    if element_of(step, ACCEPTED, lane) != 0.0:
        kout, after, t = int(element_of(own, KOUT_OF, lane)), element_of(own, AFTER, lane), element_of(own, T_OF, lane)
        if kout < n_out:
            due = out_t[kout] < after - close_to(after)
            within = due and not out_t[kout] <= t + close_to(t)
    return due, within


@kernel
def _record_at_start(tables, first, n_out, out_t, x, u, tally, own, step):
    """Store the rows due at the start of the accepted steps; return whether any row is inside a step."""
    some = False
    for lane in range(width()):
        due, within = _is_due(lane, n_out, out_t, own, step)
        while due and not within:
            record_lane(tables, first, lane, x, u, tally, own)
            due, within = _is_due(lane, n_out, out_t, own, step)
        some = some or within
    return some


@kernel
def _next_fractions(n_out, out_t, own, step):
    """Set each run's step fraction at its next inner row, 0 if it has none; return whether any has one."""
    some = False
    for lane in range(width()):
        put_element(step, THETA, lane, 0.0)
        _, within = _is_due(lane, n_out, out_t, own, step)
        if within:
            kout = int(element_of(own, KOUT_OF, lane))
            theta = (out_t[kout] - element_of(own, T_OF, lane)) / element_of(step, LENGTH, lane)
            put_element(step, THETA, lane, theta)
            some = True
    return some


@kernel
def _record_within(tables, first, n_out, out_t, between, u, tally, own, step):
    """Store the next row of every run that has one within its step."""
    for lane in range(width()):
        _, within = _is_due(lane, n_out, out_t, own, step)
        if within:
            record_lane(tables, first, lane, between, u, tally, own)


@kernel
def _count_steps(own, step):
    """Count the accepted steps, and propose the next ones."""
    for lane in range(width()):
        if element_of(step, ACCEPTED, lane) != 0.0:
            h, error, cut = element_of(step, LENGTH, lane), element_of(step, ERROR, lane), element_of(own, ENDS, lane)
            retry = element_of(own, RETRY_OF, lane) != 0.0
            proposed = element_of(own, NEXT, lane)
            put_element(own, NEXT, lane, proposed_length(h, error, retry, proposed, cut != 0.0))
            put_element(own, RETRY_OF, lane, 0.0)
            put_element(own, STEPS_OF, lane, element_of(own, STEPS_OF, lane) + 1.0)
            put_element(own, LONGEST_OF, lane, max(element_of(own, LONGEST_OF, lane), h))
            put_element(own, T_OF, lane, element_of(own, AFTER, lane))
            put_element(own, ENDED, lane, cut)


@kernel
def adaptive_pack(
    t_next, b, tables, first, room, x, y, u, p, demand, wheels, w, stages, slope, floors, step, dense, between, tally,
    own,
):  # fmt: skip
    """Take at most `room` steps of dop853 to t_next; return how many of `room` remain.

    b: the first run, with the common numbers; stages, slope, step, dense, between, w: workspace; the first row of
    stages holds the derivative at x.
    """
    longest, rtol, n_out, out_t, n = b.clock[STEP], b.clock[RTOL], b.count[N_OUT], b.out_t, x.size
    while room > 0 and _next_lengths(t_next, longest, own, step):
        room -= 1
        h = step[LENGTH]
        pack_explicit(h, x, u, p, demand, w, y, stages, slope, b.tableau)
        step[ERROR] = pack_error(h, x, y, p, demand, w, stages, rtol, floors)
        if not _judge(own, step):
            continue
        off, y[3], y[4], y[5], y[6] = to_unit(y[3], y[4], y[5], y[6])
        pack_derivative(y, u, p, demand, w, slope)
        copy_rows(slope, 0, stages, 12 * n, n)
        if _record_at_start(tables, first, n_out, out_t, x, u, tally, own, step):
            pack_dense_prepare(h, x, y, u, p, demand, w, stages, slope, dense, between)
            while _next_fractions(n_out, out_t, own, step):
                pack_dense_output(step[THETA], x, dense, between)
                _, between[3], between[4], between[5], between[6] = to_unit(
                    between[3], between[4], between[5], between[6]
                )
                _record_within(tables, first, n_out, out_t, between, u, tally, own, step)
        accepted = step[ACCEPTED] > 0.5
        for m in range(n):
            x[m] = select(accepted, y[m], x[m])
            stages[m] = select(accepted, stages[12 * n + m], stages[m])
        own[DRIFT_OF] = select(accepted, max(own[DRIFT_OF], abs(off)), own[DRIFT_OF])
        tally_pack(accepted, h, x, p, demand, wheels, w, tally)
        _count_steps(own, step)
    return room
