# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel of a gain schedule: law parameters interpolated linearly over a scheduling variable."""

from typing import Any

from ...plant.kernels.fields import fields, row_times, three
from ...plant.kernels.kernel import kernel
from ..contracts.kernel_call import call_law

RATE, REFERENCE_RATE, MOMENTUM, PARAMETER = range(4)
"""Codes of the scheduling variable."""

AT = fields(code=1, law=1, memory=1, points=1, variable=1, axis=3, inertia=9, rows=1)
"""Head of q: kernel, number of parameters and size of the memory of the scheduled law; number of points; variable, axis
and inertia; number of rows of the parameter's table.

The values of the variable at the points follow, then times and values of the table, then the parameters of the laws,
point by point."""

RECORD = fields(beyond=1, value=1, first=1)
"""End of z: largest distance of the variable from the range of the points (0: never outside), the variable at that
sample, and time of the first sample outside, s."""

OUTSIDE = 0.01
"""Distance that counts as outside, relative to the range of the points."""


@kernel
def _variable(t, y, r, q):
    """Return the scheduling variable."""
    kind = int(q[AT.variable])
    a0, a1, a2 = three(q, AT.axis)
    w0, w1, w2 = y[7], y[8], y[9]
    value = a0 * w0 + a1 * w1 + a2 * w2
    if kind == REFERENCE_RATE:
        value = 0.0 * w0 + a0 * r[4] + a1 * r[5] + a2 * r[6]
    if kind == MOMENTUM:
        h0 = y[0] - row_times(q, AT.inertia, w0, w1, w2)
        h1 = y[1] - row_times(q, AT.inertia + 3, w0, w1, w2)
        h2 = y[2] - row_times(q, AT.inertia + 6, w0, w1, w2)
        value = a0 * h0 + a1 * h1 + a2 * h2
    if kind == PARAMETER:
        rows = int(q[AT.rows])
        times = AT.size + int(q[AT.points])
        values = times + rows
        value = 0.0 * w0 + q[values]
        for k in range(1, rows):
            if t >= q[times + k - 1]:
                share = min((t - q[times + k - 1]) / (q[times + k] - q[times + k - 1]), 1.0)
                value = 0.0 * w0 + (1.0 - share) * q[values + k - 1] + share * q[values + k]
    return value


@kernel
def _record(t, value, q, z, at):
    """Update the record in z[at:] if the variable is outside the range of the points."""
    low, high = q[AT.size], q[AT.size + int(q[AT.points]) - 1]
    beyond = max(low - value.real, value.real - high)
    if beyond > OUTSIDE * (high - low) and beyond > z[at + RECORD.beyond].real:
        if z[at + RECORD.beyond].real == 0.0:
            z[at + RECORD.first] = t
        z[at + RECORD.beyond], z[at + RECORD.value] = beyond, value


@kernel
def gain_schedule_kernel(t: Any, y: Any, r: Any, q: Any, z: Any, u: Any) -> None:
    """Interpolate the parameters of the law, then call it; z: memory of the law, then its parameters and `RECORD`.

    Outside the range of the points, the parameters of the nearest point apply. At a point they equal the parameters of
    its law exactly.
    """
    many, size, points = int(q[AT.law]), int(q[AT.memory]), int(q[AT.points])
    value = _variable(t, y, r, q)
    _record(t, value, q, z, size + many)
    low = 0
    for k in range(1, points - 1):
        if value.real >= q[AT.size + k]:
            low = k
    start, end = q[AT.size + low], q[AT.size + low + 1]
    share = (value - start) / (end - start)
    if share.real <= 0.0:
        share = 0.0 * share
    elif share.real >= 1.0:
        share = 0.0 * share + 1.0
    first = AT.size + points + 2 * int(q[AT.rows]) + low * many
    for k in range(many):
        a, b = q[first + k], q[first + many + k]
        if a == b:
            z[size + k] = a  # also keeps sizes and indices integer-valued
        else:
            z[size + k] = (1.0 - share) * a + share * b
    call_law(q[AT.code], t, y, r, z[size : size + many], z[0:size], u)
