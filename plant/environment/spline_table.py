# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Uniform quintic B-spline through the rows of a table: four continuous derivatives, error of order h^6.

    y(t) = sum_k c[i + k] B_k(u),    u = (t - t_0)/h - i in [0, 1),    k = 0 ... 5

The table has extra rows before its start and after its end, where the knots are not uniform.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.fields import fields
from ..kernels.kernel import kernel

Array = NDArray[np.float64]

MARGIN = 12
"""Extra rows before the start and after the end."""

COLUMNS = fields(position=3, sun=3, field=3, wind=3, log_density=1)
"""Columns of the table, GCRF: position (m), vector from the spacecraft to the Sun (m), magnetic field (T), velocity
relative to the atmosphere (m/s), and the logarithm of the density in kg/m^3."""

SPLINE = fields(start=1, inverse_step=1, intervals=1)
"""Head of a table: start time of the first interval (s), 1/h (1/s), number of intervals. The local polynomials
follow."""


def spline_coefficients(rows: Callable[[Array], Array], start: float, stop: float, intervals: int) -> Array:
    """Return the coefficients of the spline, (intervals + 5, columns).

    rows: function from times (n,), s, to rows (n, columns); start, stop: interval, s; intervals: number of steps.
    """
    from scipy.interpolate import make_interp_spline

    step = (stop - start) / intervals
    times: Array = start + step * np.arange(-MARGIN, intervals + MARGIN + 1, dtype=np.float64)
    spline: Any = make_interp_spline(times, rows(times), k=5)
    first = int(np.searchsorted(spline.t, start - 0.5 * step))  # knot at the start
    return np.asarray(spline.c[first - 5 : first + intervals], dtype=np.float64)


@kernel
def spline_row(t, p, at):
    """Return the interval of time t in the table at `at`, and the fraction of the interval; -1 if outside."""
    place = (t - p[at + SPLINE.start]) * p[at + SPLINE.inverse_step]
    count = p[at + SPLINE.intervals]
    if not (place >= -1e-9 * count and place <= count * (1.0 + 1e-9)):
        return -1, 0.0
    row = int(max(min(place, count - 1.0), 0.0))
    return row, place - row


def spline_weights(u: Array) -> tuple[Array, ...]:
    """Return the values of the six basis functions at the fractions u (n,) of an interval."""
    v = 1.0 - u
    u2, v2 = u * u, v * v
    u3, v3 = u2 * u, v2 * v
    b0, b5 = v2 * v3 / 120.0, u2 * u3 / 120.0
    b1 = (26.0 - 50.0 * u + 20.0 * u2 + 20.0 * u3 - 20.0 * u2 * u2 + 5.0 * u2 * u3) / 120.0
    b2 = (66.0 - 60.0 * u2 + 30.0 * u2 * u2 - 10.0 * u2 * u3) / 120.0
    b3 = (66.0 - 60.0 * v2 + 30.0 * v2 * v2 - 10.0 * v2 * v3) / 120.0
    b4 = (26.0 - 50.0 * v + 20.0 * v2 + 20.0 * v3 - 20.0 * v2 * v2 + 5.0 * v2 * v3) / 120.0
    return b0, b1, b2, b3, b4, b5


def local_polynomials(coefficients: Array) -> Array:
    """Return the polynomials in u of each interval, (intervals, 6, columns), lowest power first.

    coefficients: of the B-spline, (intervals + 5, columns). Kernels evaluate polynomials twice as fast as the B-spline
    weights.
    """
    rows = np.lib.stride_tricks.sliding_window_view(coefficients, 6, axis=0)  # (intervals, columns, 6)
    return np.einsum("nck,kp->npc", rows, _POWERS)


_POWERS = (
    np.array((
        (1.0, -5.0, 10.0, -10.0, 5.0, -1.0),
        (26.0, -50.0, 20.0, 20.0, -20.0, 5.0),
        (66.0, 0.0, -60.0, 0.0, 30.0, -10.0),
        (26.0, 50.0, 20.0, -20.0, -20.0, 10.0),
        (1.0, 5.0, 10.0, 10.0, 5.0, -5.0),
        (0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
    ))
    / 120.0
)  # fmt: skip
"""Coefficients of the basis functions in powers of u, one row per function."""
