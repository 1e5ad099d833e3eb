# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The law at its samples: its inputs, its output, and the queue in which commands wait for their time."""

import math

from ...controllers.contracts.law_layout import REFERENCE, SEEN
from ...plant.hub.dynamics import body_rate
from ...plant.hub.parameters import N_INTERNAL, W_V
from ...plant.kernels.kernel import kernel
from ...plant.loads.torque.torque_limits import saturate
from .indices import (
    BAD_COMMAND,
    BLOCKS,
    CALLER_LAW,
    DELAY,
    FRESH,
    HAVE_COMMAND,
    KA,
    KS,
    LAST,
    LAW_FURTHER,
    LAW_MODE,
    NEED_COMMAND,
    ROW_IN,
    ROW_OUT,
    SAMPLE,
)
from .steppers.stage_times import close_to


@kernel
def no_law(t, y, r, q, z, u):
    """A plant without a law: no torque."""
    u[0] = 0.0
    u[1] = 0.0
    u[2] = 0.0


@kernel(inline=True)
def ask_reference(t, reference, b):
    """Evaluate the reference; 0, or BAD_COMMAND if its output is not finite.

    Outputs are NaN before the call: a compiled function that raises returns normally, and is detected by them.
    """
    r, size = b.r, 0.0
    r[REFERENCE.attitude] = math.nan
    reference(t, b.rq, r)
    for m in range(REFERENCE.size):
        size += abs(r[m])
    return 0 if size < 1e300 else BAD_COMMAND


@kernel(inline=True)
def look(t, reference, b):
    """Evaluate the reference and the plant signals: momentum, Euler parameters, body rate, other states, no ledger."""
    seen, x = b.seen, b.x
    status = ask_reference(t, reference, b)
    if status != 0:
        return status
    for i in range(SEEN.rate):
        seen[i] = x[i]
    seen[SEEN.rate], seen[SEEN.rate + 1], seen[SEEN.rate + 2] = body_rate(t, x, b.u, b.p, b.w)
    for i in range(SEEN.rate, seen.size - 3 - b.count[LAW_FURTHER]):
        seen[i + 3] = x[i]
    return 0


@kernel(inline=True)
def look_at_rates(at, b):
    """Write the rates of the internal coordinates to the signals, from `at` on; `look` has left them in w."""
    rates = int(b.p[W_V]) + 3
    for k in range(int(b.p[N_INTERNAL])):
        b.signals[at + k] = b.w[rates + k]


@kernel(inline=True)
def command_of(t, law, b):
    """Evaluate a compiled law and saturate its command at the limits; 0 or BAD_COMMAND."""
    command = b.command
    for m in range(3):
        command[m] = math.nan
    law(t, b.seen, b.r, b.q, b.z, command)
    for m in range(3):
        if not abs(command[m]) < 1e300:
            return BAD_COMMAND, 0.0, 0.0, 0.0
    c0, c1, c2 = saturate(command[0], command[1], command[2], b.limits)
    return 0, c0, c1, c2


@kernel(inline=True)
def ask_law(t, law, b):
    """Evaluate the law, saturate its command at the limits if no block follows, and queue the command."""
    count, command, queue = b.count, b.command, b.queue
    if count[HAVE_COMMAND] == 0:
        if count[LAW_MODE] == CALLER_LAW:
            return NEED_COMMAND
        for m in range(command.size):
            command[m] = math.nan
        law(t, b.seen, b.r, b.q, b.z, command)
    count[HAVE_COMMAND] = 0
    row = count[ROW_IN]
    count[ROW_IN] = row + 1 if row + 1 < queue.shape[0] else 0
    for m in range(command.size):
        if not abs(command[m]) < 1e300:
            return BAD_COMMAND
    if count[LAST] == count[BLOCKS]:
        queue[row, 0], queue[row, 1], queue[row, 2] = saturate(command[0], command[1], command[2], b.limits)
    else:
        for m in range(command.size):
            queue[row, m] = command[m]
    count[KS] += 1
    return 0


@kernel(inline=True)
def take_command(t, b):
    """The due row of the queue, or -1."""
    clock, count = b.clock, b.count
    if count[KA] >= count[KS] or count[KA] * clock[SAMPLE] + clock[DELAY] > t + close_to(t):
        return -1
    row = count[ROW_OUT]
    count[ROW_OUT] = row + 1 if row + 1 < b.queue.shape[0] else 0
    count[KA] += 1
    return row


@kernel(inline=True)
def actuate(t, b):
    """Apply every due command."""
    row = take_command(t, b)
    while row >= 0:
        for m in range(3):
            b.u[m] = b.queue[row, m]
        b.count[FRESH] = 1
        row = take_command(t, b)
