# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel of a rate gyro."""

import math

from ....plant.kernels.fields import fields, matrix_times, three, transposed_times
from ....plant.kernels.kernel import kernel
from ....plant.kernels.lanes import select, shared
from ...contracts.block_draws import draw_normals
from ..estimators.observation import MESSAGE
from .sensor_kernels import (
    SENSOR,
    attitude_at_place,
    gauss_markov,
    rate_at_place,
    rounded,
    send,
    turned_between,
)

GYRO = fields(
    head=SENSOR.size, period=1, angle_random_walk=1, rate_random_walk=1, bias=1, flicker=1, correlation_time=1, step=1,
    rate_step=1, limit=1, errors=9, mounting=9,
)  # fmt: skip
GYRO_MEMORY = fields(count=1, last=3, time=1, attitude=4, bias=3, flicker=3, rest=3)
STARTS, FLICKERS = 3, 6  # first channels of initial values and flicker, after the random walks of each axis


@kernel(lanes=True)
def gyro_kernel(t, y, q, z, v):
    """y = attitude, rate [, modes] -> v = mean rate since the last sample, validity flag, time [, true bias].

    Computation is in sensor axes; output and bias are in body axes. The first sample assumes that the spacecraft
    rotated at the current rate for one period. The true bias is written if v has room for it.
    """
    first = shared(z, 0) == 0.0
    e0, e1, e2, e3 = attitude_at_place(y, q)
    k = GYRO_MEMORY.attitude
    if first:
        T = shared(q, GYRO.period)
        w0, w1, w2 = rate_at_place(y, q)
        a0, a1, a2 = w0 * T, w1 * T, w2 * T
    else:
        T = t - shared(z, GYRO_MEMORY.time)
        a0, a1, a2 = turned_between(z[k], z[k + 1], z[k + 2], z[k + 3], e0, e1, e2, e3)
    z[GYRO_MEMORY.time] = t
    z[k], z[k + 1], z[k + 2], z[k + 3] = e0, e1, e2, e3
    a0, a1, a2 = transposed_times(q, GYRO.mounting, a0, a1, a2)
    a0, a1, a2 = matrix_times(q, GYRO.errors, a0, a1, a2)
    beyond = 0.0
    for n in range(3):
        one, other = draw_normals(q, shared(z, 0), n)
        bias, flicker = GYRO_MEMORY.bias + n, GYRO_MEMORY.flicker + n
        mean = 0.0
        if first:
            start, more = draw_normals(q, 0, STARTS + n)
            z[bias], z[flicker] = q[GYRO.bias] * start, q[GYRO.flicker] * more
            mean = z[flicker]
        elif shared(q, GYRO.flicker) > 0.0:
            c, d = draw_normals(q, shared(z, 0), FLICKERS + n)
            z[flicker], mean = gauss_markov(z[flicker], q[GYRO.flicker], T / shared(q, GYRO.correlation_time), c, d)
        # given the bias step, the angle has a mean of T/2 times the step, and this remaining variance
        walk = q[GYRO.rate_random_walk]
        step = 0.0 if first else walk * math.sqrt(T) * one
        angle = (z[bias] + 0.5 * step + mean) * T
        angle += math.sqrt(q[GYRO.angle_random_walk] ** 2 * T + walk * walk * T * T * T / 12.0) * other
        z[bias] += step
        angle += a0 if n == 0 else a1 if n == 1 else a2
        if shared(q, GYRO.step) > 0.0:  # whole counts; the remainder is carried to the next reading
            angle += z[GYRO_MEMORY.rest + n]
            whole = rounded(angle, shared(q, GYRO.step))
            z[GYRO_MEMORY.rest + n] = 0.0 if first else angle - whole
            angle = whole
        v[n] = rounded(angle / T, shared(q, GYRO.rate_step))
        limit = shared(q, GYRO.limit)
        if limit > 0.0:
            over = abs(v[n]) > limit
            v[n] = select(over, select(v[n] < 0.0, -limit, limit), v[n])
            beyond = select(over, 1.0, beyond)
    v[0], v[1], v[2] = matrix_times(q, GYRO.mounting, v[0], v[1], v[2])
    send(t, q, z, v, 3, 1.0)
    if v.size > 3:
        v[3] = select(beyond > 0.0, 0.0, v[3])
    if v.size > 3 + MESSAGE:
        b0, b1, b2 = three(z, GYRO_MEMORY.bias)
        f0, f1, f2 = three(z, GYRO_MEMORY.flicker)
        v[5], v[6], v[7] = matrix_times(q, GYRO.mounting, b0 + f0, b1 + f1, b2 + f2)
