# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Transfer between a run with elements and its lane of a pack, rows of results, and individual counters.

`own` is a row of vectors with the counters that differ between the runs of a pack.
"""

import math

from ...plant.kernels.kernel import kernel
from . import indices as at
from .adaptive import adaptive_stretch
from .extremes import HEAD, LEAST, MOST, TALLY_ROW
from .fixed import fixed_stretch
from .pack_rows import gather, scatter
from .simd import element_of, put_element, run_of, verdict, width

OWN = 12
"""Number of individual counters of each run."""

DRIFT_OF, NEXT, LONGEST_OF, STEPS_OF, REJECTED_OF, RETRY_OF, LEFT, T_OF, KOUT_OF, ENDED, AFTER, ENDS = range(OWN)
"""Drift; proposed step; longest step; numbers of steps and rejected steps; 1 after a rejected step; 1 if the run has
left the pack; its time; its next row; 1 if it has completed the interval; end of the current step; 1 if this is the end
of the interval."""


@kernel
def load_lane(b, lane, x, u, stages, tally, own):
    """Copy the data of a run that change within an interval to the run's lane."""
    gather(b.x, x, lane)
    gather(b.u, u, lane)
    for m in range(x.size):
        put_element(stages, m, lane, b.stages[0, m])
    for m in range(tally.size):
        put_element(tally, m, lane, b.tally[HEAD + m])
    put_element(own, DRIFT_OF, lane, b.clock[at.NORM_DRIFT])
    put_element(own, NEXT, lane, b.clock[at.H])
    put_element(own, LONGEST_OF, lane, b.clock[at.LONGEST])
    put_element(own, STEPS_OF, lane, float(b.count[at.STEPS]))
    put_element(own, REJECTED_OF, lane, float(b.count[at.REJECTED]))
    put_element(own, RETRY_OF, lane, float(b.count[at.RETRY]))
    put_element(own, T_OF, lane, b.clock[at.T])
    put_element(own, KOUT_OF, lane, float(b.count[at.KOUT]))


@kernel
def load_rest(b, lane, p, q, z, limits, queue, floors):
    """Copy the other data of a run to its lane."""
    gather(b.p, p, lane)
    gather(b.q, q, lane)
    gather(b.z, z, lane)
    gather(b.limits, limits, lane)
    gather(b.floors, floors, lane)
    for k in range(b.queue.shape[0]):
        for m in range(3):
            put_element(queue, 3 * k + m, lane, b.queue[k, m])


@kernel
def store_lane(b, lane, x, u, z, queue, stages, tally, own):
    """Copy the data of a lane back to its run."""
    scatter(b.x, x, lane)
    scatter(b.u, u, lane)
    scatter(b.z, z, lane)
    for k in range(b.queue.shape[0]):
        for m in range(3):
            b.queue[k, m] = element_of(queue, 3 * k + m, lane)
    for m in range(b.x.size):
        b.stages[0, m] = element_of(stages, m, lane)
    for m in range(tally.size):
        b.tally[HEAD + m] = element_of(tally, m, lane)
    b.clock[at.T] = element_of(own, T_OF, lane)
    b.clock[at.NORM_DRIFT] = element_of(own, DRIFT_OF, lane)
    b.clock[at.H] = element_of(own, NEXT, lane)
    b.clock[at.LONGEST] = element_of(own, LONGEST_OF, lane)
    b.count[at.STEPS] = int(element_of(own, STEPS_OF, lane))
    b.count[at.REJECTED] = int(element_of(own, REJECTED_OF, lane))
    b.count[at.RETRY] = int(element_of(own, RETRY_OF, lane))
    b.count[at.KOUT] = int(element_of(own, KOUT_OF, lane))


@kernel
def store_counts(b, ks, ka, row_in, row_out, fresh, start, i, many):
    """Set the counters of a run to the common values."""
    b.count[at.KS], b.count[at.KA] = ks, ka
    b.count[at.ROW_IN], b.count[at.ROW_OUT], b.count[at.FRESH] = row_in, row_out, fresh
    b.clock[at.T_SEGMENT] = start
    b.count[at.SEGMENT_I], b.count[at.SEGMENT_N] = i, many


@kernel
def finish_alone(b, lane, t_next, user, x, u, stages, tally, own):
    """Complete an interval by single-run code; a run that stops within it leaves the pack."""
    if b.count[at.METHOD] == at.DOP853:
        status = adaptive_stretch(t_next, user, b)
    else:
        status = fixed_stretch(t_next, user, b)
    if status != 0:
        put_element(own, LEFT, lane, 1.0)
    else:
        load_lane(b, lane, x, u, stages, tally, own)


@kernel
def _record(b, lane, x, u, tally, own):
    """Store the state, the input, and the signal extremes since the previous row as the next row of a run."""
    kout = int(element_of(own, KOUT_OF, lane))
    for m in range(x.size):
        b.out_x[kout, m] = element_of(x, m, lane)
    for m in range(u.size):
        b.out_u[kout, m] = element_of(u, m, lane)
    signals = tally.size // TALLY_ROW
    out = HEAD + (TALLY_ROW + 2 * kout) * signals
    for k in range(signals):
        b.tally[out + k] = element_of(tally, TALLY_ROW * k + LEAST, lane)
        b.tally[out + signals + k] = element_of(tally, TALLY_ROW * k + MOST, lane)
        put_element(tally, TALLY_ROW * k + LEAST, lane, math.inf)
        put_element(tally, TALLY_ROW * k + MOST, lane, -math.inf)


@kernel
def record_lane(tables, first, lane, x, u, tally, own):
    """Store the next row of one run."""
    _record(run_of(tables, first + lane), lane, x, u, tally, own)
    put_element(own, KOUT_OF, lane, element_of(own, KOUT_OF, lane) + 1.0)


@kernel
def record_all(tables, first, fine, x, u, tally, own):
    """Store the next row of each run that is in the pack."""
    for lane in range(width()):
        if verdict(fine, lane):
            record_lane(tables, first, lane, x, u, tally, own)


@kernel
def _room(b):
    """Return the number of steps that a run may take in this call."""
    return b.count[at.BUDGET] - b.count[at.STEPS]


@kernel
def room_of_all(tables, first):
    """Return the minimum of `_room` over all runs of the pack."""
    least = _room(run_of(tables, first))
    for lane in range(1, width()):
        least = min(least, _room(run_of(tables, first + lane)))
    return least


@kernel
def next_row(fine, own, kout):
    """Return the index of the next output row, the same for all runs of the pack; kout if no run is left."""
    for lane in range(width()):
        if verdict(fine, lane):
            kout = int(element_of(own, KOUT_OF, lane))
    return kout
