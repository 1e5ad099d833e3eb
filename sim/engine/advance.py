# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Closed loop of plant, sampled law with delay, scheduled torques and outputs, compiled as a whole.

Time advances from breakpoint to breakpoint: samples of the law at k T, its actuations at k T + delay, samples and
outputs of blocks, edges of scheduled torques, and the end. Of simultaneous events, edges come first, then the sample,
then the actuation, so that a command with zero delay acts immediately at its sample. Between actuations the command is
held. The command is zero before the first actuation.
"""

from ...plant.hub.parameters import PULSE, PULSES
from ...plant.kernels.kernel import kernel
from . import indices as at
from .blocks import next_of_blocks, run_blocks
from .free_body_loop import free_body_loop, is_free_body_loop
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
    while count[at.KEDGE] < edges.size and edges[count[at.KEDGE]] <= t + slack:
        count[at.KEDGE] += 1
        count[at.FRESH] = 1
        for n in range(schedule.shape[0]):
            on = schedule[n, at.SCHEDULE.start] <= t + slack and t + slack < schedule[n, at.SCHEDULE.stop]
            pulse = PULSES + PULSE.size * (n + count[at.EXTERNAL])
            u[pulse + PULSE.gate] = 1.0 if on else 0.0
            for m in range(3):
                u[pulse + PULSE.torque + m] = schedule[n, at.SCHEDULE.torque + m]


@kernel(inline=True)
def _at_singular_pose(t, b):
    """Return whether a torque port or formulation is at its singular pose; record index and distance."""
    clock, count = b.clock, b.count
    for kind in (at.HARD, at.SOFT, at.LOCK):
        c, port = closest(kind, b.x, b.u, b.p, b.w)
        if not c > (AT_POSE if kind == at.SOFT else clock[at.POSE_LIMIT]):
            count[at.EVENT_PORT] = port
            count[at.EVENT_KIND] = kind
            note_pose(kind, c, t, clock)
            return True
    return False


@kernel(inline=True)
def at_instant(t, law, reference, b):
    """Process the events at t: edges, then law and blocks, then their commands; return 0 or the stop code."""
    count, edges = b.count, b.edges
    slack = close_to(t)
    if count[at.KEDGE] < edges.size and edges[count[at.KEDGE]] <= t + slack:
        _edges(t, b)
    if count[at.BLOCKS] != 0:
        status = run_blocks(t, law, reference, b)
        if status != 0:
            return status
    elif count[at.LAW_MODE] != at.NO_LAW:
        if count[at.KS] * b.clock[at.SAMPLE] <= t + slack:
            if count[at.HAVE_COMMAND] == 0:
                status = look(t, reference, b)
                if status != 0:
                    return status
            status = ask_law(t, law, b)
            if status != 0:
                return status
        actuate(t, b)
    if count[at.WATCH] != 0 and _at_singular_pose(t, b):
        return at.SINGULAR
    return 0


@kernel(inline=True)
def next_breakpoint(b):
    """Return the time of the next breakpoint, where the current segment ends."""
    clock, count, edges = b.clock, b.count, b.edges
    t_next = clock[at.T_END]
    if count[at.LAW_MODE] != at.NO_LAW:
        t_next = min(t_next, count[at.KS] * clock[at.SAMPLE])
        if count[at.KA] < count[at.KS]:
            t_next = min(t_next, count[at.KA] * clock[at.SAMPLE] + clock[at.DELAY])
    if count[at.BLOCKS] != 0:
        t_next = next_of_blocks(t_next, b)
    if count[at.KEDGE] < edges.size:
        t_next = min(t_next, edges[count[at.KEDGE]])
    return t_next


@kernel
def advance(law, reference, user, b):
    """Advance until the end, the step budget, a required command or an error; return the stop code.

    b: arrays of the run, a `LoopArrays`.
    """
    clock, count = b.clock, b.count
    while True:
        if is_free_body_loop(b):
            status = free_body_loop(law, reference, b)
            if status != 0:
                return status
        t = clock[at.T]
        if t >= clock[at.T_END] - close_to(t):
            while count[at.KOUT] < count[at.N_OUT]:
                if count[at.KOUT] - count[at.TAKEN] >= b.out_x.shape[0]:
                    return at.ROWS_FULL
                record(b.x, b)
            return at.DONE
        if count[at.SEGMENT_N] == 0:
            status = at_instant(t, law, reference, b)
            if status != 0:
                return status
        status = integrate_segment(next_breakpoint(b), user, b)
        if status != 0:
            return status
