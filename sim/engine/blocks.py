# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Sampled blocks before and after the law, each with its own period, offset and delay.

Blocks are processed in list order. At an event time, each block first writes the delayed outputs that are
due, then takes a sample if one is due, then writes the output of this sample if there is no delay. The law does the
same at its position. The blocks after the law modify its command.
"""

import math

from ...controllers.contracts.kernel_call import found
from ...controllers.contracts.law_layout import REFERENCE
from ...plant.kernels.kernel import kernel
from ...plant.loads.torque.torque_limits import saturate
from . import indices as at
from .law import ask_law, look, look_at_rates, take_command
from .steppers.stage_times import close_to


def call_block(code, t, y, q, z, v):
    """Call a block. Compiled code replaces this function by a call of the address in `code`."""
    found(code)(t, y, q, z, v)


@kernel(inline=True)
def _sampled_at(n, b):
    """Return the time of the next sample of block n."""
    row = b.blocks[n]
    return (row[at.BLOCK.offset] + row[at.BLOCK.taken] * row[at.BLOCK.period]) * b.clock[at.TICK]


@kernel(inline=True)
def _answered_at(n, b):
    """Return the time at which the next output of block n takes effect."""
    row = b.blocks[n]
    return (row[at.BLOCK.offset] + row[at.BLOCK.given] * row[at.BLOCK.period]) * b.clock[at.TICK] + b.delays[n]


@kernel
def next_of_blocks(t_next, b):
    """Return t_next or, if earlier, the time of the next sample or output of any block."""
    for n in range(b.count[at.BLOCKS]):
        t_next = min(t_next, _sampled_at(n, b))
        acts = n >= b.count[at.LAW_AT] or b.blocks[n, at.BLOCK.acts] != 0
        if acts and b.blocks[n, at.BLOCK.given] < b.blocks[n, at.BLOCK.taken]:
            t_next = min(t_next, _answered_at(n, b))
    return t_next


@kernel
def _read(first, many, b):
    """Copy signals to inputs along `many` wires, starting at wire `first`."""
    for k in range(first, first + many):
        start, to = b.wires[k, 0], b.wires[k, 1]
        for m in range(b.wires[k, 2]):
            b.inputs[to + m] = b.signals[start + m]


@kernel
def show(t, reference, b):
    """Write the plant outputs, the acting command and the reference to the first signals."""
    status = look(t, reference, b)
    if status != 0:
        return status
    n = b.seen.size - b.count[at.LAW_FURTHER]
    for m in range(n):
        b.signals[m] = b.seen[m]
    for m in range(3):
        b.signals[n + m] = b.u[m]
        if b.count[at.EXTERNAL] != 0:
            b.signals[n + m] += b.u[at.EXTERNAL_AT + m]
    for m in range(REFERENCE.size):
        b.signals[n + 3 + m] = b.r[m]
    look_at_rates(n + 3 + REFERENCE.size, b)
    return 0


@kernel
def _hand_on(t, n, b):
    """Copy the due outputs of block n to the signals."""
    row = b.blocks[n]
    start, width = row[at.BLOCK.outputs], row[at.BLOCK.outputs + 1]
    while row[at.BLOCK.given] < row[at.BLOCK.taken] and _answered_at(n, b) <= t + close_to(t):
        slot = row[at.BLOCK.held] + width * (row[at.BLOCK.given] % row[at.BLOCK.held + 1])
        for m in range(width):
            b.signals[start + m] = b.held[slot + m]
        row[at.BLOCK.given] += 1
        if n == b.count[at.LAST]:
            b.count[at.FRESH] = 1


@kernel
def _sample(t, n, b):
    """Call block n, and queue its output until it takes effect."""
    row, count, answer = b.blocks[n], b.count, b.answer
    width = row[at.BLOCK.outputs + 1]
    if count[at.HAVE_ANSWER] == 0:
        _read(row[at.BLOCK.wires], row[at.BLOCK.wires + 1], b)
        for m in range(width):
            answer[m] = math.nan
        count[at.CALLED_BLOCK] = n
        if row[at.BLOCK.caller] != 0:
            return at.NEED_ANSWER
        first = row[at.BLOCK.inputs]
        call_block(
            row[at.BLOCK.code],
            t,
            b.inputs[first : first + row[at.BLOCK.inputs + 1]],
            b.block_q[row[at.BLOCK.q] : row[at.BLOCK.q + 1]],
            b.block_z[row[at.BLOCK.z] : row[at.BLOCK.z + 1]],
            answer[:width],
        )
    count[at.HAVE_ANSWER] = 0
    slot = row[at.BLOCK.held] + width * (row[at.BLOCK.taken] % row[at.BLOCK.held + 1])
    for m in range(width):
        if not abs(answer[m]) < 1e300:
            return at.BAD_ANSWER
        b.held[slot + m] = answer[m]
    row[at.BLOCK.taken] += 1
    return 0


@kernel
def _run_law(t, law, b):
    """Process the law at its position: take a sample if due, then apply the commands that are due."""
    clock, count = b.clock, b.count
    if count[at.KS] * clock[at.SAMPLE] <= t + close_to(t):
        if count[at.HAVE_COMMAND] == 0:
            _read(count[at.LAW_WIRES], count[at.LAW_WIRES + 1], b)
            first = count[at.LAW_WIRES + 2]
            shown = b.seen.size - count[at.LAW_FURTHER]
            for m in range(shown):
                b.seen[m] = b.inputs[first + m]
            for m in range(REFERENCE.size):
                b.r[m] = b.inputs[first + shown + m]
            for m in range(shown, b.seen.size):
                b.seen[m] = b.inputs[first + REFERENCE.size + m]
        status = ask_law(t, law, b)
        if status != 0:
            return status
    row = take_command(t, b)
    while row >= 0:
        for m in range(b.command.size):
            b.signals[count[at.LAW_COMMAND] + m] = b.queue[row, m]
        if count[at.LAST] == count[at.BLOCKS]:
            count[at.FRESH] = 1
        row = take_command(t, b)
    return 0


@kernel
def run_blocks(t, law, reference, b):
    """Process law and blocks at t; return 0 or the stop code."""
    clock, count = b.clock, b.count
    due = count[at.LAW_MODE] != at.NO_LAW and count[at.KS] * clock[at.SAMPLE] <= t + close_to(t)
    for n in range(count[at.BLOCKS]):
        due = due or _sampled_at(n, b) <= t + close_to(t)
    if due:
        status = show(t, reference, b)
        if status != 0:
            return status
    for n in range(count[at.BLOCKS] + 1):
        if n == count[at.LAW_AT] and count[at.LAW_MODE] != at.NO_LAW:
            status = _run_law(t, law, b)
            if status != 0:
                return status
        if n < count[at.BLOCKS]:
            _hand_on(t, n, b)
            if _sampled_at(n, b) <= t + close_to(t):
                status = _sample(t, n, b)
                if status != 0:
                    return status
                _hand_on(t, n, b)
    if b.ports.shape[0] > 0:
        _act(b)
        return 0
    k = count[at.COMMAND]
    b.u[0], b.u[1], b.u[2] = saturate(b.signals[k], b.signals[k + 1], b.signals[k + 2], b.limits)
    return 0


@kernel
def _act(b):
    """Copy the saturated commands and the block torques to the inputs u of the plant."""
    for n in range(b.ports.shape[0]):
        k, to = b.ports[n, at.PORT_OF.command], b.ports[n, at.PORT_OF.at]
        if b.ports[n, at.PORT_OF.numbers] == 1:
            if b.signals[k] != b.u[to]:
                b.count[at.FRESH] = 1
            b.u[to] = b.signals[k]
            continue
        limits = b.limits[b.ports[n, at.PORT_OF.limits] : b.ports[n, at.PORT_OF.limits + 1]]
        c0, c1, c2 = saturate(b.signals[k], b.signals[k + 1], b.signals[k + 2], limits)
        if c0 != b.u[to] or c1 != b.u[to + 1] or c2 != b.u[to + 2]:
            b.count[at.FRESH] = 1
        b.u[to], b.u[to + 1], b.u[to + 2] = c0, c1, c2


@kernel
def record_signals(row, t, b):
    """Store the outputs of law and blocks that are valid at t in a row of results."""
    for n in range(b.count[at.BLOCKS]):
        if n < b.count[at.LAW_AT]:  # each output of later blocks is a separate event
            _hand_on(t, n, b)
    first = b.count[at.LAW_COMMAND]
    for k in range(b.out_s.shape[1]):
        b.out_s[row, k] = b.signals[first + k]
