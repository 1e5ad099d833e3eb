# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The Dormand-Prince step of order 8(5, 3): stages, error estimate, dense output.

At a fixed step size and without the estimate the same formula is the method "rk8".

The error is weighed by blocks, each by its own size as a vector, so that the steps do not depend on how the axes
lie: momentum against |pi|, Euler parameters against 1, position against |c|, linear momentum against |P|, none
below a floor. The ledger takes no part.
"""

import math

from ...plant.dynamics import derivative
from ...plant.kernel import kernel
from ...plant.parameters import INTERNAL, N_INTERNAL, POSITION, TRANSLATION
from .dop853_coefficients import E3, E5, A, B, C, D
from .stage_times import stage_times

__all__ = ["dense_output", "dense_prepare", "dop853_error", "dop853_step"]


@kernel
def dop853_step(t, h, x, u, p, user, w, y, stages):
    """Write x(t + h) into y; stages[0] holds the derivative at x already, rows 1 to 11 are filled."""
    n = x.size
    _, last = stage_times(t, h)
    for s in range(1, 12):
        for i in range(n):
            total = 0.0
            for m in range(s):
                total += A[s, m] * stages[m, i]
            y[i] = x[i] + h * total
        derivative(min(t + C[s] * h, last), y, u, p, stages[s], user, w)
    for i in range(n):
        total = 0.0
        for m in range(12):
            total += B[m] * stages[m, i]
        y[i] = x[i] + h * total


@kernel
def _block(first, last, h, x, y, stages, rtol, floor):
    """Squares of the two error estimates of entries first to last - 1, over the square of their tolerance."""
    size_x = 0.0
    size_y = 0.0
    low = 0.0
    high = 0.0
    for i in range(first, last):
        size_x += x[i] * x[i]
        size_y += y[i] * y[i]
        three = 0.0
        five = 0.0
        for m in range(12):
            three += E3[m] * stages[m, i]
            five += E5[m] * stages[m, i]
        low += three * three
        high += five * five
    size = max(math.sqrt(max(size_x, size_y)), floor)
    scale = rtol * size
    return low / (scale * scale), high / (scale * scale)


@kernel
def dop853_error(h, x, y, stages, rtol, floors, p):
    """The error of the step over the tolerance: accept up to 1. NaN where the step went wrong."""
    low, high = _block(0, 3, h, x, y, stages, rtol, floors[0])
    a, b = _block(3, 7, h, x, y, stages, rtol, 1.0)
    low += a
    high += b
    blocks = 2.0
    n = int(p[N_INTERNAL])
    if n > 0:
        a, b = _block(INTERNAL, INTERNAL + n, h, x, y, stages, rtol, 1.0)
        low += a
        high += b
        a, b = _block(INTERNAL + n, INTERNAL + 2 * n, h, x, y, stages, rtol, floors[3])
        low += a
        high += b
        blocks += 2.0
    if p[TRANSLATION] != 0.0:
        c = int(p[POSITION])
        a, b = _block(c, c + 3, h, x, y, stages, rtol, floors[1])
        low += a
        high += b
        a, b = _block(c + 3, c + 6, h, x, y, stages, rtol, floors[2])
        low += a
        high += b
        blocks += 2.0
    if low == 0.0 and high == 0.0:
        return 0.0
    return abs(h) * high / math.sqrt((high + 0.01 * low) * blocks)


@kernel
def dense_prepare(t, h, x, y, u, p, user, w, stages, dense, tmp):
    """Fill the seven rows of `dense` for the step from x to y; stages[12] holds the derivative at y."""
    n = x.size
    for s in range(13, 16):
        for i in range(n):
            total = 0.0
            for m in range(s):
                total += A[s, m] * stages[m, i]
            tmp[i] = x[i] + h * total
        derivative(t + C[s] * h, tmp, u, p, stages[s], user, w)
    for i in range(n):
        step = y[i] - x[i]
        dense[0, i] = step
        dense[1, i] = h * stages[0, i] - step
        dense[2, i] = 2.0 * step - h * (stages[12, i] + stages[0, i])
        for r in range(4):
            total = 0.0
            for m in range(16):
                total += D[r, m] * stages[m, i]
            dense[3 + r, i] = h * total


@kernel
def dense_output(theta, x, dense, out):
    """Write the state a share theta into the step into out."""
    one = 1.0 - theta
    for i in range(x.size):
        value = dense[6, i]
        value = value * theta + dense[5, i]
        value = value * one + dense[4, i]
        value = value * theta + dense[3, i]
        value = value * one + dense[2, i]
        value = value * theta + dense[1, i]
        value = value * one + dense[0, i]
        out[i] = x[i] + theta * value
