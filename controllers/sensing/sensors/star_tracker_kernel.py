# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel of a star tracker."""

import math

from ....plant.kernels.fields import fields, matrix_times
from ....plant.kernels.kernel import kernel
from ....plant.kernels.lanes import select, shared
from ...contracts.block_draws import draw_normals
from ...guidance.inertial_vector_kernel import VECTOR, inertial_vector
from .sensor_kernels import (
    SENSOR,
    attitude_at_place,
    boresight,
    gauss_markov_at,
    rate_at_place,
    rotated,
    send,
)

TRACKER = fields(
    head=SENSOR.size, noise=3, field=3, field_time=1, mounting=9, rate_limit=1, zones=1
)  # the exclusion zones follow
ZONE = fields(cosine=1, vector=VECTOR.size)
TRACKER_MEMORY = fields(count=1, last=4, time=1, field=3)
FIELDS = 2  # first random number channel of the field-of-view errors, after the noise channels


@kernel
def _blinded(t, y, q):
    """Return 1 where an exclusion zone contains the boresight, else 0."""
    blind = 0.0 * y[0]
    e0, e1, e2, e3 = attitude_at_place(y, q)
    b0, b1, b2 = boresight(e0, e1, e2, e3, q, TRACKER.mounting)
    for n in range(int(shared(q, TRACKER.zones))):
        at = TRACKER.size + n * ZONE.size
        s0, s1, s2 = inertial_vector(t, y, q, at + ZONE.vector)
        along = b0 * s0 + b1 * s1 + b2 * s2
        size = math.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
        inside = select(along > size * q[at + ZONE.cosine], 1.0, blind)
        blind = select(size > 0.0, inside, blind)
    return blind


@kernel(lanes=True)
def star_tracker_kernel(t, y, q, z, v):
    """y = attitude, rate, zone signals [, modes] -> v = attitude [, validity flag, time], if v has room."""
    n0, n1 = draw_normals(q, shared(z, 0), 0)
    n2, _ = draw_normals(q, shared(z, 0), 1)
    at, before, tau = TRACKER_MEMORY.field, TRACKER_MEMORY.time, shared(q, TRACKER.field_time)
    a0 = gauss_markov_at(t, q, z, at, before, shared(q, TRACKER.field), tau, FIELDS)
    a1 = gauss_markov_at(t, q, z, at + 1, before, shared(q, TRACKER.field + 1), tau, FIELDS + 1)
    a2 = gauss_markov_at(t, q, z, at + 2, before, shared(q, TRACKER.field + 2), tau, FIELDS + 2)
    z[before] = t
    k = TRACKER.noise
    a0, a1, a2 = matrix_times(q, TRACKER.mounting, a0 + q[k] * n0, a1 + q[k + 1] * n1, a2 + q[k + 2] * n2)
    e0, e1, e2, e3 = attitude_at_place(y, q)
    v[0], v[1], v[2], v[3] = rotated(e0, e1, e2, e3, a0, a1, a2)
    w0, w1, w2 = rate_at_place(y, q)
    fast = w0 * w0 + w1 * w1 + w2 * w2 > q[TRACKER.rate_limit] * q[TRACKER.rate_limit]
    send(t, q, z, v, 4, select(fast, 0.0, 1.0 - _blinded(t, y, q)))
