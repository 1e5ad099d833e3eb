# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernels of a filter's window: the gyro readings and messages since the oldest outstanding message.

A message corrects the attitude at its time of validity. A delayed message must not correct the present state through
the cross-covariance, because this correction is linear in the error and wrong if the error is large. The filter
therefore has two states: a base state, at a time before which no message is outstanding, and the present state. After a
delayed message the filter repeats the computation from the base, with the readings and messages of the window in order.
The result is the same as without delays.
"""

from ....plant.kernels.kernel import kernel, table_in
from ....plant.kernels.lanes import agreed, select, shared
from .filter_kernels import filter_receive, filter_turn
from .filter_layout import (
    FILTER_MEMORY,
    FILTER_NUMBERS,
    LATEST,
    MESSAGE_ROW,
    READING,
    SOON,
    latest_at,
    messages_at,
    readings_at,
    work_at,
)
from .first_fix_kernel import first_fix, reading_after, reading_row
from .mekf_kernel import ERRORS, SIGHTING, STATE, WORK_ROWS
from .usque_kernel import POINT_ROWS


@kernel
def begin(z, t):
    """Initialise the window at time t."""
    z[FILTER_MEMORY.began] = 1.0
    z[FILTER_MEMORY.time], z[FILTER_MEMORY.base_time] = t, t
    z[FILTER_MEMORY.since], z[FILTER_MEMORY.taken], z[FILTER_MEMORY.started] = t, t, t


@kernel
def record(q, z, end, r0, r1, r2):
    """Store a reading (mean rate from the last reading to `end`), replacing the oldest if the window is full."""
    most, many, first = (
        int(shared(q, FILTER_NUMBERS.readings)),
        int(shared(z, FILTER_MEMORY.readings)),
        int(shared(z, FILTER_MEMORY.first)),
    )
    if many == most:
        z[FILTER_MEMORY.since] = z[readings_at(q) + READING.size * first + READING.end]
        first += 1
        if first == most:
            first = 0
        z[FILTER_MEMORY.first] = first
        many -= 1
    z[FILTER_MEMORY.readings] = many + 1
    at = reading_row(q, z, many)
    z[at + READING.end] = end
    z[at + READING.rate], z[at + READING.rate + 1], z[at + READING.rate + 2] = r0, r1, r2


@kernel
def accept(q, z, seen, sensor, tell, row, at):
    """Insert a message, packed in row[at: at + SIGHTING.size], into the window; tell: innovation index.

    If the window is full or the message is older than the base, the message is omitted and counted in `missed`. A
    message older than the last start is omitted without being counted.
    """
    last = latest_at(q) + LATEST.size * sensor
    z[last + LATEST.seen] = seen
    for m in range(SIGHTING.size):
        z[last + LATEST.sighting + m] = row[at + m]
    many, most = int(shared(z, FILTER_MEMORY.messages)), int(shared(q, FILTER_NUMBERS.messages))
    if many == most or (shared(z, FILTER_MEMORY.lost) == 0.0 and seen < shared(z, FILTER_MEMORY.base_time) - SOON):
        if many == most or seen >= shared(z, FILTER_MEMORY.started) - SOON:
            z[FILTER_MEMORY.missed] += 1.0
        return
    first = messages_at(q)
    k = many
    while k > 0:
        before = first + MESSAGE_ROW.size * (k - 1)
        ahead = shared(z, before + MESSAGE_ROW.seen) - seen
        if ahead < -SOON or (ahead <= SOON and shared(z, before + MESSAGE_ROW.sensor) <= sensor):
            break
        for m in range(MESSAGE_ROW.size):
            z[before + MESSAGE_ROW.size + m] = z[before + m]
        k -= 1
    to = first + MESSAGE_ROW.size * k
    z[to + MESSAGE_ROW.seen], z[to + MESSAGE_ROW.sensor], z[to + MESSAGE_ROW.tell] = seen, sensor, tell
    for m in range(SIGHTING.size):
        z[to + MESSAGE_ROW.sighting + m] = z[last + LATEST.sighting + m]
    z[FILTER_MEMORY.messages] = many + 1
    if seen <= shared(z, FILTER_MEMORY.time) + SOON:
        z[FILTER_MEMORY.again] = 1.0


@kernel
def _drop(q, z, count):
    """Remove the first `count` messages from the window."""
    many, first = int(shared(z, FILTER_MEMORY.messages)), messages_at(q)
    for m in range(MESSAGE_ROW.size * (many - count)):
        z[first + m] = z[first + MESSAGE_ROW.size * count + m]
    z[FILTER_MEMORY.messages] = many - count


@kernel
def _older(q, z, t):
    """Return the number of messages in the window that are not later than t."""
    many, first, k = int(shared(z, FILTER_MEMORY.messages)), messages_at(q), 0
    while k < many and shared(z, first + MESSAGE_ROW.size * k + MESSAGE_ROW.seen) <= t:
        k += 1
    return k


@kernel
def _take(q, z, x, P, at, work):
    """Process the message in z[at]; if it is new, store its innovation and count rejection or acceptance."""
    square = filter_receive(q, x, P, z, at + MESSAGE_ROW.sighting, work)
    if shared(z, at + MESSAGE_ROW.tell) < 0.0:
        return
    z[FILTER_MEMORY.size + int(shared(z, at + MESSAGE_ROW.tell))] = square
    z[at + MESSAGE_ROW.tell] = -1.0
    refused = square < 0.0
    z[FILTER_MEMORY.refused] = select(refused, z[FILTER_MEMORY.refused] + 1.0, 0.0)
    z[FILTER_MEMORY.valid] = select(refused, z[FILTER_MEMORY.valid], 1.0)
    z[FILTER_MEMORY.taken] = select(refused, z[FILTER_MEMORY.taken], z[at + MESSAGE_ROW.seen])


@kernel
def _march(q, z, x, P, t, until, first, work):
    """Run from t through complete readings and the messages, starting with message `first`, up to `until`.

    Returns the time reached.
    """
    now, k, row = t, first, reading_after(q, z, t)
    readings, messages, at_messages = (
        int(shared(z, FILTER_MEMORY.readings)),
        int(shared(z, FILTER_MEMORY.messages)),
        messages_at(q),
    )
    while True:
        at, to = reading_row(q, z, row), at_messages + MESSAGE_ROW.size * k
        # a time after `until` represents the end of readings or messages
        end = shared(z, at + READING.end) if row < readings else until + 1.0
        seen = shared(z, to + MESSAGE_ROW.seen) if k < messages else until + 2.0
        due = min(end, seen)
        if due > until + SOON:
            break
        if due - now > SOON:
            r = at + READING.rate
            filter_turn(q, x, P, z[r], z[r + 1], z[r + 2], due - now, work)
            now = due
        if seen <= end + SOON:
            _take(q, z, x, P, to, work)
            k += 1
        else:
            row += 1
    z[FILTER_MEMORY.marched] = k
    return now


@kernel
def agree(condition, z):
    """Return a condition that is common to all runs of a batch; a run for which it differs then has no estimate."""
    here = agreed(condition, z, FILTER_MEMORY.base_state)
    return agreed(condition, z, FILTER_MEMORY.state) and here


@kernel
def _has_lost(q, z, end):
    """Return 1 if so many messages in succession were rejected that the filter must restart, else 0."""
    late = select(end - z[FILTER_MEMORY.taken] > q[FILTER_NUMBERS.patience], 1.0, 0.0)
    return select(z[FILTER_MEMORY.refused] >= q[FILTER_NUMBERS.restart], late, 0.0)


@kernel
def advance(q, z, end):
    """Run the filter to `end`, the end of the last reading, with the accepted messages."""
    x = z[FILTER_MEMORY.state : FILTER_MEMORY.state + STATE]
    y = z[FILTER_MEMORY.base_state : FILTER_MEMORY.base_state + STATE]
    P = table_in(z, FILTER_MEMORY.covariance, ERRORS, ERRORS)
    work = table_in(z, work_at(q), WORK_ROWS + POINT_ROWS, ERRORS)
    if shared(z, FILTER_MEMORY.lost) != 0.0:
        _drop(q, z, _older(q, z, end - shared(q, FILTER_NUMBERS.late) - SOON))
        if first_fix(q, z, end, y, work):
            z[FILTER_MEMORY.lost], z[FILTER_MEMORY.valid] = 0.0, 1.0
    if shared(z, FILTER_MEMORY.lost) == 0.0:
        _run(q, z, x, y, P, end, work)
        if shared(q, FILTER_NUMBERS.restart) > 0.0 and agree(_has_lost(q, z, end) > 0.0, z):
            z[FILTER_MEMORY.valid] = 0.0
            if first_fix(q, z, end, y, work):
                z[FILTER_MEMORY.valid] = 1.0
                z[FILTER_MEMORY.restarts] += 1.0
                _run(q, z, x, y, P, end, work)
    z[FILTER_MEMORY.time], z[FILTER_MEMORY.again] = end, 0.0


@kernel
def _run(q, z, x, y, P, end, work):
    """Advance the base, y, until a message may be outstanding, and the present state, x and P, to `end`."""
    B = table_in(z, FILTER_MEMORY.base_covariance, ERRORS, ERRORS)
    now, first = shared(z, FILTER_MEMORY.time), 0
    base = _march(q, z, y, B, shared(z, FILTER_MEMORY.base_time), end - shared(q, FILTER_NUMBERS.late), 0, work)
    z[FILTER_MEMORY.base_time] = base
    _drop(q, z, int(shared(z, FILTER_MEMORY.marched)))
    if shared(z, FILTER_MEMORY.again) != 0.0 or base >= now - SOON:
        for m in range(STATE):
            x[m] = y[m]
        for i in range(ERRORS):
            for j in range(ERRORS):
                P[i, j] = B[i, j]
        now = base
    else:
        first = _older(q, z, now + SOON)
    _march(q, z, x, P, now, end, first, work)
