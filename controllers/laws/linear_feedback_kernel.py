# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel of linear feedback: v = C x + D y, u = u_ff + v, x+ = A x + B y + T (saturated u - u)."""

from typing import Any

from ...plant.kernels.fields import fields, row_times, three
from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import shared
from ...plant.loads.torque.torque_limits import within
from .error_attitude import error_cover
from .feed_forward import FEED, feed_forward
from .saturation import saturated

HEAD = fields(feed=FEED.size, limits=3, states=1, measured=1, keep=1)
"""Layout of the head of q: feed-forward, torque limits, number n of states, number e of measured internal states,
saturation mode."""


@kernel(lanes=True)
def linear_feedback_kernel(t: Any, y: Any, r: Any, q: Any, z: Any, u: Any) -> None:
    """Evaluate a linear law and update its states.

    q is HEAD, then indices (e) and operating values (e) of internal states, A, B, C, D, T (by rows) and the torque
    envelope. z is [x (n), next x (n), measurement (6 + e)], with measurement [delta; omega - omega_ref; internal
    states].
    """
    n = int(shared(q, HEAD.states).real)
    e = int(shared(q, HEAD.measured).real)
    keep = int(shared(q, HEAD.keep).real)
    m = 6 + e
    places = HEAD.size
    a = places + 2 * e
    b = a + n * n
    c = b + n * m
    d = c + 3 * n
    track = d + 3 * m
    seen = 2 * n

    s, _, d1, d2, d3 = error_cover(y, r)
    s = 2.0 * s
    v0, v1, v2 = y[7] - r[4], y[8] - r[5], y[9] - r[6]
    z[seen], z[seen + 1], z[seen + 2] = s * d1, s * d2, s * d3
    z[seen + 3], z[seen + 4], z[seen + 5] = v0, v1, v2
    for k in range(e):
        z[seen + 6 + k] = y[int(shared(q, places + k).real)] - q[places + e + k]
    # The three sums are interleaved to hide the latency of their additions. The attitude is the last result of an
    # integration step, so its terms are added last.
    u0, u1, u2 = feed_forward(y, r, q)
    for k in range(n):
        part = z[k]
        u0, u1, u2 = u0 + q[c + k] * part, u1 + q[c + n + k] * part, u2 + q[c + 2 * n + k] * part
    for k in range(6, m):
        part = z[seen + k]
        u0, u1, u2 = u0 + q[d + k] * part, u1 + q[d + m + k] * part, u2 + q[d + 2 * m + k] * part
    u0 = u0 + row_times(q, d + 3, v0, v1, v2) + s * row_times(q, d, d1, d2, d3)
    u1 = u1 + row_times(q, d + m + 3, v0, v1, v2) + s * row_times(q, d + m, d1, d2, d3)
    u2 = u2 + row_times(q, d + 2 * m + 3, v0, v1, v2) + s * row_times(q, d + 2 * m, d1, d2, d3)
    u[0], u[1], u[2] = u0, u1, u2  # the engine clips each component at its limit, then applies the envelope
    if n > 0 or keep != 0:
        l0, l1, l2 = three(q, HEAD.limits)
        w0, w1, w2 = saturated(keep, l0, l1, l2, u0, u1, u2)
        if track + 3 * n < q.size:
            share = within(q, track + 3 * n, w0, w1, w2)
            w0, w1, w2 = share * w0, share * w1, share * w2
        for i in range(n):
            total = q[track + 3 * i] * (w0 - u0) + q[track + 3 * i + 1] * (w1 - u1) + q[track + 3 * i + 2] * (w2 - u2)
            for k in range(n):
                total = total + q[a + i * n + k] * z[k]
            for k in range(m):
                total = total + q[b + i * m + k] * z[seen + k]
            z[n + i] = total
        for i in range(n):
            z[i] = z[n + i]
        if keep != 0:
            u[0], u[1], u[2] = w0, w1, w2
