# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The kernel of a filter of attitude and bias in flight."""

import math

from ...plant.kernels.kernel import kernel, table_in
from ..guidance.inertial_vector_kernel import inertial_vector
from .filter_kernels import FILTER_NUMBERS, UNSCENTED, filter_keep, filter_receive, filter_turn
from .filter_layout import FILTER, FILTER_MEMORY, SIGHT, SOON
from .first_fix_kernel import first_fix
from .mekf_kernel import ATTITUDE, BIAS, CLONES, SIGHTING, WORK_ROWS, turn_by

__all__ = ["filter_block_kernel"]

GYRO_WIDTH = 3  # of its measurement


@kernel
def _pack(t, y, q, at, z):
    """Put the message of a sensor, whose row is q[at], into z as a sighting seen at t."""
    place, to = int(q[at + SIGHT.place]), FILTER_MEMORY.arrives
    z[to + SIGHTING.direction] = q[at + SIGHT.direction]
    if q[at + SIGHT.direction] == 0.0:
        for m in range(4):
            z[to + m] = y[place + m]
        for m in range(6):
            z[to + SIGHTING.covariance + m] = q[at + SIGHT.covariance + m]
        return True
    w0, w1, w2 = y[place], y[place + 1], y[place + 2]
    v0, v1, v2 = inertial_vector(t, y, q, at + SIGHT.vector)
    w, v = math.sqrt(w0 * w0 + w1 * w1 + w2 * w2), math.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
    if w == 0.0 or v == 0.0:
        return False
    z[to], z[to + 1], z[to + 2] = w0 / w, w1 / w, w2 / w
    z[to + 3], z[to + 4], z[to + 5] = v0 / v, v1 / v, v2 / v
    z[to + 6] = q[at + SIGHT.covariance]
    return True


@kernel
def filter_block_kernel(t, y, q, z, v):
    """y = messages of gyro and sensors, signals of directions -> v = attitude, rate, bias, more if there is room."""
    slots, sensors = int(q[FILTER_NUMBERS.slots]), int(q[FILTER.sensors])
    n = 6 + 3 * slots
    counts = FILTER_MEMORY.size
    first = counts + 3 * sensors
    x = z[first : first + CLONES + 4 * slots]
    at_P = first + CLONES + 4 * slots
    rows = WORK_ROWS + (5 * n + 2 if int(q[FILTER_NUMBERS.kind]) == UNSCENTED else 0)
    P, work = table_in(z, at_P, n, n), table_in(z, at_P + n * n, rows, n)
    ahead = q[FILTER.ahead]
    end = t - ahead
    found = z[FILTER_MEMORY.lost] != 0.0 and y[GYRO_WIDTH] != 0.0 and first_fix(y, q, sensors, end, x, P)
    if found:
        z[FILTER_MEMORY.lost] = 0.0
    if z[FILTER_MEMORY.began] == 0.0 or found:
        z[FILTER_MEMORY.began], z[FILTER_MEMORY.time] = 1.0, end
        for s in range(sensors):  # what was seen before is nothing it can take
            at, mine = FILTER.size + s * SIGHT.size, counts + 3 * s
            since = end + SOON if found else end - SOON  # what it started from is not taken once more
            z[mine] = max(0.0, math.ceil((since - q[at + SIGHT.offset]) / q[at + SIGHT.sample]))
            z[mine + 1] = z[mine]
    if y[GYRO_WIDTH] == 0.0:
        z[FILTER_MEMORY.valid] = 0.0
    now = z[FILTER_MEMORY.time]
    r0, r1, r2 = y[0], y[1], y[2]
    if found:
        z[FILTER_MEMORY.valid] = 1.0
    while z[FILTER_MEMORY.lost] == 0.0:
        # what happens next until the end of the interval: arrivals before what is to be kept, sensors in their order
        soonest, who, arrives = end + 2.0 * SOON, -1, True
        for s in range(sensors):
            at, mine = FILTER.size + s * SIGHT.size, counts + 3 * s
            told = q[at + SIGHT.offset] + z[mine + 1] * q[at + SIGHT.sample] + q[at + SIGHT.delay]
            if told < soonest - SOON:
                soonest, who = told, s
        for s in range(sensors):
            at, mine = FILTER.size + s * SIGHT.size, counts + 3 * s
            seen = q[at + SIGHT.offset] + z[mine] * q[at + SIGHT.sample]
            if q[at + SIGHT.slots] > 0.0 and seen < soonest - SOON:
                soonest, who, arrives = seen, s, False
        at, mine = FILTER.size + who * SIGHT.size, counts + 3 * who
        seen, message = 0.0, 0
        if who >= 0 and arrives:
            seen = q[at + SIGHT.offset] + z[mine + 1] * q[at + SIGHT.sample]
            message = int(q[at + SIGHT.place] + q[at + SIGHT.width])
            if y[message] == 0.0 or abs(y[message + 1] - seen) > 1e-6:  # lost, or not told when it should have been
                z[mine + 1] += 1.0
                continue
        step = min(soonest, end) - now
        if step > SOON:
            filter_turn(q, x, P, r0, r1, r2, step, work)
            now = min(soonest, end)
        if who < 0:
            break
        many = q[at + SIGHT.slots]
        if not arrives:
            filter_keep(q, x, P, int(q[at + SIGHT.slot] + z[mine] - many * math.floor(z[mine] / many)))
            z[mine] += 1.0
            continue
        slot = -1
        if many > 0.0:
            slot = int(q[at + SIGHT.slot] + z[mine + 1] - many * math.floor(z[mine + 1] / many))
        z[mine + 1] += 1.0
        if _pack(seen, y, q, at, z):
            z[mine + 2] = filter_receive(q, x, P, slot, z, FILTER_MEMORY.arrives, work)
            if z[mine + 2] >= 0.0:
                z[FILTER_MEMORY.valid] = 1.0
    z[FILTER_MEMORY.time] = end
    w0, w1, w2 = r0 - x[BIAS], r1 - x[BIAS + 1], r2 - x[BIAS + 2]
    for m in range(4):
        v[m] = x[ATTITUDE + m]
    if ahead > 0.0:
        turn_by(v, 0, w0 * ahead, w1 * ahead, w2 * ahead)
    v[4], v[5], v[6] = w0, w1, w2
    for m in range(3):
        v[7 + m] = x[BIAS + m]
    if v.size > 10:
        for m in range(3):
            v[10 + m] = math.sqrt(P[m, m])
            v[13 + m] = math.sqrt(P[3 + m, 3 + m])
        v[16] = z[FILTER_MEMORY.valid]
        for s in range(sensors):
            v[17 + s] = z[counts + 3 * s + 2]
