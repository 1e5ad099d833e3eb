# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Many classical Runge-Kutta steps of a body under a torque that is constant in body axes.

That is a sampled loop between two commands, the commonest thing the engine does. With nothing but the free body's
own equations the whole state stays in registers, which makes a step two to three times as fast as through arrays.
The arithmetic is that of `rk4_step` and `project`, operation by operation, so the numbers are the same to the bit.
"""

import math

from ...plant.dynamics import free_body_rates
from ...plant.kernel import kernel

__all__ = ["rk4_free_steps"]


@kernel
def rk4_free_steps(h, steps, x, u, p):
    """Take so many steps in place; return the largest drift of |e|^2 in one, NaN if not finite."""
    x0, x1, x2, x3, x4, x5, x6 = x[0], x[1], x[2], x[3], x[4], x[5], x[6]
    u0, u1, u2 = u[0], u[1], u[2]
    half = 0.5 * h
    sixth = h / 6.0
    worst = 0.0
    for _ in range(steps):
        a0, a1, a2, a3, a4, a5, a6 = free_body_rates(x0, x1, x2, x3, x4, x5, x6, u0, u1, u2, p)
        b0, b1, b2, b3, b4, b5, b6 = free_body_rates(
            x0 + half * a0, x1 + half * a1, x2 + half * a2,
            x3 + half * a3, x4 + half * a4, x5 + half * a5, x6 + half * a6, u0, u1, u2, p,
        )  # fmt: skip
        c0, c1, c2, c3, c4, c5, c6 = free_body_rates(
            x0 + half * b0, x1 + half * b1, x2 + half * b2,
            x3 + half * b3, x4 + half * b4, x5 + half * b5, x6 + half * b6, u0, u1, u2, p,
        )  # fmt: skip
        d0, d1, d2, d3, d4, d5, d6 = free_body_rates(
            x0 + h * c0, x1 + h * c1, x2 + h * c2,
            x3 + h * c3, x4 + h * c4, x5 + h * c5, x6 + h * c6, u0, u1, u2, p,
        )  # fmt: skip
        x0 = x0 + sixth * (a0 + 2.0 * (b0 + c0) + d0)
        x1 = x1 + sixth * (a1 + 2.0 * (b1 + c1) + d1)
        x2 = x2 + sixth * (a2 + 2.0 * (b2 + c2) + d2)
        x3 = x3 + sixth * (a3 + 2.0 * (b3 + c3) + d3)
        x4 = x4 + sixth * (a4 + 2.0 * (b4 + c4) + d4)
        x5 = x5 + sixth * (a5 + 2.0 * (b5 + c5) + d5)
        x6 = x6 + sixth * (a6 + 2.0 * (b6 + c6) + d6)
        square = x3 * x3 + x4 * x4 + x5 * x5 + x6 * x6
        s = 1.0 / math.sqrt(square)
        x3 *= s
        x4 *= s
        x5 *= s
        x6 *= s
        worst = max(worst, abs(square - 1.0))
    x[0], x[1], x[2], x[3], x[4], x[5], x[6] = x0, x1, x2, x3, x4, x5, x6
    return worst + 0.0 * (x0 + x1 + x2 + x3 + x4 + x5 + x6)  # not finite once, not finite ever after
