# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel of an attitude and bias filter in a loop."""

import math

from ....plant.kernels.kernel import kernel, table_in
from ....plant.kernels.lanes import select, shared
from ...guidance.inertial_vector_kernel import inertial_vector
from .ahead_kernel import ahead_variances
from .filter_kernels import WORK
from .filter_layout import FILTER_MEMORY, FILTER_NUMBERS, FLIGHT, LATEST, SIGHT, SOON, latest_at, work_at
from .filter_window_kernel import accept, advance, agree, begin, record
from .mekf_kernel import ATTITUDE, BIAS, ERRORS, SIGHTING, WORK_ROWS, turn_by

GYRO_WIDTH = 3  # width of the gyro measurement
STAMP = 1e-6  # s: tolerance between the time of a message and a sample time


@kernel
def _pack(t, y, q, at, z):
    """Pack a sensor's message, a measurement at t, into z; return False for a direction of zero length.

    at: index in q of the parameters of the sensor.
    """
    place, to = int(shared(q, at + SIGHT.place)), FILTER_MEMORY.arrives
    z[to + SIGHTING.direction] = q[at + SIGHT.direction]
    if shared(q, at + SIGHT.direction) == 0.0:
        for m in range(4):
            z[to + m] = y[place + m]
        for m in range(6):
            z[to + SIGHTING.covariance + m] = q[at + SIGHT.covariance + m]
        return True
    w0, w1, w2 = y[place], y[place + 1], y[place + 2]
    v0, v1, v2 = inertial_vector(t, y, q, at + SIGHT.vector)
    w, v = math.sqrt(w0 * w0 + w1 * w1 + w2 * w2), math.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
    if agree(select(w == 0.0, 0.0, v) == 0.0, z):
        return False
    z[to], z[to + 1], z[to + 2] = w0 / w, w1 / w, w2 / w
    z[to + 3], z[to + 4], z[to + 5] = v0 / v, v1 / v, v2 / v
    z[to + 6] = q[at + SIGHT.covariance]
    return True


@kernel
def _listen(y, q, z, end):
    """Accept the sensor messages received by `end`, and count those with a wrong time.

    A message has a wrong time if its time is not the expected sample time of the sensor. The sample counts of the
    sensors are stored in z after the workspace.
    """
    sensors = int(shared(q, FILTER_NUMBERS.sensors))
    next_at = work_at(q) + WORK
    for s in range(sensors):
        at, last = FILTER_NUMBERS.size + FLIGHT.size + s * SIGHT.size, latest_at(q) + LATEST.size * s
        message = int(shared(q, at + SIGHT.place) + shared(q, at + SIGHT.width))
        while True:
            seen = shared(q, at + SIGHT.offset) + shared(z, next_at + s) * shared(q, at + SIGHT.sample)
            if seen + shared(q, at + SIGHT.delay) > end + SOON:
                break
            z[next_at + s] += 1.0
            if agree(y[message] == 0.0, z):  # lost sample
                continue
            sent = shared(y, message + 1)
            if abs(sent - seen) > STAMP:  # not received, or later than expected
                if sent > max(shared(z, last + LATEST.newest), shared(z, last + LATEST.seen)) + STAMP:
                    z[FILTER_MEMORY.missed] += 1.0
                    z[last + LATEST.newest] = sent
                continue
            if _pack(seen, y, q, at, z):
                accept(q, z, seen, s, s, z, FILTER_MEMORY.arrives)


@kernel(lanes=True)
def filter_block_kernel(t, y, q, z, v):
    """y = gyro and sensor messages, direction signals -> v = attitude, rate, bias, and more if v has room."""
    ahead = shared(q, FILTER_NUMBERS.size + FLIGHT.ahead)
    end, sensors = t - ahead, int(shared(q, FILTER_NUMBERS.sensors))
    span = end - shared(z, FILTER_MEMORY.time)
    r0, r1, r2 = y[0], y[1], y[2]
    if shared(z, FILTER_MEMORY.began) == 0.0:
        begin(z, end)
        span = 0.0
        for s in range(sensors):  # messages sampled before the start are not used
            at = FILTER_NUMBERS.size + FLIGHT.size + s * SIGHT.size
            due = math.ceil((end - SOON - shared(q, at + SIGHT.offset)) / shared(q, at + SIGHT.sample))
            z[work_at(q) + WORK + s] = max(0.0, due)
            z[latest_at(q) + LATEST.size * s + LATEST.newest] = end
    else:
        record(q, z, end, r0, r1, r2)
    missing = y[GYRO_WIDTH] == 0.0
    z[FILTER_MEMORY.valid] = select(missing, 0.0, z[FILTER_MEMORY.valid])
    z[FILTER_MEMORY.gap] = select(missing, end, z[FILTER_MEMORY.gap])
    _listen(y, q, z, end)
    advance(q, z, end)
    x, P = FILTER_MEMORY.state, FILTER_MEMORY.covariance
    w0, w1, w2 = r0 - z[x + BIAS], r1 - z[x + BIAS + 1], r2 - z[x + BIAS + 2]
    for m in range(4):
        v[m] = z[x + ATTITUDE + m]
    if ahead > 0.0:
        turn_by(v, 0, w0 * ahead, w1 * ahead, w2 * ahead)
    v[4], v[5], v[6] = w0, w1, w2
    for m in range(3):
        v[7 + m] = z[x + BIAS + m]
    v[v.size - 1] = z[FILTER_MEMORY.missed]
    if v.size > 11:
        for m in range(3):
            v[10 + m] = math.sqrt(z[P + (ERRORS + 1) * m])
            v[13 + m] = math.sqrt(z[P + (ERRORS + 1) * (3 + m)])
        if ahead > 0.0:
            work = table_in(z, work_at(q), WORK_ROWS, ERRORS)
            s0, s1, s2 = ahead_variances(q, z, table_in(z, P, ERRORS, ERRORS), w0, w1, w2, ahead, span, end, work)
            v[10], v[11], v[12] = math.sqrt(s0), math.sqrt(s1), math.sqrt(s2)
        v[16] = z[FILTER_MEMORY.valid]
        for s in range(sensors):
            v[17 + s] = z[FILTER_MEMORY.size + s]
        v[17 + sensors] = z[FILTER_MEMORY.refused]
        v[18 + sensors] = z[FILTER_MEMORY.restarts]
