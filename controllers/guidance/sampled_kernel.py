# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel of a reference that interpolates attitudes."""

from typing import Any

import numpy as np

from ...plant.kernels.fields import fields
from ...plant.kernels.kernel import kernel
from ...plant.kernels.rotation import compose

SAMPLED = fields(pieces=1)
"""Head of q: number of pieces. The start times of the pieces, the end of the last piece and the pieces follow."""

PIECE = fields(cubic=4, square=4, linear=4, constant=4)
"""Row of a piece: coefficients of a cubic in the time since its start, four components each."""


@kernel
def sampled_kernel(t: Any, q: Any, r: Any) -> None:
    """Write the interpolated reference into r; q as in SAMPLED.

    With the cubic p, e = p/|p|, omega = 2 vec(p* o p')/|p|^2 and
    alpha = 2 vec(p* o p'')/|p|^2 - 2 (p . p')/|p|^2 omega. Before the first and after the last time, the motion
    continues at constant rate.
    """
    pieces = int(q[SAMPLED.pieces])
    first, last = SAMPLED.size, SAMPLED.size + pieces
    low, high = 0, pieces
    while high - low > 1:
        middle = (low + high) // 2
        if q[first + middle] <= t.real:
            low = middle
        else:
            high = middle
    within = t
    if t.real < q[first]:
        within = q[first] + 0.0 * t
    elif t.real > q[last]:
        within = q[last] + 0.0 * t
    s = within - q[first + low]
    row = last + 1 + PIECE.size * low
    square = 0.0 * s
    along = 0.0 * s
    for n in range(4):
        k = row + n
        p = ((q[k + PIECE.cubic] * s + q[k + PIECE.square]) * s + q[k + PIECE.linear]) * s + q[k + PIECE.constant]
        d = (3.0 * q[k + PIECE.cubic] * s + 2.0 * q[k + PIECE.square]) * s + q[k + PIECE.linear]
        r[n] = p
        r[4 + n] = d
        square = square + p * p
        along = along + p * d
    p0, p1, p2, p3 = r[0], r[1], r[2], r[3]
    z, x1, x2, x3 = compose(p0, -p1, -p2, -p3, r[4], r[5], r[6], r[7])
    w1, w2, w3 = 2.0 * x1 / square, 2.0 * x2 / square, 2.0 * x3 / square
    a, b, c = row + PIECE.cubic, row + PIECE.square, 6.0 * s
    z, x1, x2, x3 = compose(
        p0, -p1, -p2, -p3, c * q[a] + 2.0 * q[b], c * q[a + 1] + 2.0 * q[b + 1], c * q[a + 2] + 2.0 * q[b + 2],
        c * q[a + 3] + 2.0 * q[b + 3],
    )  # fmt: skip
    slow = 2.0 * along / square
    norm = np.sqrt(square)
    p0, p1, p2, p3 = p0 / norm, p1 / norm, p2 / norm, p3 / norm
    beyond = t - within
    on = 1.0
    if beyond.real != 0.0:
        on = 0.0
    rate = np.sqrt(w1 * w1 + w2 * w2 + w3 * w3)
    turned = 0.5 * beyond
    if rate.real > 0.0:
        turned = np.sin(0.5 * rate * beyond) / rate
    r[0], r[1], r[2], r[3] = compose(
        p0, p1, p2, p3, np.cos(0.5 * rate * beyond), turned * w1, turned * w2, turned * w3
    )  # fmt: skip
    r[4], r[5], r[6] = w1, w2, w3
    r[7] = on * (2.0 * x1 / square - slow * w1)
    r[8] = on * (2.0 * x2 / square - slow * w2)
    r[9] = on * (2.0 * x3 / square - slow * w3)
