# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Euler parameters at the stages of a Gauss step, from the rates at which the stages turn.

    E_i = e + h sum a_ij 1/2 (0, omega_j) o E_j

is linear in the E_i, and what multiplies them are quaternions: it is solved as it stands, in closed form. An iteration
instead would have to be carried on to the last place in each step, for a stiff arm makes forces of its errors.
"""

from ...plant.kernels.kernel import kernel
from ...plant.kernels.rotation import compose
from .gauss_layout import SCHEME

__all__ = ["stage_attitudes"]


@kernel(inline=True)
def _half_turn(h, e0, e1, e2, e3, rates, at):
    """1/2 h omega, from the rates of the parameters where they are e."""
    share = h / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    _, a, b, c = compose(rates[at], rates[at + 1], rates[at + 2], rates[at + 3], e0, -e1, -e2, -e3)
    return share * a, share * b, share * c


@kernel
def stage_attitudes(h, x, at, x_row, dx_row, s, implicit):
    """Put the parameters at x[at:] into the stages; the rates in the rows of dx are as if these had stayed at x."""
    scheme = implicit[SCHEME]
    e0, e1, e2, e3 = x[at], x[at + 1], x[at + 2], x[at + 3]
    a11 = scheme[1]
    a, b, c = _half_turn(h, e0, e1, e2, e3, implicit[dx_row], at)
    square = a * a + b * b + c * c
    share = 1.0 / (1.0 + a11 * a11 * square)  # (1 - a11 w1)^-1 = share (1 + a11 w1)
    f0, f1, f2, f3 = e0, e1, e2, e3
    if s > 1:
        a12, a21, a22 = scheme[2], scheme[3], scheme[4]
        p, q, r = _half_turn(h, e0, e1, e2, e3, implicit[dx_row + 1], at)
        # G = a21 w1 (1 - a11 w1)^-1; E2 = (1 - a22 w2 - a12 G w2)^-1 (1 + G) e; E1 = (1 - a11 w1)^-1 (e + a12 w2 E2)
        k = a21 * share
        g0, g1, g2, g3 = -k * a11 * square, k * a, k * b, k * c
        m0, m1, m2, m3 = compose(g0, g1, g2, g3, 0.0, p, q, r)
        m0, m1, m2, m3 = 1.0 - a12 * m0, -a22 * p - a12 * m1, -a22 * q - a12 * m2, -a22 * r - a12 * m3
        k = 1.0 / (m0 * m0 + m1 * m1 + m2 * m2 + m3 * m3)
        y0, y1, y2, y3 = compose(1.0 + g0, g1, g2, g3, e0, e1, e2, e3)
        y0, y1, y2, y3 = compose(k * m0, -k * m1, -k * m2, -k * m3, y0, y1, y2, y3)
        out = implicit[x_row + 1]
        out[at], out[at + 1], out[at + 2], out[at + 3] = y0, y1, y2, y3
        y0, y1, y2, y3 = compose(0.0, p, q, r, y0, y1, y2, y3)
        f0, f1, f2, f3 = e0 + a12 * y0, e1 + a12 * y1, e2 + a12 * y2, e3 + a12 * y3
    out = implicit[x_row]
    k = share * a11
    out[at], out[at + 1], out[at + 2], out[at + 3] = compose(share, k * a, k * b, k * c, f0, f1, f2, f3)
