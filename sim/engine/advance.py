# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The closed loop: plant, sampled law with its delay, scheduled torques, outputs; one loop, compiled whole.

Time runs from breakpoint to breakpoint: samples at k T, actuations at k T + delay, edges of scheduled torques, the
end. At one instant edges come first, then the sample, then the actuation, so that with no delay a command acts from
the very instant of its sample on. Between actuations the command is held. Until the first one it is zero.
"""

import math

from ...controllers.law_layout import REFERENCE, SEEN
from ...plant.dynamics import body_rate
from ...plant.kernel import kernel
from ...plant.parameters import PULSE, PULSES
from ...plant.torque.saturation import saturate
from ..indices import (
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
    SCHEDULE,
    SEGMENT_N,
    SINGULAR,
    T_CLOSEST_HARD,
    T_END,
    TAKEN,
    WATCH,
    T,
)
from ..pose import AT_POSE, closest
from ..steppers.stage_times import close_to
from .outputs import record
from .segment import integrate_segment

__all__ = ["advance", "no_law"]


@kernel
def no_law(t, y, r, q, z, u):
    """A plant without a law: no torque."""
    u[0] = 0.0
    u[1] = 0.0
    u[2] = 0.0


@kernel(inline=True)
def _edges(t, b):
    """Switch every scheduled torque on or off for the stretch that begins at t."""
    count, edges, schedule, u = b.count, b.edges, b.schedule, b.u
    slack = close_to(t)
    while count[KEDGE] < edges.size and edges[count[KEDGE]] <= t + slack:
        count[KEDGE] += 1
        count[FRESH] = 1
        for n in range(schedule.shape[0]):
            on = schedule[n, SCHEDULE.start] <= t + slack and t + slack < schedule[n, SCHEDULE.stop]
            pulse = PULSES + PULSE.size * n
            u[pulse + PULSE.gate] = 1.0 if on else 0.0
            for m in range(3):
                u[pulse + PULSE.torque + m] = schedule[n, SCHEDULE.torque + m]


@kernel(inline=True)
def _actuate(t, b):
    """Apply every command whose time has come."""
    clock, count = b.clock, b.count
    while count[KA] < count[KS] and count[KA] * clock[SAMPLE] + clock[DELAY] <= t + close_to(t):
        row = count[ROW_OUT]
        count[ROW_OUT] = row + 1 if row + 1 < b.queue.shape[0] else 0
        for m in range(3):
            b.u[m] = b.queue[row, m]
        count[KA] += 1
        count[FRESH] = 1


@kernel(inline=True)
def _see(t, b):
    """What a law is shown: momentum, Euler parameters, body rate, then the other states, but no ledger."""
    seen, x = b.seen, b.x
    for i in range(SEEN.rate):
        seen[i] = x[i]
    seen[SEEN.rate], seen[SEEN.rate + 1], seen[SEEN.rate + 2] = body_rate(t, x, b.u, b.p, b.w)
    for i in range(SEEN.rate, seen.size - 3):
        seen[i + 3] = x[i]


@kernel(inline=True)
def _sample(t, law, reference, b):
    """Ask the law for a command, cut it off at the limits, and put it into the queue.

    What is asked is not a number until it is answered: a compiled function that raises comes back as if nothing had
    happened, and this is how it is found out.
    """
    count, command, r = b.count, b.command, b.r
    if count[HAVE_COMMAND] == 0:
        r[REFERENCE.attitude] = math.nan
        reference(t, b.rq, r)
        for m in range(REFERENCE.size):
            if not abs(r[m]) < 1e300:
                return BAD_COMMAND
        _see(t, b)
        if count[LAW_MODE] == CALLER_LAW:
            return NEED_COMMAND
        for m in range(3):
            command[m] = math.nan
        law(t, b.seen, r, b.q, b.z, command)
    count[HAVE_COMMAND] = 0
    queue = b.queue
    row = count[ROW_IN]
    count[ROW_IN] = row + 1 if row + 1 < queue.shape[0] else 0
    for m in range(3):
        if not abs(command[m]) < 1e300:
            return BAD_COMMAND
    queue[row, 0], queue[row, 1], queue[row, 2] = saturate(command[0], command[1], command[2], b.limits)
    count[KS] += 1
    return 0


@kernel(inline=True)
def _at_singular_pose(t, b):
    """Whether some port is at its singular pose; which and how near is noted."""
    clock, count = b.clock, b.count
    c, port = closest(True, b.x, b.u, b.p)
    if not c > clock[POSE_LIMIT]:
        count[EVENT_PORT] = port
        clock[CLOSEST_HARD] = c
        clock[T_CLOSEST_HARD] = t
        return True
    c, port = closest(False, b.x, b.u, b.p)
    if not c > AT_POSE:
        count[EVENT_PORT] = port
        count[EVENT_SOFT] = 1
        return True
    return False


@kernel(inline=True)
def _next_breakpoint(b):
    """Where the stretch that begins now must end at the latest."""
    clock, count, edges = b.clock, b.count, b.edges
    t_next = clock[T_END]
    if count[LAW_MODE] != NO_LAW:
        t_next = min(t_next, count[KS] * clock[SAMPLE])
        if count[KA] < count[KS]:
            t_next = min(t_next, count[KA] * clock[SAMPLE] + clock[DELAY])
    if count[KEDGE] < edges.size:
        t_next = min(t_next, edges[count[KEDGE]])
    return t_next


@kernel
def advance(law, reference, user, b):
    """Run on until the end, the step budget, a command is needed, or something goes wrong; say which.

    b: `Bundle`.
    """
    clock, count, edges = b.clock, b.count, b.edges
    while True:
        t = clock[T]
        slack = close_to(t)
        if t >= clock[T_END] - slack:
            while count[KOUT] < count[N_OUT]:
                if count[KOUT] - count[TAKEN] >= b.out_x.shape[0]:
                    return ROWS_FULL
                record(b.x, b)
            return DONE
        if count[SEGMENT_N] == 0:
            if count[KEDGE] < edges.size and edges[count[KEDGE]] <= t + slack:
                _edges(t, b)
            if count[LAW_MODE] != NO_LAW:
                if count[KS] * clock[SAMPLE] <= t + slack:
                    status = _sample(t, law, reference, b)
                    if status != 0:
                        return status
                _actuate(t, b)
            if count[WATCH] != 0 and _at_singular_pose(t, b):
                return SINGULAR
        status = integrate_segment(_next_breakpoint(b), user, b)
        if status != 0:
            return status
