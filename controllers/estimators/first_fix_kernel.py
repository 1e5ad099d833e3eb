# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The attitude a filter starts from when nobody tells it: from the first attitude, or two directions, that it is told.

Of two directions it is TRIAD (Black 1964), the better one exact, with its covariance (Shuster & Oh 1981). Both are
carried from when they are valid to now by the rate of the gyro.
"""

import math

from ...plant.kernels.kernel import kernel
from ...plant.kernels.rotation import compose, rotation_row, to_body
from ..blocks.direction_attitude import shortest
from ..guidance.inertial_vector_kernel import inertial_vector
from .filter_layout import FILTER, SIGHT, SOON
from .mekf_kernel import ATTITUDE, BIAS, turn_by

__all__ = ["first_fix"]

APART = 0.1  # sine of the angle between two directions, below which they tell too little about each other


@kernel
def _fresh(y, q, at, end):
    """Whether the last message of a sensor, whose row is q[at], is valid and no older than its next one."""
    message = int(q[at + SIGHT.place] + q[at + SIGHT.width])
    age = end - y[message + 1]
    return y[message] != 0.0 and age <= q[at + SIGHT.delay] + q[at + SIGHT.sample] + SOON


@kernel
def _unit(x0, x1, x2):
    size = math.sqrt(x0 * x0 + x1 * x1 + x2 * x2)
    size = size if size > 0.0 else 1.0
    return x0 / size, x1 / size, x2 / size


@kernel
def _seen(y, q, at, end, w0, w1, w2, turn):
    """A direction as it lies in the body now, and in space when it was seen; turn (4,) is work space."""
    place = int(q[at + SIGHT.place])
    then = y[int(place + q[at + SIGHT.width]) + 1]
    turn[0], turn[1], turn[2], turn[3] = 1.0, 0.0, 0.0, 0.0
    turn_by(turn, 0, w0 * (end - then), w1 * (end - then), w2 * (end - then))
    s0, s1, s2 = _unit(y[place], y[place + 1], y[place + 2])
    v0, v1, v2 = inertial_vector(then, y, q, at + SIGHT.vector)
    v0, v1, v2 = _unit(v0, v1, v2)
    b0, b1, b2 = to_body(turn[0], turn[1], turn[2], turn[3], s0, s1, s2)
    return b0, b1, b2, v0, v1, v2


@kernel
def _spread(P, age, drift):
    """Add what the gyro adds while an attitude is carried over its age, the error of its bias included."""
    for i in range(3):
        P[i, i] += drift * abs(age) + age * age * P[3 + i, 3 + i]
        P[i, 3 + i] = -age * P[3 + i, 3 + i]
        P[3 + i, i] = P[i, 3 + i]


@kernel
def _row_of(q, at, i, r):
    """Row i of a symmetric matrix, whose lower triangle begins at q[at], times r."""
    total = 0.0
    for k in range(3):
        most, least = max(i, k), min(i, k)
        total += q[at + most * (most + 1) // 2 + least] * r[k]
    return total


@kernel
def _of_attitude(y, q, at, end, w0, w1, w2, x, P):
    """Start from the attitude that a sensor told."""
    place = int(q[at + SIGHT.place])
    age = end - y[int(place + q[at + SIGHT.width]) + 1]
    c = at + SIGHT.covariance
    x[ATTITUDE], x[ATTITUDE + 1], x[ATTITUDE + 2], x[ATTITUDE + 3] = 1.0, 0.0, 0.0, 0.0
    turn_by(x, ATTITUDE, w0 * age, w1 * age, w2 * age)
    d0, d1, d2, d3 = x[ATTITUDE], x[ATTITUDE + 1], x[ATTITUDE + 2], x[ATTITUDE + 3]
    # C in the axes of then is R'C R in those of now, column by column
    for j in range(3):
        r = rotation_row(0, d0, d1, d2, d3)[j], rotation_row(1, d0, d1, d2, d3)[j], rotation_row(2, d0, d1, d2, d3)[j]
        for i in range(3):
            P[i, j] = _row_of(q, c, i, r)
        P[0, j], P[1, j], P[2, j] = to_body(d0, d1, d2, d3, P[0, j], P[1, j], P[2, j])
    e0, e1, e2, e3 = compose(y[place], y[place + 1], y[place + 2], y[place + 3], d0, d1, d2, d3)
    x[ATTITUDE], x[ATTITUDE + 1], x[ATTITUDE + 2], x[ATTITUDE + 3] = e0, e1, e2, e3
    turn_by(x, ATTITUDE, 0.0, 0.0, 0.0)  # scaled back to length one
    _spread(P, age, q[FILTER.drift])


@kernel
def _of_directions(y, q, one, other, end, w0, w1, w2, x, P):
    """Start from two directions of sensors whose rows are q[one], the better one, and q[other]."""
    turn = x[ATTITUDE : ATTITUDE + 4]
    a0, a1, a2, u0, u1, u2 = _seen(y, q, one, end, w0, w1, w2, turn)
    b0, b1, b2, v0, v1, v2 = _seen(y, q, other, end, w0, w1, w2, turn)
    d0, d1, d2, d3 = shortest(a0, a1, a2, u0, u1, u2)  # the first where it belongs; then a turn about it
    t0, t1, t2 = to_body(d0, -d1, -d2, -d3, b0, b1, b2)
    along = u0 * (t1 * v2 - t2 * v1) + u1 * (t2 * v0 - t0 * v2) + u2 * (t0 * v1 - t1 * v0)
    across = t0 * v0 + t1 * v1 + t2 * v2 - (t0 * u0 + t1 * u1 + t2 * u2) * (v0 * u0 + v1 * u1 + v2 * u2)
    half = 0.5 * math.atan2(along, across)
    s = math.sin(half)
    e0, e1, e2, e3 = compose(math.cos(half), s * u0, s * u1, s * u2, d0, d1, d2, d3)
    x[ATTITUDE], x[ATTITUDE + 1], x[ATTITUDE + 2], x[ATTITUDE + 3] = e0, e1, e2, e3
    turn_by(x, ATTITUDE, 0.0, 0.0, 0.0)
    first = q[one + SIGHT.covariance] * q[one + SIGHT.covariance]
    second = q[other + SIGHT.covariance] * q[other + SIGHT.covariance]
    c = a0 * b0 + a1 * b1 + a2 * b2
    square = 1.0 - c * c
    a, b = (a0, a1, a2), (b0, b1, b2)
    for i in range(3):
        for j in range(3):
            P[i, j] = ((second - first) * a[i] * a[j] + first * c * (a[i] * b[j] + b[i] * a[j])) / square
        P[i, i] += first
    older = min(
        y[int(q[one + SIGHT.place] + q[one + SIGHT.width]) + 1],
        y[int(q[other + SIGHT.place] + q[other + SIGHT.width]) + 1],
    )
    _spread(P, end - older, q[FILTER.drift])


@kernel
def first_fix(y, q, sensors, end, x, P):
    """Start the state and its covariance at `end`; whether the messages in y tell the attitude."""
    w0, w1, w2 = y[0] - x[BIAS], y[1] - x[BIAS + 1], y[2] - x[BIAS + 2]
    for s in range(sensors):
        at = FILTER.size + s * SIGHT.size
        if q[at + SIGHT.direction] == 0.0 and _fresh(y, q, at, end):
            _of_attitude(y, q, at, end, w0, w1, w2, x, P)
            return True
    best, one, other = APART, -1, -1
    for s in range(sensors):
        at = FILTER.size + s * SIGHT.size
        if q[at + SIGHT.direction] == 0.0 or not _fresh(y, q, at, end):
            continue
        for k in range(s + 1, sensors):
            to = FILTER.size + k * SIGHT.size
            if q[to + SIGHT.direction] == 0.0 or not _fresh(y, q, to, end):
                continue
            turn = x[ATTITUDE : ATTITUDE + 4]
            a0, a1, a2, _, _, _ = _seen(y, q, at, end, w0, w1, w2, turn)
            b0, b1, b2, _, _, _ = _seen(y, q, to, end, w0, w1, w2, turn)
            p0, p1, p2 = a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
            apart = math.sqrt(p0 * p0 + p1 * p1 + p2 * p2)
            if apart > best:
                best, one, other = apart, at, to
    x[ATTITUDE], x[ATTITUDE + 1], x[ATTITUDE + 2], x[ATTITUDE + 3] = 1.0, 0.0, 0.0, 0.0
    if one < 0:
        return False
    if q[other + SIGHT.covariance] < q[one + SIGHT.covariance]:
        one, other = other, one
    _of_directions(y, q, one, other, end, w0, w1, w2, x, P)
    return True
