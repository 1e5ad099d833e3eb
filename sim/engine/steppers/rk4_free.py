# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Classical Runge-Kutta steps of a free body under a torque that is constant in body axes.

This is the sampled loop between two commands, the most frequent task of the engine. With only the equations of a free
body, the whole state stays in registers, which makes a step two to three times as fast as one with arrays. The
arithmetic follows `rk4_step` and `project` operation by operation, except for exact factors of two, so that the results
are bitwise identical.
"""

from ....plant.hub.dynamics import momentum_to_rate
from ....plant.kernels.kernel import kernel
from ....plant.kernels.rotation import to_inertial
from .sphere import to_unit

__all__ = ["rk4_free_steps", "rk4_free_walk"]


@kernel(inline=True, lanes=True)
def _slopes(ledger, h0, h1, h2, e0, e1, e2, e3, w0, w1, w2, u0, u1, u2):
    """Return the rates of momentum, twice those of Euler parameters (the first negated), and of the ledger."""
    power, i0, i1, i2 = 0.0, 0.0, 0.0, 0.0
    if ledger:
        power = u0 * w0 + u1 * w1 + u2 * w2
        i0, i1, i2 = to_inertial(e0, e1, e2, e3, u0, u1, u2)
    return (
        h1 * w2 - h2 * w1 + u0, h2 * w0 - h0 * w2 + u1, h0 * w1 - h1 * w0 + u2,
        e1 * w0 + e2 * w1 + e3 * w2, e0 * w0 - e3 * w1 + e2 * w2,
        e3 * w0 + e0 * w1 - e1 * w2, e1 * w1 - e2 * w0 + e0 * w2,
        power, i0, i1, i2,
    )  # fmt: skip


@kernel(inline=True, lanes=True)
def _slopes_at(ledger, h0, h1, h2, e0, e1, e2, e3, u0, u1, u2, p):
    """Return the rates as `_slopes` does, with the body rate computed from the momentum."""
    w0, w1, w2 = momentum_to_rate(h0, h1, h2, p)
    return _slopes(ledger, h0, h1, h2, e0, e1, e2, e3, w0, w1, w2, u0, u1, u2)


@kernel(inline=True, lanes=True)
def rk4_free_walk(ledger, h, steps, x0, x1, x2, x3, x4, x5, x6, y0, y1, y2, y3, w0, w1, w2, u0, u1, u2, p):
    """Return the largest drift of |e|^2 in any of several steps (NaN if one fails), and the final state.

    x0 to x6: state; y0 to y3: ledger, if any; w0 to w2: body rate; u0 to u2: torque.
    """
    half, quarter = 0.5 * h, 0.25 * h
    sixth = h / 6.0
    twelfth = 0.5 * sixth
    worst, off = 0.0, 0.0
    for _ in range(steps):
        a0, a1, a2, a3, a4, a5, a6, k0, k1, k2, k3 = _slopes(ledger, x0, x1, x2, x3, x4, x5, x6, w0, w1, w2, u0, u1, u2)
        b0, b1, b2, b3, b4, b5, b6, l0, l1, l2, l3 = _slopes_at(
            ledger, x0 + half * a0, x1 + half * a1, x2 + half * a2,
            x3 - quarter * a3, x4 + quarter * a4, x5 + quarter * a5, x6 + quarter * a6, u0, u1, u2, p,
        )  # fmt: skip
        c0, c1, c2, c3, c4, c5, c6, m0, m1, m2, m3 = _slopes_at(
            ledger, x0 + half * b0, x1 + half * b1, x2 + half * b2,
            x3 - quarter * b3, x4 + quarter * b4, x5 + quarter * b5, x6 + quarter * b6, u0, u1, u2, p,
        )  # fmt: skip
        d0, d1, d2, d3, d4, d5, d6, n0, n1, n2, n3 = _slopes_at(
            ledger, x0 + h * c0, x1 + h * c1, x2 + h * c2,
            x3 - half * c3, x4 + half * c4, x5 + half * c5, x6 + half * c6, u0, u1, u2, p,
        )  # fmt: skip
        x0 = x0 + sixth * (a0 + 2.0 * (b0 + c0) + d0)
        x1 = x1 + sixth * (a1 + 2.0 * (b1 + c1) + d1)
        x2 = x2 + sixth * (a2 + 2.0 * (b2 + c2) + d2)
        x3 = x3 - twelfth * (a3 + 2.0 * (b3 + c3) + d3)
        x4 = x4 + twelfth * (a4 + 2.0 * (b4 + c4) + d4)
        x5 = x5 + twelfth * (a5 + 2.0 * (b5 + c5) + d5)
        x6 = x6 + twelfth * (a6 + 2.0 * (b6 + c6) + d6)
        if ledger:
            y0 = y0 + sixth * (k0 + 2.0 * (l0 + m0) + n0)
            y1 = y1 + sixth * (k1 + 2.0 * (l1 + m1) + n1)
            y2 = y2 + sixth * (k2 + 2.0 * (l2 + m2) + n2)
            y3 = y3 + sixth * (k3 + 2.0 * (l3 + m3) + n3)
        w0, w1, w2 = momentum_to_rate(x0, x1, x2, p)
        off, x3, x4, x5, x6 = to_unit(x3, x4, x5, x6)
        worst = max(worst, abs(off))
    # a non-finite value stays non-finite, and appears in the norm of the Euler parameters or in this sum
    worst = worst + 0.0 * (x0 + x1 + x2 + off)
    if ledger:
        worst = worst + 0.0 * (y0 + y1 + y2 + y3)
    return worst, x0, x1, x2, x3, x4, x5, x6, y0, y1, y2, y3, w0, w1, w2


@kernel(inline=True)
def _steps(ledger, h, steps, x, u, p):
    """Take steps as `rk4_free_steps` does; compiled twice, with a ledger and without one."""
    y0, y1, y2, y3 = 0.0, 0.0, 0.0, 0.0
    if ledger:
        y0, y1, y2, y3 = x[7], x[8], x[9], x[10]
    w0, w1, w2 = momentum_to_rate(x[0], x[1], x[2], p)
    worst, x0, x1, x2, x3, x4, x5, x6, y0, y1, y2, y3, _, _, _ = rk4_free_walk(
        ledger, h, steps, x[0], x[1], x[2], x[3], x[4], x[5], x[6], y0, y1, y2, y3, w0, w1, w2, u[0], u[1], u[2], p
    )
    if worst < 1e300:
        x[0], x[1], x[2], x[3], x[4], x[5], x[6] = x0, x1, x2, x3, x4, x5, x6
        if ledger:
            x[7], x[8], x[9], x[10] = y0, y1, y2, y3
    return worst


@kernel
def rk4_free_steps(ledger, h, steps, x, u, p):
    """Take steps in place; return the largest drift of |e|^2 in any step (NaN, x unchanged, if one fails)."""
    if ledger:
        return _steps(True, h, steps, x, u, p)
    return _steps(False, h, steps, x, u, p)
