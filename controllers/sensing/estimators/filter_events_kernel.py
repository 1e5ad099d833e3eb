# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel that runs the filter over a list of events: received messages and gyro intervals.

A block whose samples are the events uses this kernel, so that `Block.replay` can run the filter.
"""

from ....plant.kernels.fields import fields
from ....plant.kernels.kernel import kernel
from .filter_layout import FILTER_MEMORY, FILTER_NUMBERS
from .filter_window_kernel import accept, advance, begin, record
from .mekf_kernel import BIAS, ERRORS

STARTS, ROW, ARRIVES = range(3)
"""Kinds of events: start, end of a gyro interval, message received by the end of the next interval."""

EVENT = fields(kind=1, time=1, sensor=1, tell=1, what=11)
"""Layout of y.

time: end of the interval, or time of validity of a message; tell: index of the message's innovation; what: mean rate of
the interval, or packed measurement."""

OUTPUT = fields(attitude=4, bias=3, covariance=36, restarts=1)
"""Head of v; the normalised innovations of the interval's messages follow."""


@kernel
def events_kernel(t, y, q, z, v):
    """Process one event; q: FILTER_NUMBERS; z: memory as in `filter_layout`."""
    kind, at, end = int(y[EVENT.kind]), EVENT.what, y[EVENT.time]
    for m in range(v.size):
        v[m] = 0.0
    if kind == ARRIVES:
        accept(q, z, end, int(y[EVENT.sensor]), int(y[EVENT.tell]), y, at)
        return
    if z[FILTER_MEMORY.began] == 0.0:
        begin(z, end)
    if kind == STARTS:
        return
    if end > z[FILTER_MEMORY.time]:
        record(q, z, end, y[at], y[at + 1], y[at + 2])
    advance(q, z, end)
    for m in range(BIAS + 3):
        v[m] = z[FILTER_MEMORY.state + m]
    for m in range(ERRORS * ERRORS):
        v[OUTPUT.covariance + m] = z[FILTER_MEMORY.covariance + m]
    v[OUTPUT.restarts] = z[FILTER_MEMORY.restarts]
    for m in range(int(q[FILTER_NUMBERS.innovations])):
        v[OUTPUT.size + m] = z[FILTER_MEMORY.size + m]
