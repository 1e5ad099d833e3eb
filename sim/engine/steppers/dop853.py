# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Error estimate and dense output of the Dormand-Prince method of order 8(5, 3).

The step itself is taken by `explicit_step`, as for any explicit tableau. The same formula at fixed steps, without the
estimate, is the method "rk8".

The error norm is computed by blocks, each scaled by its own norm, so that the steps do not depend on the orientation
of the axes: momentum by |pi|, Euler parameters by 1, position by |c|, linear momentum by |P|. Each scale has a floor.
The ledger does not contribute.

For a spacecraft with elements, the error of the momentum is scaled by |J omega| with all elements locked. The momentum
pi includes the momentum of the wheels, so that with a fast wheel a scale of |pi| would hide errors of the hub.
No block requires more accuracy than the round-off of pi allows. Coordinates and momenta of each element are separate
blocks with separate scales, one per unit. A coordinate that does not affect the motion (the growing angle of a wheel)
does not contribute.
"""

import math

from ....plant.hub.dynamics import body_rate, derivative
from ....plant.hub.parameters import INTERNAL, LOCKED, N_INTERNAL, POSITION, TRANSLATION
from ....plant.kernels.kernel import kernel
from ..indices import DOP853
from .dop853_coefficients import E3, E5, A, B, C, D
from .stepper import Stepper

ROUNDING = 1e-15  # relative round-off of pi in a step
STAGES = 16  # twelve for the step, one at its end, three for the dense output
DENSE = 7

STEPPER = Stepper(
    name="dop853",
    words="Dormand-Prince of order 8(5, 3) with adaptive steps within rtol",
    order=8,
    a=A[:12, :12],
    b=B,
    c=C[:12],
    method=DOP853,
)


@kernel
def _size(first, last, x, y):
    """Return the larger norm of entries first to last - 1 at the ends x and y of a step."""
    size_x = 0.0
    size_y = 0.0
    for i in range(first, last):
        size_x += x[i] * x[i]
        size_y += y[i] * y[i]
    return math.sqrt(max(size_x, size_y))


@kernel
def _weighed(first, last, stages, scale):
    """Return the squared error estimates of entries first to last - 1, relative to the tolerance `scale`."""
    low = 0.0
    high = 0.0
    for i in range(first, last):
        three = 0.0
        five = 0.0
        for m in range(12):
            three += E3[m] * stages[m, i]
            five += E5[m] * stages[m, i]
        low += three * three
        high += five * five
    return low / (scale * scale), high / (scale * scale)


@kernel
def _block(first, last, x, y, stages, rtol, floor):
    """Return the squared error estimates of a block relative to the norm of its entries."""
    return _weighed(first, last, stages, rtol * max(_size(first, last, x, y), floor))


@kernel
def _hub_momentum(t, x, u, p, w):
    """Return |J omega|, the momentum of the spacecraft with all elements locked to the hub."""
    w0, w1, w2 = body_rate(t, x, u, p, w)
    total = 0.0
    for i in range(3):
        part = p[LOCKED + 3 * i] * w0 + p[LOCKED + 3 * i + 1] * w1 + p[LOCKED + 3 * i + 2] * w2
        total += part * part
    return math.sqrt(total)


@kernel
def dop853_error(t, h, x, y, u, p, w, stages, rtol, floors):
    """Return the error of a step relative to the tolerance (1: just accepted); NaN for a failed step.

    floors: floors of momentum, position and linear momentum; then four numbers for each group of coordinates of an
    element: index of the first, end index, floor of the coordinates (0: they do not contribute), floor of the momenta;
    then for each block of an element's own states: its index in x, negative, its end index and its floor.
    """
    n = int(p[N_INTERNAL])
    if n == 0:
        low, high = _block(0, 3, x, y, stages, rtol, floors[0])
    else:
        own = max(_hub_momentum(t, x, u, p, w), _hub_momentum(t + h, y, u, p, w), floors[0])
        low, high = _weighed(0, 3, stages, rtol * own + ROUNDING * _size(0, 3, x, y))
    a, b = _block(3, 7, x, y, stages, rtol, 1.0)
    low += a
    high += b
    for row in range(3, floors.size, 4):  # added without averaging: a mean over many blocks would hide a single error
        if floors[row] < 0.0:  # block of an element's own states
            a, b = _block(-int(floors[row]), int(floors[row + 1]), x, y, stages, rtol, floors[row + 2])
            low += a
            high += b
            continue
        first, last = INTERNAL + int(floors[row]), INTERNAL + int(floors[row + 1])
        if floors[row + 2] > 0.0:
            a, b = _block(first, last, x, y, stages, rtol, floors[row + 2])
            low += a
            high += b
        a, b = _block(first + n, last + n, x, y, stages, rtol, floors[row + 3])
        low += a
        high += b
    blocks = 2.0
    if p[TRANSLATION] != 0.0:
        c = int(p[POSITION])
        a, b = _block(c, c + 3, x, y, stages, rtol, floors[1])
        low += a
        high += b
        a, b = _block(c + 3, c + 6, x, y, stages, rtol, floors[2])
        low += a
        high += b
        blocks += 2.0
    if low == 0.0 and high == 0.0:
        return 0.0
    return abs(h) * high / math.sqrt((high + 0.01 * low) * blocks)


@kernel
def dense_prepare(t, h, x, y, u, p, user, w, stages, dense, tmp):
    """Compute the polynomial `dense` of the step from x to y; stages[12] holds the derivative at y."""
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
    """Write to `out` the state at the fraction theta of a step that starts at x."""
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
