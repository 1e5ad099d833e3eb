# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Many classical Runge-Kutta steps of a body under a torque that is constant in body axes.

That is a sampled loop between two commands, the commonest thing the engine does. With nothing but the free body's
own equations the whole state stays in registers, which makes a step two to three times as fast as through arrays.
The arithmetic is that of `rk4_step` and `project`, operation by operation, so the numbers are the same to the bit.
"""

import math

from ...plant.kernels.kernel import kernel
from .free_rates import free_rates

__all__ = ["rk4_free_steps", "rk4_free_walk"]


@kernel(inline=True, lanes=True)
def rk4_free_walk(ledger, h, steps, x, u, p):
    """The state so many steps on and the largest drift of |e|^2 in one, NaN if one fails; x stays as it is."""
    x0, x1, x2, x3, x4, x5, x6 = x[0], x[1], x[2], x[3], x[4], x[5], x[6]
    y0, y1, y2, y3 = 0.0, 0.0, 0.0, 0.0
    if ledger:
        y0, y1, y2, y3 = x[7], x[8], x[9], x[10]
    u0, u1, u2 = u[0], u[1], u[2]
    half = 0.5 * h
    sixth = h / 6.0
    worst = 0.0
    for _ in range(steps):
        a0, a1, a2, a3, a4, a5, a6, k0, k1, k2, k3 = free_rates(ledger, x0, x1, x2, x3, x4, x5, x6, u0, u1, u2, p)
        b0, b1, b2, b3, b4, b5, b6, l0, l1, l2, l3 = free_rates(
            ledger, x0 + half * a0, x1 + half * a1, x2 + half * a2,
            x3 + half * a3, x4 + half * a4, x5 + half * a5, x6 + half * a6, u0, u1, u2, p,
        )  # fmt: skip
        c0, c1, c2, c3, c4, c5, c6, m0, m1, m2, m3 = free_rates(
            ledger, x0 + half * b0, x1 + half * b1, x2 + half * b2,
            x3 + half * b3, x4 + half * b4, x5 + half * b5, x6 + half * b6, u0, u1, u2, p,
        )  # fmt: skip
        d0, d1, d2, d3, d4, d5, d6, n0, n1, n2, n3 = free_rates(
            ledger, x0 + h * c0, x1 + h * c1, x2 + h * c2,
            x3 + h * c3, x4 + h * c4, x5 + h * c5, x6 + h * c6, u0, u1, u2, p,
        )  # fmt: skip
        x0 = x0 + sixth * (a0 + 2.0 * (b0 + c0) + d0)
        x1 = x1 + sixth * (a1 + 2.0 * (b1 + c1) + d1)
        x2 = x2 + sixth * (a2 + 2.0 * (b2 + c2) + d2)
        x3 = x3 + sixth * (a3 + 2.0 * (b3 + c3) + d3)
        x4 = x4 + sixth * (a4 + 2.0 * (b4 + c4) + d4)
        x5 = x5 + sixth * (a5 + 2.0 * (b5 + c5) + d5)
        x6 = x6 + sixth * (a6 + 2.0 * (b6 + c6) + d6)
        if ledger:
            y0 = y0 + sixth * (k0 + 2.0 * (l0 + m0) + n0)
            y1 = y1 + sixth * (k1 + 2.0 * (l1 + m1) + n1)
            y2 = y2 + sixth * (k2 + 2.0 * (l2 + m2) + n2)
            y3 = y3 + sixth * (k3 + 2.0 * (l3 + m3) + n3)
        square = x3 * x3 + x4 * x4 + x5 * x5 + x6 * x6
        s = 1.0 / math.sqrt(square)
        x3 *= s
        x4 *= s
        x5 *= s
        x6 *= s
        worst = max(worst, abs(square - 1.0))
    # what is not finite once is not finite ever after
    worst = worst + 0.0 * (x0 + x1 + x2 + x3 + x4 + x5 + x6 + y0 + y1 + y2 + y3)
    return worst, x0, x1, x2, x3, x4, x5, x6, y0, y1, y2, y3


@kernel(inline=True)
def _steps(ledger, h, steps, x, u, p):
    """`rk4_free_steps`, compiled once with a ledger and once without."""
    worst, x0, x1, x2, x3, x4, x5, x6, y0, y1, y2, y3 = rk4_free_walk(ledger, h, steps, x, u, p)
    if worst < 1e300:
        x[0], x[1], x[2], x[3], x[4], x[5], x[6] = x0, x1, x2, x3, x4, x5, x6
        if ledger:
            x[7], x[8], x[9], x[10] = y0, y1, y2, y3
    return worst


@kernel
def rk4_free_steps(ledger, h, steps, x, u, p):
    """Take so many steps in place and return the largest drift of |e|^2 in one; NaN, and x as it was, if one fails."""
    if ledger:
        return _steps(True, h, steps, x, u, p)
    return _steps(False, h, steps, x, u, p)
