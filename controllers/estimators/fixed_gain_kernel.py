# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The complementary filter on scalars: the extended filter with gains that do not change."""

import math

from ...plant.kernels.kernel import kernel
from ...plant.kernels.rotation import compose, to_body, to_inertial
from .mekf_kernel import ATTITUDE, BIAS, CLONES, SIGHTING, turn_by

__all__ = ["fixed_clone", "fixed_propagate", "fixed_receive"]


@kernel
def fixed_propagate(x, r0, r1, r2, T):
    """Turn by a measured rate less the bias."""
    turn_by(x, ATTITUDE, (r0 - x[BIAS]) * T, (r1 - x[BIAS + 1]) * T, (r2 - x[BIAS + 2]) * T)


@kernel
def fixed_clone(x, slot):
    """Keep the attitude of now: what is measured of it will come."""
    for m in range(4):
        x[CLONES + 4 * slot + m] = x[ATTITUDE + m]


@kernel
def fixed_receive(x, slots, slot, row, at, attitude_gain, bias_gain):
    """Turn all attitudes by a share of the residual, and take a share of it out of the bias."""
    k = ATTITUDE if slot < 0 else CLONES + 4 * slot
    e0, e1, e2, e3 = x[k], x[k + 1], x[k + 2], x[k + 3]
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
    y0, y1, y2 = to_inertial(e0, e1, e2, e3, y0, y1, y2)
    for part in range(-1, slots):
        k = ATTITUDE if part < 0 else CLONES + 4 * part
        a0, a1, a2 = to_body(x[k], x[k + 1], x[k + 2], x[k + 3], y0, y1, y2)
        if part < 0:
            x[BIAS] -= bias_gain * a0
            x[BIAS + 1] -= bias_gain * a1
            x[BIAS + 2] -= bias_gain * a2
        turn_by(x, k, attitude_gain * a0, attitude_gain * a1, attitude_gain * a2)
    return 0.0
