# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernels of the complementary filter: the extended filter with constant gains."""

import math

from ....plant.kernels.kernel import kernel
from ....plant.kernels.rotation import compose, to_body
from .mekf_kernel import ATTITUDE, BIAS, SIGHTING, turn_by


@kernel
def fixed_propagate(x, r0, r1, r2, T):
    """Propagate the attitude by a measured rate minus the bias."""
    turn_by(x, ATTITUDE, (r0 - x[BIAS]) * T, (r1 - x[BIAS + 1]) * T, (r2 - x[BIAS + 2]) * T)


@kernel
def fixed_receive(x, row, at, attitude_gain, bias_gain):
    """Rotate the attitude by a fraction of the residual, and correct the bias in proportion to it."""
    e0, e1, e2, e3 = x[0], x[1], x[2], x[3]
    if row[at + SIGHTING.direction] != 0.0:
        w0, w1, w2 = row[at], row[at + 1], row[at + 2]
        b0, b1, b2 = to_body(e0, e1, e2, e3, row[at + 3], row[at + 4], row[at + 5])
        y0, y1, y2 = w1 * b2 - w2 * b1, w2 * b0 - w0 * b2, w0 * b1 - w1 * b0  # w ~ b + b x a
    else:
        d0, d1, d2, d3 = compose(e0, -e1, -e2, -e3, row[at], row[at + 1], row[at + 2], row[at + 3])
        if d0 < 0.0:
            d0, d1, d2, d3 = -d0, -d1, -d2, -d3
        size = math.sqrt(d1 * d1 + d2 * d2 + d3 * d3)
        share = 2.0 / d0 if size < 1e-12 else 2.0 * math.atan2(size, d0) / size
        y0, y1, y2 = share * d1, share * d2, share * d3
    x[BIAS] -= bias_gain * y0
    x[BIAS + 1] -= bias_gain * y1
    x[BIAS + 2] -= bias_gain * y2
    turn_by(x, ATTITUDE, attitude_gain * y0, attitude_gain * y1, attitude_gain * y2)
    return 0.0
