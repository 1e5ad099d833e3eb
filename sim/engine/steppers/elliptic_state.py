# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Torque-free motion of `FreeMotion` as a kernel: constants of the motion, and the state at t.

The constants of a `polhode.plant.attitude.free_motion.FreeMotion` are computed once, at the start of the motion. The
state at t requires a few circular functions and one of Carlson's integrals, and no error accumulates over time.
"""

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....plant.attitude import conjugate, from_euler_angles, from_rotation_matrix, quaternion_product
from ....plant.kernels.fields import fields
from ....plant.kernels.kernel import kernel
from ....plant.kernels.rotation import compose
from .carlson import r_j

if TYPE_CHECKING:
    from ....plant.attitude.free_motion import FreeMotion

SPARE = 5
"""Length of the workspace of `elliptic_state`."""

MEANS = 12
AT = fields(
    steady=1, complement=1, frequency=1, start=1, period=1, whole=1, ratio=1, base=1, extra=1, turned=1, amplitudes=3,
    outer=4, inner=4, triad=9, count=1, last=1, means=2 * MEANS,
)  # fmt: skip
FAR = 20.0
"""Argument beyond which sech is below 5e-9, and its square below round-off."""


def elliptic_constants(motion: "FreeMotion") -> NDArray[np.float64]:
    """Return the constants of a motion for `elliptic_state`."""
    from ....plant.attitude.free_motion.jacobi import (
        arithmetic_geometric,
        half_period,
    )  # imported here because the import takes long

    path, q = motion.path, np.zeros(AT.size)
    inner = conjugate(from_rotation_matrix(path.triad))
    first = quaternion_product(from_euler_angles(path.angles(np.zeros(())), "3-1-3"), inner)
    q[AT.steady], q[AT.complement] = path.name == "steady", path.complement
    q[AT.frequency], q[AT.start], q[AT.ratio] = path.frequency, path.start, path.ratio
    q[AT.base], q[AT.extra] = path.base_rate, path.extra_rate
    q[AT.amplitudes : AT.amplitudes + 3] = path.amplitudes
    q[AT.triad : AT.triad + 9] = path.triad.ravel()
    q[AT.inner : AT.inner + 4] = inner
    q[AT.outer : AT.outer + 4] = quaternion_product(motion.initial_attitude, conjugate(first))
    if path.name != "steady" and path.complement > 0.0:
        q[AT.period] = half_period(path.complement)
        q[AT.whole] = 2.0 / 3.0 * r_j(0.0, path.complement, 1.0, path.ratio)
        means, q[AT.last] = arithmetic_geometric(path.complement)
        q[AT.count] = len(means)
        q[AT.means : AT.means + 2 * len(means)] = np.ravel(means)
    if path.name != "steady":
        values = np.zeros(SPARE)
        _jacobi(path.start, q, values)
        q[AT.turned] = _third_kind(path.start, q, values)
    return q


@kernel
def _jacobi(u, q, values):
    """Write sn, cn, dn, the number of half periods in u, and the remainder to values; see `jacobi`."""
    if q[AT.complement] == 0.0:
        far = min(max(u, -700.0), 700.0)
        sech = 1.0 / math.cosh(far)
        values[0], values[1], values[2], values[3], values[4] = math.tanh(u), sech, sech, 0.0, u
        return
    halves = math.floor(u / q[AT.period] + 0.5)
    rest = u - halves * q[AT.period]
    c, n = q[AT.last], int(q[AT.count])
    sine, cosine = math.sin(c * rest), math.cos(c * rest)
    sn, cn, dn = rest, 1.0, 1.0
    if abs(sine) >= 1e-150:
        cot = cosine / sine
        back = c * cot
        for k in range(n - 1, -1, -1):
            b, root = q[AT.means + 2 * k], q[AT.means + 2 * k + 1]
            cot = cot * back
            back = back * dn
            dn = (root + cot) / (b + cot)
            cot = back / b
        size = 1.0 / math.sqrt(back * back + 1.0)
        sn = size if sine > 0.0 else -size
        cn = back * sn
    sign = 1.0 if halves - 2.0 * math.floor(0.5 * halves) == 0.0 else -1.0
    values[0], values[1], values[2], values[3], values[4] = sign * sn, sign * cn, dn, halves, rest


@kernel
def _third_kind(u, q, values):
    """Return the integral of sn^2 / (cn^2 + ratio sn^2) from 0 to u; values: from `_jacobi` at u."""
    sn, cn, ratio, beyond = values[0], values[1], q[AT.ratio], 0.0
    if q[AT.complement] == 0.0:
        near = min(max(u, -FAR), FAR)
        sn, cn = math.tanh(near), 1.0 / math.cosh(near)
        beyond = (u - near) / ratio
    elif values[3] - 2.0 * math.floor(0.5 * values[3]) != 0.0:
        sn = -sn
    s2, c2 = sn * sn, cn * cn
    inside = sn * s2 / 3.0 * r_j(c2, c2 + q[AT.complement] * s2, 1.0, c2 + ratio * s2)
    return values[3] * q[AT.whole] + inside + beyond


@kernel
def elliptic_state(t, q, values, y):
    """Write momentum (body axes) and Euler parameters at the time t since the start to y[:7]; values: workspace."""
    a = AT.amplitudes
    x0, x1, x2 = q[a], q[a + 1], q[a + 2]
    phi, psi = q[AT.base] * t, 0.0
    if q[AT.steady] != 0.0:
        psi = math.atan2(x0, x1)
    else:
        u = q[AT.frequency] * t + q[AT.start]
        _jacobi(u, q, values)
        sn, cn, halves = values[0], values[1], values[3]
        even = 1.0 if halves - 2.0 * math.floor(0.5 * halves) == 0.0 else -1.0
        psi = math.pi * (halves - 4.0 * math.floor(0.25 * halves + 0.5))
        psi += math.atan2(math.sqrt(q[AT.ratio]) * sn * even, abs(cn))
        if x0 * x1 < 0.0:
            psi = -psi
        if x1 < 0.0:
            psi += math.pi
        phi += q[AT.extra] / q[AT.frequency] * (_third_kind(u, q, values) - q[AT.turned])
        x0, x1, x2 = x0 * sn, x1 * cn, x2 * values[2]
    for i in range(3):
        k = AT.triad + 3 * i
        y[i] = q[k] * x0 + q[k + 1] * x1 + q[k + 2] * x2
    half = 0.5 * math.atan2(math.sqrt(x0 * x0 + x1 * x1), x2)
    c, s, more, less = math.cos(half), math.sin(half), 0.5 * (phi + psi), 0.5 * (phi - psi)
    k, m = AT.outer, AT.inner
    e0, e1, e2, e3 = compose(
        q[k], q[k + 1], q[k + 2], q[k + 3],
        c * math.cos(more), s * math.cos(less), s * math.sin(less), c * math.sin(more),
    )  # fmt: skip
    y[3], y[4], y[5], y[6] = compose(e0, e1, e2, e3, q[m], q[m + 1], q[m + 2], q[m + 3])
