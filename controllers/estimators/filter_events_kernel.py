# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The filter over a list of events: intervals of the gyro, moments to remember, measurements that arrive.

Its kernel is that of a block whose samples are the events, so that `Block.replay` runs it.
"""

from ...plant.kernels.fields import fields
from ...plant.kernels.kernel import kernel, table_in
from .filter_kernels import FILTER_NUMBERS, UNSCENTED, filter_keep, filter_receive, filter_turn
from .mekf_kernel import BIAS, CLONES, WORK_ROWS

__all__ = ["ARRIVES", "EVENT", "KEEPS", "ROW", "TOLD", "TURNS", "events_kernel"]

TURNS, KEEPS, ARRIVES, ROW = range(4)
"""Kinds of events."""

EVENT = fields(kind=1, slot=1, what=11)
"""In y: what is rate and time of an interval, or a sighting as it is packed."""

TOLD = fields(attitude=4, bias=3, covariance=36, nis=1)
"""In v: the state where the event is a row, the normalised innovation where a measurement arrives."""


@kernel
def events_kernel(t, y, q, z, v):
    """q: FILTER_NUMBERS; z: state (7 + 4 slots), covariance, work space."""
    slots = int(q[FILTER_NUMBERS.slots])
    n = 6 + 3 * slots
    first = CLONES + 4 * slots
    rows = WORK_ROWS + (5 * n + 2 if int(q[FILTER_NUMBERS.kind]) == UNSCENTED else 0)
    P, work = table_in(z, first, n, n), table_in(z, first + n * n, rows, n)
    kind, slot, at = int(y[EVENT.kind]), int(y[EVENT.slot]), EVENT.what
    for m in range(v.size):
        v[m] = 0.0
    if kind == TURNS:
        filter_turn(q, z, P, y[at], y[at + 1], y[at + 2], y[at + 3], work)
    elif kind == KEEPS:
        filter_keep(q, z, P, slot)
    elif kind == ARRIVES:
        v[TOLD.nis] = filter_receive(q, z, P, slot, y, at, work)
    else:
        for m in range(BIAS + 3):
            v[m] = z[m]
        for i in range(6):
            for j in range(6):
                v[TOLD.covariance + 6 * i + j] = P[i, j]
