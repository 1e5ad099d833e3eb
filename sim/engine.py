# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The closed loop: plant, sampled law with its delay, scheduled torques, outputs; one loop, compiled whole.

Time runs from breakpoint to breakpoint: samples at k T, actuations at k T + delay, edges of scheduled torques, the
end. At one instant edges come first, then the sample, then the actuation, so that with no delay a command acts from
the very instant of its sample on. Between actuations the command is held. Until the first one it is zero.
"""

import math

from ..plant.dynamics import body_rate
from ..plant.kernel import kernel
from ..plant.torque.saturation import saturate
from .indices import (
    BAD_COMMAND,
    CALLER_LAW,
    CLOSEST_HARD,
    DELAY,
    DONE,
    EVENT_PORT,
    EVENT_SOFT,
    FRESH,
    HAVE_COMMAND,
    KA,
    KEDGE,
    KOUT,
    KS,
    LAW_MODE,
    N_OUT,
    NEED_COMMAND,
    NO_LAW,
    POSE_LIMIT,
    ROW_IN,
    ROW_OUT,
    ROWS_FULL,
    SAMPLE,
    SEGMENT_N,
    SINGULAR,
    T_CLOSEST_HARD,
    T_END,
    TAKEN,
    WATCH,
    T,
)
from .pose import AT_POSE, closest
from .segment import integrate_segment, record
from .steppers.stage_times import close_to

__all__ = ["advance", "no_law"]


@kernel
def no_law(t, y, r, q, z, u):
    """A plant without a law: no torque."""
    u[0] = 0.0
    u[1] = 0.0
    u[2] = 0.0


@kernel(inline=True)
def _edges(t, u, count, edges, schedule):
    """Switch every scheduled torque on or off for the stretch that begins at t."""
    slack = close_to(t)
    while count[KEDGE] < edges.size and edges[count[KEDGE]] <= t + slack:
        count[KEDGE] += 1
        count[FRESH] = 1
        for n in range(schedule.shape[0]):
            on = schedule[n, 0] <= t + slack and t + slack < schedule[n, 1]
            u[3 + 4 * n] = 1.0 if on else 0.0
            for m in range(3):
                u[4 + 4 * n + m] = schedule[n, 2 + m]


@kernel(inline=True)
def _actuate(t, u, clock, count, queue):
    """Apply every command whose time has come."""
    while count[KA] < count[KS] and count[KA] * clock[SAMPLE] + clock[DELAY] <= t + close_to(t):
        row = count[ROW_OUT]
        count[ROW_OUT] = row + 1 if row + 1 < queue.shape[0] else 0
        for m in range(3):
            u[m] = queue[row, m]
        count[KA] += 1
        count[FRESH] = 1


@kernel(inline=True)
def _see(t, x, u, p, w, seen):
    """What a law is shown: momentum, Euler parameters, body rate, then the other states, but no ledger."""
    for i in range(7):
        seen[i] = x[i]
    seen[7], seen[8], seen[9] = body_rate(t, x, u, p, w)
    for i in range(7, seen.size - 3):
        seen[i + 3] = x[i]


@kernel(inline=True)
def _sample(t, law, reference, x, u, p, w, q, rq, z, r, seen, command, count, queue, limits):
    """Ask the law for a command, cut it off at the limits, and put it into the queue.

    What is asked is not a number until it is answered: a compiled function that raises comes back as if nothing had
    happened, and this is how it is found out.
    """
    if count[HAVE_COMMAND] == 0:
        r[0] = math.nan
        reference(t, rq, r)
        for m in range(10):
            if not abs(r[m]) < 1e300:
                return BAD_COMMAND
        _see(t, x, u, p, w, seen)
        if count[LAW_MODE] == CALLER_LAW:
            return NEED_COMMAND
        for m in range(3):
            command[m] = math.nan
        law(t, seen, r, q, z, command)
    count[HAVE_COMMAND] = 0
    row = count[ROW_IN]
    count[ROW_IN] = row + 1 if row + 1 < queue.shape[0] else 0
    for m in range(3):
        if not abs(command[m]) < 1e300:
            return BAD_COMMAND
    queue[row, 0], queue[row, 1], queue[row, 2] = saturate(command[0], command[1], command[2], limits)
    count[KS] += 1
    return 0


@kernel
def advance(
    law,
    reference,
    user,
    x,
    u,
    p,
    q,
    rq,
    z,
    r,
    seen,
    command,
    queue,
    limits,
    edges,
    schedule,
    clock,
    count,
    floors,
    work,
    w,
    out_t,
    out_x,
    out_u,
    tally,
    implicit,
):
    """Run on until the end, the step budget, a command is needed, or something goes wrong; say which.

    Rows of `work`: 16 stages, 7 of dense output, the next state, one state for outputs. `w` is the work space of the
    plant, `seen` what the law is shown.
    """
    stages = work[:16]
    dense = work[16:23]
    y = work[23]
    out = work[24]
    while True:
        t = clock[T]
        slack = close_to(t)
        if t >= clock[T_END] - slack:
            while count[KOUT] < count[N_OUT]:
                if count[KOUT] - count[TAKEN] >= out_x.shape[0]:
                    return ROWS_FULL
                record(x, u, count, out_x, out_u, tally)
            return DONE
        if count[SEGMENT_N] == 0:
            if count[KEDGE] < edges.size and edges[count[KEDGE]] <= t + slack:
                _edges(t, u, count, edges, schedule)
            if count[LAW_MODE] != NO_LAW:
                if count[KS] * clock[SAMPLE] <= t + slack:
                    status = _sample(t, law, reference, x, u, p, w, q, rq, z, r, seen, command, count, queue, limits)
                    if status != 0:
                        return status
                _actuate(t, u, clock, count, queue)
            if count[WATCH] != 0:
                c, port = closest(True, x, u, p)
                if not c > clock[POSE_LIMIT]:
                    count[EVENT_PORT] = port
                    clock[CLOSEST_HARD] = c
                    clock[T_CLOSEST_HARD] = t
                    return SINGULAR
                c, port = closest(False, x, u, p)
                if not c > AT_POSE:
                    count[EVENT_PORT] = port
                    count[EVENT_SOFT] = 1
                    return SINGULAR
        t_next = clock[T_END]
        if count[LAW_MODE] != NO_LAW:
            t_next = min(t_next, count[KS] * clock[SAMPLE])
            if count[KA] < count[KS]:
                t_next = min(t_next, count[KA] * clock[SAMPLE] + clock[DELAY])
        if count[KEDGE] < edges.size:
            t_next = min(t_next, edges[count[KEDGE]])
        status = integrate_segment(
            t_next, user, w, x, u, p, clock, count, floors, stages, dense, implicit, y, out, out_t, out_x, out_u, tally
        )
        if status != 0:
            return status
