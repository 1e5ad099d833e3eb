# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Functions shared by the sensor kernels: lost samples, messages, rotations, Gauss-Markov errors.

In every sensor kernel q begins with SENSOR and ends with the outages, and z begins with the sample count and the last
valid measurement. The output v consists of measurement, validity flag and measurement time.

A sensor whose place rotates with vibration modes has the modal slopes (three numbers per mode) in q just before the
outages, and y ends with the modal coordinates, then the modal rates.
"""

import math

from ....plant.kernels.fields import fields, matrix_times, transposed_times
from ....plant.kernels.kernel import kernel
from ....plant.kernels.lanes import select, shared
from ....plant.kernels.rotation import compose, rotation_row, to_body
from ...contracts.block_draws import DRAW, draw_normals, draw_uniforms
from ...guidance.inertial_vector_kernel import inertial_vector
from ..estimators.mekf_kernel import angle_share, half_sine

SENSOR = fields(draw=DRAW.size, loss=1, outages=1, modes=1)
"""Head of q: random words, probability that a sample is lost, number of outages at the end of q, number of modes that
rotate the place of the sensor."""

CHANCE = 60_000  # random number channel for lost samples


@kernel
def _is_received(t, q, count, seen):
    """Return `seen`, or 0 if the sample is lost."""
    outages = int(shared(q, SENSOR.outages))
    first = q.size - 2 * outages
    for n in range(outages):
        if shared(q, first + 2 * n) <= t < shared(q, first + 2 * n + 1):
            return 0.0
    if shared(q, SENSOR.loss) > 0.0:
        u, _ = draw_uniforms(q, count, CHANCE)
        return select(u < q[SENSOR.loss], 0.0, seen)
    return seen


@kernel
def send(t, q, z, v, width, seen):
    """Complete the message and count the sample; the last valid measurement replaces an invalid one.

    seen: 1 if the measurement is valid, else 0 -> the same flag, but 0 if the sample is lost.
    """
    good = _is_received(t, q, shared(z, 0), seen)
    for n in range(width):
        z[1 + n] = select(good > 0.0, v[n], z[1 + n])
        v[n] = z[1 + n]
    if v.size > width:
        v[width] = good
        v[width + 1] = t
    z[0] += 1.0
    return good


@kernel
def tell(t, q, z, v, width, seen):
    """Like `send`, but with truth values: whether the measurement is valid -> whether it is sent."""
    return send(t, q, z, v, width, 1.0 if seen else 0.0) > 0.0


@kernel
def rotated(e0, e1, e2, e3, a0, a1, a2):
    """Return the Euler parameters e o Exp(a)."""
    size = math.sqrt(a0 * a0 + a1 * a1 + a2 * a2)
    share = half_sine(size)
    return compose(e0, e1, e2, e3, math.cos(0.5 * size), share * a0, share * a1, share * a2)


@kernel
def _modal_sum(y, q, first):
    """Return the sum of the modal slopes, each times its entry of y from index `first` on."""
    modes = int(shared(q, SENSOR.modes))
    slope = q.size - 2 * int(shared(q, SENSOR.outages)) - 3 * modes
    a0, a1, a2 = 0.0 * y[0], 0.0 * y[0], 0.0 * y[0]
    for n in range(modes):
        eta = y[first + n]
        a0 += q[slope + 3 * n] * eta
        a1 += q[slope + 3 * n + 1] * eta
        a2 += q[slope + 3 * n + 2] * eta
    return a0, a1, a2


@kernel
def attitude_at_place(y, q):
    """Return the attitude of the structure at the sensor: y[:4] o Exp(sum of slopes times modal coordinates)."""
    e0, e1, e2, e3 = y[0], y[1], y[2], y[3]
    modes = int(shared(q, SENSOR.modes))
    if modes > 0:
        a0, a1, a2 = _modal_sum(y, q, y.size - 2 * modes)
        e0, e1, e2, e3 = rotated(e0, e1, e2, e3, a0, a1, a2)
    return e0, e1, e2, e3


@kernel
def rate_at_place(y, q):
    """Return the angular velocity of the structure at the sensor, in axes that rotate with it.

    With the small rotation a from hub to place, this is omega + omega x a + da/dt to first order in a.
    """
    w0, w1, w2 = y[4], y[5], y[6]
    modes = int(shared(q, SENSOR.modes))
    if modes > 0:
        a0, a1, a2 = _modal_sum(y, q, y.size - 2 * modes)
        b0, b1, b2 = _modal_sum(y, q, y.size - modes)
        w0, w1, w2 = (
            w0 + w1 * a2 - w2 * a1 + b0,
            w1 + w2 * a0 - w0 * a2 + b1,
            w2 + w0 * a1 - w1 * a0 + b2,
        )
    return w0, w1, w2


@kernel
def turned_between(e0, e1, e2, e3, f0, f1, f2, f3):
    """Return the rotation vector of the shorter rotation from e to f, the same in both frames."""
    d0, d1, d2, d3 = compose(e0, -e1, -e2, -e3, f0, f1, f2, f3)
    other = d0 < 0.0
    d0, d1, d2, d3 = select(other, -d0, d0), select(other, -d1, d1), select(other, -d2, d2), select(other, -d3, d3)
    share = angle_share(d0, math.sqrt(d1 * d1 + d2 * d2 + d3 * d3))
    return share * d1, share * d2, share * d3


@kernel
def gauss_markov(now, sigma, x, one, other):
    """Return a first-order Gauss-Markov error after x correlation times, and its mean over this time.

    Both are drawn from their exact joint distribution, using two standard normal numbers `one` and `other`. With
    p = e^-x the step has variance sigma^2 (1 - p^2), the random part of the mean sigma^2 (2 x - 3 + 4 p - p^2)/x^2, and
    their covariance is sigma^2 (1 - p)^2/x.
    """
    p = math.exp(-x)
    lost = -math.expm1(-x)
    spread = (
        x * (2.0 / 3.0 - x * (0.5 - x * (7.0 / 30.0 - x / 12.0)))
        if x < 0.01
        else (2.0 * x - 3.0 + 4.0 * p - p * p) / (x * x)
    )
    first = sigma * math.sqrt(lost * (1.0 + p))
    shared = sigma * lost * lost / (x * math.sqrt(lost * (1.0 + p)))
    rest = sigma * sigma * spread - shared * shared
    after = p * now + first * one
    return after, now * lost / x + shared * one + math.sqrt(max(rest, 0.0)) * other


@kernel
def gauss_markov_at(t, q, z, at, before, sigma, time, channel):
    """Advance the Gauss-Markov error in z[at] from time z[before] to t; initialise it at the first sample."""
    if sigma > 0.0:
        one, other = draw_normals(q, shared(z, 0), channel)
        if shared(z, 0) == 0.0:
            z[at] = sigma * one
        else:
            z[at], _ = gauss_markov(z[at], sigma, (t - shared(z, before)) / time, one, other)
    return z[at]


@kernel
def rounded(a, step):
    """Return the nearest multiple of step, or a itself if step is zero."""
    return step * math.floor(a / step + 0.5) if step > 0.0 else a


@kernel
def boresight(e0, e1, e2, e3, q, at):
    """Return the z axis of a sensor, whose mounting is at q[at], in inertial components."""
    b0, b1, b2 = matrix_times(q, at, 0.0, 0.0, 1.0)
    x0, x1, x2 = rotation_row(0, e0, e1, e2, e3)
    y0, y1, y2 = rotation_row(1, e0, e1, e2, e3)
    z0, z1, z2 = rotation_row(2, e0, e1, e2, e3)
    return x0 * b0 + x1 * b1 + x2 * b2, y0 * b0 + y1 * b1 + y2 * b2, z0 * b0 + z1 * b1 + z2 * b2


@kernel(inline=True)
def in_sensor_axes(t, y, q, source, mounting):
    """Return an inertial vector in sensor axes; source, mounting: starts of its parameters and of the matrix in q."""
    s0, s1, s2 = inertial_vector(t, y, q, source)
    e0, e1, e2, e3 = attitude_at_place(y, q)
    s0, s1, s2 = to_body(e0, e1, e2, e3, s0, s1, s2)
    return transposed_times(q, mounting, s0, s1, s2)
