# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Start of a filter from its sensors: from the first attitude or the first two directions.

Two directions give an attitude by TRIAD (Black 1964). The initial covariance is the covariance of an attitude from the
older direction, with a variance of pi^2 about it; it is propagated to the time of the newer direction and updated
by the newer direction. The filter starts at the time of validity of the attitude, or of the newer direction, and
processes the recorded gyro readings from that time on.
"""

import math

from ....plant.kernels.kernel import kernel, table_in
from ....plant.kernels.lanes import shared
from ....plant.kernels.rotation import compose, to_body
from ...laws.blocks.direction_attitude import shortest
from .filter_kernels import FIXED
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
)
from .mekf_kernel import ATTITUDE, BIAS, ERRORS, SIGHTING, propagate, receive, turn_by

APART = 0.1  # smallest sine of the angle between two directions that determine an attitude
UNKNOWN = math.pi * math.pi  # variance of the rotation about a single direction, rad^2
OPEN = 1e300


@kernel(inline=True)
def reading_row(q, z, k):
    """Return the index in z of the k-th reading, counted from the oldest as 0."""
    row, most = int(shared(z, FILTER_MEMORY.first)) + k, int(shared(q, FILTER_NUMBERS.readings))
    return readings_at(q) + READING.size * (row - most if row >= most else row)


@kernel
def reading_after(q, z, t):
    """Return the number of the first reading that ends after t, counted from the oldest as 0."""
    k = int(shared(z, FILTER_MEMORY.readings))
    while k > 0 and shared(z, reading_row(q, z, k - 1) + READING.end) > t + SOON:
        k -= 1
    return k


@kernel
def _carry(q, z, begin, end, turn):
    """Integrate the readings minus the bias from `begin` to `end`, and store the rotation in turn[:4]."""
    turn[0], turn[1], turn[2], turn[3] = 1.0, 0.0, 0.0, 0.0
    b = FILTER_NUMBERS.bias
    now, k, many = begin, reading_after(q, z, begin), int(z[FILTER_MEMORY.readings])
    while k < many and end - now > SOON:
        at = reading_row(q, z, k)
        until = min(end, z[at + READING.end])
        r, T = at + READING.rate, until - now
        turn_by(turn, 0, (z[r] - q[b]) * T, (z[r + 1] - q[b + 1]) * T, (z[r + 2] - q[b + 2]) * T)
        now = until
        k += 1


@kernel
def _usable(z, at, end):
    """Return whether the message in z[at] is recent, and later than the last gap in the gyro readings."""
    seen = z[at + LATEST.seen]
    since = max(z[FILTER_MEMORY.since], z[FILTER_MEMORY.gap])
    return seen >= since - SOON and end - seen <= z[at + LATEST.age] + SOON


@kernel
def _start(q, z, x, B, seen, one, other):
    """Start at `seen` with the initial bias; mark earlier messages and both sensors' messages as used."""
    z[FILTER_MEMORY.base_time], z[FILTER_MEMORY.taken], z[FILTER_MEMORY.started] = seen, seen, seen
    z[FILTER_MEMORY.refused], z[FILTER_MEMORY.again] = 0.0, 1.0
    for i in range(ERRORS):
        for j in range(ERRORS):
            B[i, j] = 0.0
    for m in range(3):
        x[BIAS + m] = q[FILTER_NUMBERS.bias + m]
        B[3 + m, 3 + m] = q[FILTER_NUMBERS.bias_variance + m]
    first, many, left = messages_at(q), int(z[FILTER_MEMORY.messages]), 0
    for k in range(many):
        at, to = first + MESSAGE_ROW.size * k, first + MESSAGE_ROW.size * left
        sensor, past = z[at + MESSAGE_ROW.sensor], z[at + MESSAGE_ROW.seen] - seen
        if past < -SOON or (past <= SOON and one == sensor) or (past <= SOON and other == sensor):
            continue
        for m in range(MESSAGE_ROW.size):
            z[to + m] = z[at + m]
        left += 1
    z[FILTER_MEMORY.messages] = left


@kernel
def _of_attitude(q, z, sensor, x):
    """Start from the attitude measured by a sensor."""
    B = table_in(z, FILTER_MEMORY.base_covariance, ERRORS, ERRORS)
    at = latest_at(q) + LATEST.size * sensor
    _start(q, z, x, B, z[at + LATEST.seen], sensor, sensor)
    start = at + LATEST.sighting
    for m in range(4):
        x[ATTITUDE + m] = z[start + m]
    turn_by(x, ATTITUDE, 0.0, 0.0, 0.0)  # normalises the attitude
    part = start + SIGHTING.covariance
    for i in range(3):
        for j in range(i + 1):
            B[i, j] = z[part]
            B[j, i] = z[part]
            part += 1


