# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Evaluation of the law at its samples, and the queue of pending commands."""

import math

from ...controllers.contracts.law_layout import REFERENCE, SEEN
from ...plant.hub.dynamics import body_rate
from ...plant.hub.parameters import N_INTERNAL, W_V
from ...plant.kernels.kernel import kernel
from ...plant.loads.torque.torque_limits import saturate
from . import indices as at
from .steppers.stage_times import close_to


@kernel
def no_law(t, y, r, q, z, u):
    """Kernel of a run that has no law: zero torque."""
    u[0] = 0.0
    u[1] = 0.0
    u[2] = 0.0


@kernel(inline=True)
def ask_reference(t, reference, b):
    """Evaluate the reference; return 0, or BAD_COMMAND if its output is not finite.

    The output is set to NaN before the call. This reveals a compiled function that raised an exception, since such a
    function returns normally.
    """
    r, n, w, a = b.r, REFERENCE.attitude, REFERENCE.rate, REFERENCE.acceleration
    r[n] = math.nan
    reference(t, b.rq, r)
    # a sum is finite only if its terms are; a loop over magnitudes costs 1 to 4 % more of a sample of a free body
    total = (r[n] + r[n + 1] + r[n + 2] + r[n + 3]) + (r[w] + r[w + 1] + r[w + 2]) + (r[a] + r[a + 1] + r[a + 2])
    return 0 if abs(total) < 1e300 else at.BAD_COMMAND


@kernel(inline=True)
def look(t, reference, b):
    """Evaluate reference and plant signals: momentum, Euler parameters, body rate, further states."""
    seen, x = b.seen, b.x
    status = ask_reference(t, reference, b)
    if status != 0:
        return status
    for i in range(SEEN.rate):
        seen[i] = x[i]
    seen[SEEN.rate], seen[SEEN.rate + 1], seen[SEEN.rate + 2] = body_rate(t, x, b.u, b.p, b.w)
    for i in range(SEEN.rate, seen.size - 3 - b.count[at.LAW_FURTHER]):
        seen[i + 3] = x[i]
    return 0


@kernel(inline=True)
def look_at_rates(first, b):
    """Write the internal rates, which `look` has stored in w, to the signals, starting at index `first`."""
    rates = int(b.p[W_V]) + 3
    for k in range(int(b.p[N_INTERNAL])):
        b.signals[first + k] = b.w[rates + k]


@kernel(inline=True)
def command_of(t, law, b):
    """Evaluate a compiled law; return 0 or BAD_COMMAND, and the saturated command."""
    command = b.command
    command[0], command[1], command[2] = math.nan, math.nan, math.nan
    law(t, b.seen, b.r, b.q, b.z, command)
    c0, c1, c2 = command[0], command[1], command[2]
    if not (abs(c0) < 1e300 and abs(c1) < 1e300 and abs(c2) < 1e300):
        return at.BAD_COMMAND, 0.0, 0.0, 0.0
    c0, c1, c2 = saturate(c0, c1, c2, b.limits)
    return 0, c0, c1, c2


@kernel(inline=True)
def ask_law(t, law, b):
    """Evaluate the law and queue the command, saturated if no block follows; return 0 or the stop code."""
    count, command, queue = b.count, b.command, b.queue
    if count[at.HAVE_COMMAND] == 0:
        if count[at.LAW_MODE] == at.CALLER_LAW:
            return at.NEED_COMMAND
        for m in range(command.size):
            command[m] = math.nan
        law(t, b.seen, b.r, b.q, b.z, command)
    count[at.HAVE_COMMAND] = 0
    row = count[at.ROW_IN]
    count[at.ROW_IN] = row + 1 if row + 1 < queue.shape[0] else 0
    for m in range(command.size):
        if not abs(command[m]) < 1e300:
            return at.BAD_COMMAND
    if count[at.LAST] == count[at.BLOCKS]:
        queue[row, 0], queue[row, 1], queue[row, 2] = saturate(command[0], command[1], command[2], b.limits)
    else:
        for m in range(command.size):
            queue[row, m] = command[m]
    count[at.KS] += 1
    return 0


@kernel(inline=True)
def take_command(t, b):
    """Return the row of the queue with the command that is due, or -1."""
    clock, count = b.clock, b.count
    if count[at.KA] >= count[at.KS] or count[at.KA] * clock[at.SAMPLE] + clock[at.DELAY] > t + close_to(t):
        return -1
    row = count[at.ROW_OUT]
    count[at.ROW_OUT] = row + 1 if row + 1 < b.queue.shape[0] else 0
    count[at.KA] += 1
    return row


@kernel(inline=True)
def actuate(t, b):
    """Apply every due command."""
    row = take_command(t, b)
    while row >= 0:
        for m in range(3):
            b.u[m] = b.queue[row, m]
        b.count[at.FRESH] = 1
        row = take_command(t, b)
