# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Sampled blocks and law of several runs at a time, at the events of their common clock.

The arithmetic and its order follow `polhode.sim.engine.blocks`. Wires, periods and delays are common, and are read
from the first run of the pack. `progress` holds, for each block, the numbers of samples taken and of outputs applied.
"""

import math

from ...controllers.contracts.law_layout import REFERENCE
from ...plant.hub.parameters import N_INTERNAL, W_V
from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import shared
from ...plant.loads.torque.torque_limits import saturate
from .blocks import call_block
from .indices import BLOCK, BLOCKS, COMMAND, LAST, LAW_AT, LAW_COMMAND, LAW_FURTHER, LAW_WIRES, TICK
from .pack_rows import gather, scatter
from .simd import element_of, put_element, run_of, spread, verdict, width
from .steppers.stage_times import close_to

PROGRESS = 2
"""Number of counters of each block."""


@kernel
def load_blocks(b, lane, signals, inputs, held, block_q, block_z, progress):
    """Copy the data of the blocks of a run to its lane."""
    gather(b.signals, signals, lane)
    gather(b.inputs, inputs, lane)
    gather(b.held, held, lane)
    gather(b.block_q, block_q, lane)
    gather(b.block_z, block_z, lane)
    for n in range(b.blocks.shape[0]):
        put_element(progress, PROGRESS * n, lane, float(b.blocks[n, BLOCK.taken]))
        put_element(progress, PROGRESS * n + 1, lane, float(b.blocks[n, BLOCK.given]))


@kernel
def store_blocks(b, lane, signals, inputs, held, block_z, progress):
    """Copy the data of the blocks of a lane back to its run."""
    scatter(b.signals, signals, lane)
    scatter(b.inputs, inputs, lane)
    scatter(b.held, held, lane)
    scatter(b.block_z, block_z, lane)
    for n in range(b.blocks.shape[0]):
        b.blocks[n, BLOCK.taken] = int(element_of(progress, PROGRESS * n, lane))
        b.blocks[n, BLOCK.given] = int(element_of(progress, PROGRESS * n + 1, lane))


@kernel(inline=True)
def _sampled_at(n, b, progress):
    """Return the time of the next sample of block n."""
    taken = int(shared(progress, PROGRESS * n))
    return (b.blocks[n, BLOCK.offset] + taken * b.blocks[n, BLOCK.period]) * b.clock[TICK]


@kernel(inline=True)
def _answered_at(n, b, progress):
    """Return the time at which the next output of block n takes effect."""
    given = int(shared(progress, PROGRESS * n + 1))
    return (b.blocks[n, BLOCK.offset] + given * b.blocks[n, BLOCK.period]) * b.clock[TICK] + b.delays[n]


@kernel
def next_of_pack_blocks(t_next, b, progress):
    """Return t_next or, if earlier, the time of the next sample or output of any block."""
    for n in range(b.count[BLOCKS]):
        t_next = min(t_next, _sampled_at(n, b, progress))
        acts = n >= b.count[LAW_AT] or b.blocks[n, BLOCK.acts] != 0
        if acts and shared(progress, PROGRESS * n + 1) < shared(progress, PROGRESS * n):
            t_next = min(t_next, _answered_at(n, b, progress))
    return t_next


@kernel
def is_any_due(t, b, progress):
    """Return whether any block samples at t."""
    due = False
    for n in range(b.count[BLOCKS]):
        due = due or _sampled_at(n, b, progress) <= t + close_to(t)
    return due


@kernel
def show_plant(b, seen, u, r, p, w, signals):
    """Write the plant outputs, the acting command and the reference to the first signals, if there are blocks."""
    if b.count[BLOCKS] == 0:
        return
    n = seen.size - b.count[LAW_FURTHER]
    for m in range(n):
        signals[m] = seen[m]
    for m in range(3):
        signals[n + m] = u[m]
    for m in range(REFERENCE.size):
        signals[n + 3 + m] = r[m]
    at, rates = n + 3 + REFERENCE.size, int(shared(p, W_V)) + 3
    for k in range(int(shared(p, N_INTERNAL))):
        signals[at + k] = w[rates + k]


@kernel
def _read(first, many, b, signals, inputs):
    """Copy signals to inputs along `many` wires, starting at wire `first`."""
    for k in range(first, first + many):
        start, to = b.wires[k, 0], b.wires[k, 1]
        for m in range(b.wires[k, 2]):
            inputs[to + m] = signals[start + m]


@kernel
def _hand_on(t, n, b, held, progress, signals):
    """Copy the due outputs of block n to the signals."""
    row = b.blocks[n]
    start, size = row[BLOCK.outputs], row[BLOCK.outputs + 1]
    given = int(shared(progress, PROGRESS * n + 1))
    while given < shared(progress, PROGRESS * n) and _answered_at(n, b, progress) <= t + close_to(t):
        at = row[BLOCK.held] + size * (given % row[BLOCK.held + 1])
        for m in range(size):
            signals[start + m] = held[at + m]
        given += 1
        progress[PROGRESS * n + 1] = spread(float(given))


@kernel
def _sample(t, n, b, code, signals, inputs, held, block_q, block_z, answer, progress):
    """Call block n, and queue its output until it takes effect; return a finiteness mask."""
    row = b.blocks[n]
    size, first, taken = row[BLOCK.outputs + 1], row[BLOCK.inputs], int(shared(progress, PROGRESS * n))
    _read(row[BLOCK.wires], row[BLOCK.wires + 1], b, signals, inputs)
    for m in range(size):
        answer[m] = spread(math.nan)
    call_block(
        code,
        t,
        inputs[first : first + row[BLOCK.inputs + 1]],
        block_q[row[BLOCK.q] : row[BLOCK.q + 1]],
        block_z[row[BLOCK.z] : row[BLOCK.z + 1]],
        answer[:size],
    )
    at = row[BLOCK.held] + size * (taken % row[BLOCK.held + 1])
    fine = spread(1.0) > 0.0
    for m in range(size):
        fine = fine & (abs(answer[m]) < 1e300)
        held[at + m] = answer[m]
    progress[PROGRESS * n] = spread(float(taken + 1))
    return fine


@kernel
def sample_law(t, law, b, seen, r, q, z, command, limits, queue, row, signals, inputs):
    """Call the law with its inputs, and queue its command; return a finiteness mask."""
    count = b.count
    _read(count[LAW_WIRES], count[LAW_WIRES + 1], b, signals, inputs)
    first, shown = count[LAW_WIRES + 2], seen.size - count[LAW_FURTHER]
    for m in range(shown):
        seen[m] = inputs[first + m]
    for m in range(REFERENCE.size):
        r[m] = inputs[first + shown + m]
    for m in range(shown, seen.size):
        seen[m] = inputs[first + REFERENCE.size + m]
    for m in range(3):
        command[m] = spread(math.nan)
    law(t, seen, r, q, z, command)
    c0, c1, c2 = command[0], command[1], command[2]
    fine = abs(c0) + abs(c1) + abs(c2) < 1e300
    if count[LAST] == count[BLOCKS]:
        c0, c1, c2 = saturate(c0, c1, c2, limits)
    queue[3 * row], queue[3 * row + 1], queue[3 * row + 2] = c0, c1, c2
    return fine


@kernel
def run_pack_block(t, n, b, code, signals, inputs, held, block_q, block_z, answer, progress, fine):
    """Process block n at t; return the mask of the runs that continue."""
    _hand_on(t, n, b, held, progress, signals)
    if _sampled_at(n, b, progress) <= t + close_to(t):
        fine = fine & _sample(t, n, b, code, signals, inputs, held, block_q, block_z, answer, progress)
        _hand_on(t, n, b, held, progress, signals)
    return fine


@kernel
def act(b, signals, limits, u):
    """Copy the saturated command to the inputs u of the plant."""
    k = b.count[COMMAND]
    u[0], u[1], u[2] = saturate(signals[k], signals[k + 1], signals[k + 2], limits)


@kernel
def _record(b, lane, kout, signals):
    first = b.count[LAW_COMMAND]
    for k in range(b.out_s.shape[1]):
        b.out_s[kout, k] = element_of(signals, first + k, lane)


@kernel
def record_pack_signals(kout, t, b, tables, first, fine, held, progress, signals):
    """Store the outputs of law and blocks that are valid at t as row `kout` of each run in the pack."""
    for n in range(b.count[BLOCKS]):
        if n < b.count[LAW_AT]:  # each output of later blocks is a separate event
            _hand_on(t, n, b, held, progress, signals)
    for lane in range(width()):
        if verdict(fine, lane):
            _record(run_of(tables, first + lane), lane, kout, signals)