@kernel
def _seen(z, at):
    """Return a direction as measured in body axes, and its inertial components."""
    s = at + LATEST.sighting
    return z[s], z[s + 1], z[s + 2], z[s + 3], z[s + 4], z[s + 5]


@kernel
def _of_directions(q, z, older, newer, x, work):
    """Start from two directions; the second is at least as recent as the first."""
    B = table_in(z, FILTER_MEMORY.base_covariance, ERRORS, ERRORS)
    one, other = latest_at(q) + LATEST.size * older, latest_at(q) + LATEST.size * newer
    begin, end = z[one + LATEST.seen], z[other + LATEST.seen]
    a0, a1, a2, u0, u1, u2 = _seen(z, one)
    b0, b1, b2, v0, v1, v2 = _seen(z, other)
    _start(q, z, x, B, end, older, newer)
    turn = work[0]
    _carry(q, z, begin, end, turn)
    # propagate the second direction to the time of the first; align the first, then rotate about it
    c0, c1, c2 = to_body(turn[0], -turn[1], -turn[2], -turn[3], b0, b1, b2)
    d0, d1, d2, d3 = shortest(a0, a1, a2, u0, u1, u2)
    t0, t1, t2 = to_body(d0, -d1, -d2, -d3, c0, c1, c2)
    along = u0 * (t1 * v2 - t2 * v1) + u1 * (t2 * v0 - t0 * v2) + u2 * (t0 * v1 - t1 * v0)
    across = t0 * v0 + t1 * v1 + t2 * v2 - (t0 * u0 + t1 * u1 + t2 * u2) * (v0 * u0 + v1 * u1 + v2 * u2)
    half = 0.5 * math.atan2(along, across)
    s = math.sin(half)
    e0, e1, e2, e3 = compose(math.cos(half), s * u0, s * u1, s * u2, d0, d1, d2, d3)
    x[ATTITUDE], x[ATTITUDE + 1], x[ATTITUDE + 2], x[ATTITUDE + 3] = e0, e1, e2, e3
    turn_by(x, ATTITUDE, 0.0, 0.0, 0.0)
    variance = z[one + LATEST.sighting + 6] * z[one + LATEST.sighting + 6]
    a = (a0, a1, a2)
    for i in range(3):
        for j in range(3):
            B[i, j] = (UNKNOWN - variance) * a[i] * a[j] + (variance if i == j else 0.0)
    noise, walk = q[FILTER_NUMBERS.noise], q[FILTER_NUMBERS.walk]
    if q[FILTER_NUMBERS.kind] == FIXED:  # noise and walk are gains for this kind
        noise, walk = 0.0, 0.0
    now, k, many = begin, reading_after(q, z, begin), int(z[FILTER_MEMORY.readings])
    while k < many and end - now > SOON:
        at = reading_row(q, z, k)
        until = min(end, z[at + READING.end])
        r = at + READING.rate
        propagate(x, B, z[r], z[r + 1], z[r + 2], until - now, noise, walk, work)
        now = until
        k += 1
    receive(x, B, z, other + LATEST.sighting, OPEN, OPEN, work)


@kernel
def first_fix(q, z, end, x, work):
    """Start the base, with state x, from the latest messages; return whether these determine the attitude."""
    sensors, first = int(q[FILTER_NUMBERS.sensors]), latest_at(q)
    for s in range(sensors):
        at = first + LATEST.size * s
        if z[at + LATEST.sighting + SIGHTING.direction] == 0.0 and _usable(z, at, end):
            _of_attitude(q, z, s, x)
            return True
    best, older, newer, turn = APART, 0, 0, work[0]
    for s in range(sensors):
        for k in range(sensors):
            at, to = first + LATEST.size * s, first + LATEST.size * k
            if k == s or not (_usable(z, at, end) and _usable(z, to, end)):
                continue
            later = z[to + LATEST.seen] - z[at + LATEST.seen]
            if later < 0.0 or (later == 0.0 and k < s):
                continue
            a0, a1, a2, _, _, _ = _seen(z, at)
            b0, b1, b2, _, _, _ = _seen(z, to)
            _carry(q, z, z[at + LATEST.seen], z[to + LATEST.seen], turn)
            a0, a1, a2 = to_body(turn[0], turn[1], turn[2], turn[3], a0, a1, a2)
            p0, p1, p2 = a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
            apart = math.sqrt(p0 * p0 + p1 * p1 + p2 * p2)
            if apart > best:
                best, older, newer = apart, s, k
    if newer == older:
        return False
    _of_directions(q, z, older, newer, x, work)
    return True
