# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Explicit step of a hub with elements for several runs; error estimate and dense output of dop853.

Rows of stages are consecutive, each with the length of the state. The step may differ from run to run. The arithmetic
follows `rk4_step`, `explicit_step`, `dop853_error`, `dense_prepare` and `dense_output`.
"""

import math

from ...plant.hub.parameters import INTERNAL, LOCKED, N_INTERNAL
from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import select, shared
from .element_pack_plant import hub_rate, pack_derivative
from .simd import spread
from .steppers.dop853 import ROUNDING
from .steppers.dop853_coefficients import E3, E5, A, D


@kernel
def copy_rows(source, first, to, at, size):
    """Copy `size` vectors."""
    for i in range(size):
        to[at + i] = source[first + i]


@kernel(inline=True)
def _combined(row, count, h, x, stages, tableau, y):
    """Write x + h sum_m tableau[row, m] stages[m] to y, m < count; four entries are summed in parallel."""
    n = x.size
    i = 0
    while i < n:
        i = min(i, n - 4)
        a, b, c, d = spread(0.0), spread(0.0), spread(0.0), spread(0.0)
        for m in range(count):
            weight = tableau[row, m]
            if weight != 0.0:
                at = m * n + i
                a = a + weight * stages[at]
                b = b + weight * stages[at + 1]
                c = c + weight * stages[at + 2]
                d = d + weight * stages[at + 3]
        y[i], y[i + 1], y[i + 2], y[i + 3] = x[i] + h * a, x[i + 1] + h * b, x[i + 2] + h * c, x[i + 3] + h * d
        i += 4


@kernel
def pack_explicit(h, x, u, p, demand, w, y, stages, slope, tableau):
    """Write x(t + h) to y; the first row of stages holds the derivative at x; slope: workspace."""
    count, n = tableau.shape[1], x.size
    for s in range(1, count):
        _combined(s, s, h, x, stages, tableau, y)
        pack_derivative(y, u, p, demand, w, slope)
        copy_rows(slope, 0, stages, s * n, n)
    _combined(count, count, h, x, stages, tableau, y)


@kernel
def pack_rk4(h, x, u, p, demand, w, y, k1, k2, k3, k4):
    """Write x(t + h) to y by the classical Runge-Kutta method."""
    half, sixth = 0.5 * h, h / 6.0
    pack_derivative(x, u, p, demand, w, k1)
    for i in range(x.size):
        y[i] = x[i] + half * k1[i]
    pack_derivative(y, u, p, demand, w, k2)
    for i in range(x.size):
        y[i] = x[i] + half * k2[i]
    pack_derivative(y, u, p, demand, w, k3)
    for i in range(x.size):
        y[i] = x[i] + h * k3[i]
    pack_derivative(y, u, p, demand, w, k4)
    for i in range(x.size):
        y[i] = x[i] + sixth * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i])


@kernel
def _size(first, last, x, y):
    """Return the larger norm of entries first to last - 1 at the ends x and y of a step."""
    size_x, size_y = spread(0.0), spread(0.0)
    for i in range(first, last):
        size_x = size_x + x[i] * x[i]
        size_y = size_y + y[i] * y[i]
    return math.sqrt(max(size_x, size_y))


@kernel
def _weighed(first, last, n, stages, scale):
    """Return the squared error estimates of entries first to last - 1, relative to the tolerance `scale`."""
    low, high = spread(0.0), spread(0.0)
    for i in range(first, last):
        three, five = spread(0.0), spread(0.0)
        for m in range(12):
            three = three + E3[m] * stages[m * n + i]
            five = five + E5[m] * stages[m * n + i]
        low = low + three * three
        high = high + five * five
    return low / (scale * scale), high / (scale * scale)


@kernel
def _block(first, last, n, x, y, stages, rtol, floor):
    """Return the squared error estimates of a block relative to the norm of its entries."""
    return _weighed(first, last, n, stages, rtol * max(_size(first, last, x, y), floor))


@kernel
def _hub_momentum(x, p, demand, w):
    """Return |J omega|, the momentum with all elements locked to the hub."""
    w0, w1, w2 = hub_rate(x, p, demand, w)
    total = spread(0.0)
    for i in range(3):
        part = p[LOCKED + 3 * i] * w0 + p[LOCKED + 3 * i + 1] * w1 + p[LOCKED + 3 * i + 2] * w2
        total = total + part * part
    return math.sqrt(total)


@kernel
def pack_error(h, x, y, p, demand, w, stages, rtol, floors):
    """Return the error of a step of dop853 relative to the tolerance."""
    size, n = x.size, int(shared(p, N_INTERNAL))
    own = max(_hub_momentum(x, p, demand, w), _hub_momentum(y, p, demand, w), floors[0])
    low, high = _weighed(0, 3, size, stages, rtol * own + ROUNDING * _size(0, 3, x, y))
    a, b = _block(3, 7, size, x, y, stages, rtol, spread(1.0))
    low, high = low + a, high + b
    for row in range(3, floors.size, 4):
        first, last = INTERNAL + int(shared(floors, row)), INTERNAL + int(shared(floors, row + 1))
        if shared(floors, row + 2) > 0.0:  # the motion depends on the coordinates
            a, b = _block(first, last, size, x, y, stages, rtol, floors[row + 2])
            low, high = low + a, high + b
        a, b = _block(first + n, last + n, size, x, y, stages, rtol, floors[row + 3])
        low, high = low + a, high + b
    none = (low == 0.0) & (high == 0.0)
    return select(none, spread(0.0), abs(h) * high / math.sqrt((high + 0.01 * low) * 2.0))


@kernel
def pack_dense_prepare(h, x, y, u, p, demand, w, stages, slope, dense, between):
    """Compute the polynomial `dense` of the step from x to y; row 12 of stages holds the derivative at y.

    slope, between: workspace; the rows of `dense` are consecutive.
    """
    n = x.size
    for s in range(13, 16):
        for i in range(n):
            total = spread(0.0)
            for m in range(s):
                total = total + A[s, m] * stages[m * n + i]
            between[i] = x[i] + h * total
        pack_derivative(between, u, p, demand, w, slope)
        copy_rows(slope, 0, stages, s * n, n)
    for i in range(n):
        step = y[i] - x[i]
        dense[i] = step
        dense[n + i] = h * stages[i] - step
        dense[2 * n + i] = 2.0 * step - h * (stages[12 * n + i] + stages[i])
        for r in range(4):
            total = spread(0.0)
            for m in range(16):
                total = total + D[r, m] * stages[m * n + i]
            dense[(3 + r) * n + i] = h * total


@kernel
def pack_dense_output(theta, x, dense, out):
    """Write to `out` the state, not normalised, at the fraction theta of a step that starts at x."""
    one, n = 1.0 - theta, x.size
    for i in range(n):
        value = dense[6 * n + i]
        value = value * theta + dense[5 * n + i]
        value = value * one + dense[4 * n + i]
        value = value * theta + dense[3 * n + i]
        value = value * one + dense[2 * n + i]
        value = value * theta + dense[n + i]
        value = value * one + dense[i]
        out[i] = x[i] + theta * value
