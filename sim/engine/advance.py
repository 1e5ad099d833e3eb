# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Closed loop of plant, sampled law with delay, scheduled torques and outputs, compiled as a whole.

Time advances from breakpoint to breakpoint: samples of the law at k T, its actuations at k T + delay, samples and
outputs of blocks, edges of scheduled torques, and the end. Of simultaneous events, edges come first, then the sample,
then the actuation, so that a command without delay acts immediately at its sample. Between actuations the command is
held. The command is zero before the first actuation.
"""

from ...plant.hub.parameters import PULSE, PULSES
from ...plant.kernels.kernel import kernel
from .blocks import next_of_blocks, run_blocks
from .free_body_loop import free_body_loop, is_free_body_loop
from .indices import (
    BLOCKS,
    DELAY,
    DONE,
    EVENT_KIND,
    EVENT_PORT,
    EXTERNAL,
    FRESH,
    HARD,
    HAVE_COMMAND,
    KA,
    KEDGE,
    KOUT,
    KS,
    LAW_MODE,
    LOCK,
    N_OUT,
    NO_LAW,
    POSE_LIMIT,
    ROWS_FULL,
    SAMPLE,
    SCHEDULE,
    SEGMENT_N,
    SINGULAR,
    SOFT,
    T_END,
    TAKEN,
    WATCH,
    T,
)
from .law import actuate, ask_law, look
from .outputs import record
from .pose import AT_POSE, closest
from .pose_events import note_pose
from .segment import integrate_segment
from .steppers.stage_times import close_to


@kernel(inline=True)
def _edges(t, b):
    """Switch every scheduled torque on or off for the interval that begins at t."""
    count, edges, schedule, u = b.count, b.edges, b.schedule, b.u
    slack = close_to(t)
    while count[KEDGE] < edges.size and edges[count[KEDGE]] <= t + slack:
        count[KEDGE] += 1
        count[FRESH] = 1
        for n in range(schedule.shape[0]):
            on = schedule[n, SCHEDULE.start] <= t + slack and t + slack < schedule[n, SCHEDULE.stop]
            pulse = PULSES + PULSE.size * (n + count[EXTERNAL])
            u[pulse + PULSE.gate] = 1.0 if on else 0.0
            for m in range(3):
                u[pulse + PULSE.torque + m] = schedule[n, SCHEDULE.torque + m]


@kernel(inline=True)
def _at_singular_pose(t, b):
    """Return whether a torque port or formulation is at its singular pose; record index and distance."""
    clock, count = b.clock, b.count
    for kind in (HARD, SOFT, LOCK):
        c, port = closest(kind, b.x, b.u, b.p, b.w)
        if not c > (AT_POSE if kind == SOFT else clock[POSE_LIMIT]):
            count[EVENT_PORT] = port
            count[EVENT_KIND] = kind
            note_pose(kind, c, t, clock)
            return True
    return False


@kernel(inline=True)
def at_instant(t, law, reference, b):
    """Process the events at t: edges, then law and blocks, then their commands; return 0 or the stop code."""
    count, edges = b.count, b.edges
    slack = close_to(t)
    if count[KEDGE] < edges.size and edges[count[KEDGE]] <= t + slack:
        _edges(t, b)
    if count[BLOCKS] != 0:
        status = run_blocks(t, law, reference, b)
        if status != 0:
            return status
    elif count[LAW_MODE] != NO_LAW:
        if count[KS] * b.clock[SAMPLE] <= t + slack:
            if count[HAVE_COMMAND] == 0:
                status = look(t, reference, b)
                if status != 0:
                    return status
            status = ask_law(t, law, b)
            if status != 0:
                return status
        actuate(t, b)
    if count[WATCH] != 0 and _at_singular_pose(t, b):
        return SINGULAR
    return 0


@kernel(inline=True)
def next_breakpoint(b):
    """Return the time of the next breakpoint, at which the current segment ends."""
    clock, count, edges = b.clock, b.count, b.edges
    t_next = clock[T_END]
    if count[LAW_MODE] != NO_LAW:
        t_next = min(t_next, count[KS] * clock[SAMPLE])
        if count[KA] < count[KS]:
            t_next = min(t_next, count[KA] * clock[SAMPLE] + clock[DELAY])
    if count[BLOCKS] != 0:
        t_next = next_of_blocks(t_next, b)
    if count[KEDGE] < edges.size:
        t_next = min(t_next, edges[count[KEDGE]])
    return t_next


@kernel
def advance(law, reference, user, b):
    """Advance to the end, the step budget, a needed command or an error; return the stop code.

    b: arrays of the run, a `LoopArrays`.
    """
    clock, count = b.clock, b.count
    while True:
        if is_free_body_loop(b):
            status = free_body_loop(law, reference, b)
            if status != 0:
                return status
        t = clock[T]
        if t >= clock[T_END] - close_to(t):
            while count[KOUT] < count[N_OUT]:
                if count[KOUT] - count[TAKEN] >= b.out_x.shape[0]:
                    return ROWS_FULL
                record(b.x, b)
            return DONE
        if count[SEGMENT_N] == 0:
            status = at_instant(t, law, reference, b)
            if status != 0:
                return status
        status = integrate_segment(next_breakpoint(b), user, b)
        if status != 0:
            return status
