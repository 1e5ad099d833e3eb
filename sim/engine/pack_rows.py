# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Transfer of run data to and from vectors, and evaluation of reference and commands of a pack."""

import math

from ...controllers.contracts.law_layout import REFERENCE
from ...plant.kernels.kernel import kernel
from ...plant.loads.torque.torque_limits import saturate
from .simd import element_of, put_element, run_of, spread, width


@kernel
def gather(row, vectors, lane):
    """Copy the values of a run to its lane of the vectors."""
    for m in range(row.size):
        put_element(vectors, m, lane, row[m])


@kernel
def scatter(row, vectors, lane):
    """Copy the values of a run from its lane of the vectors."""
    for m in range(row.size):
        row[m] = element_of(vectors, m, lane)


@kernel
def has_reference_of(b, one):
    """Return whether two runs have the same reference."""
    same = True
    for m in range(b.rq.size):
        same = same and b.rq[m] == one.rq[m]
    return same


@kernel
def _refer(b, t, reference, lane, r):
    """Write the reference of a run at t to its lane of r."""
    b.r[REFERENCE.attitude] = math.nan
    reference(t, b.rq, b.r)
    for m in range(REFERENCE.size):
        put_element(r, m, lane, b.r[m])


@kernel(inline=True)
def pack_reference(t, alike, reference, b, tables, first, r):
    """Write the references of all runs at t to r; return a finiteness mask; alike: whether all are equal."""
    total = spread(0.0)
    if alike:
        b.r[REFERENCE.attitude] = math.nan
        reference(t, b.rq, b.r)
        size, other = 0.0, 0.0  # two independent sums, which the processor can overlap
        for m in range(0, REFERENCE.size, 2):
            size, other = size + abs(b.r[m]), other + abs(b.r[m + 1])
            r[m], r[m + 1] = spread(b.r[m]), spread(b.r[m + 1])
        total = spread(size + other)
    else:
        for lane in range(width()):
            _refer(run_of(tables, first + lane), t, reference, lane, r)
        for m in range(REFERENCE.size):
            total = total + abs(r[m])
    return total < 1e300


@kernel(inline=True)
def pack_command(t, law, seen, r, q, z, command, limits, queue, row):
    """Write the saturated commands of a law at t to a row of the queue; return a finiteness mask."""
    for m in range(3):
        command[m] = spread(math.nan)
    law(t, seen, r, q, z, command)
    c0, c1, c2 = command[0], command[1], command[2]
    fine = abs(c0) + abs(c1) + abs(c2) < 1e300
    queue[3 * row], queue[3 * row + 1], queue[3 * row + 2] = saturate(c0, c1, c2, limits)
    return fine


@kernel(inline=True)
def take_commands(t, sample, delay, rows, ks, ka, row, queue, u):
    """Write the last due command at t to u; return the next command index and row of the queue."""
    while ka < ks and not ka * sample + delay > t:
        for m in range(3):
            u[m] = queue[3 * row + m]
        row = row + 1 if row + 1 < rows else 0
        ka += 1
    return ka, row


@kernel(inline=True)
def next_stop(end, sampled, sample, delay, ks, ka):
    """Return the time of the next sample or command, or of the end."""
    t_next = end
    if sampled:
        t_next = min(t_next, ks * sample)
        if ka < ks:
            t_next = min(t_next, ka * sample + delay)
    return t_next
