# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Euler parameters at the stages of an implicit step, from the body rates of the stages.

    E_i = e + h sum a_ij 1/2 (0, omega_j) o E_j

is linear in the E_i with quaternion coefficients, and is solved directly by elimination. An iterative solution would
have to converge to the last place in each step, because a stiff arm converts errors of attitude into forces.
"""

from ....plant.kernels.kernel import kernel
from ....plant.kernels.rotation import compose, less_product
from .implicit_layout import COEFFICIENTS, SCHEME, SPARE


@kernel(inline=True)
def _half_turn(h, e0, e1, e2, e3, rates, at):
    """Return 1/2 h omega from the rates of Euler parameters with the values e."""
    share = h / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    _, a, b, c = compose(rates[at], rates[at + 1], rates[at + 2], rates[at + 3], e0, -e1, -e2, -e3)
    return share * a, share * b, share * c


@kernel
def stage_attitudes(h, x, at, x_row, dx_row, s, implicit):
    """Write the Euler parameters at x[at:] of all stages; the rates in dx belong to the values in x."""
    scheme, table = implicit[SCHEME], implicit[SPARE]
    e0, e1, e2, e3 = x[at], x[at + 1], x[at + 2], x[at + 3]
    row = 4 * (s + 1)  # rows of 1 - a_ij h omega_j / 2, followed by the right-hand sides
    for j in range(s):
        a, b, c = _half_turn(h, e0, e1, e2, e3, implicit[dx_row + j], at)
        for i in range(s):
            k = row * i + 4 * j
            share = -scheme[COEFFICIENTS + s * i + j]
            table[k] = 1.0 if i == j else 0.0
            table[k + 1], table[k + 2], table[k + 3] = share * a, share * b, share * c
        k = row * j + 4 * s
        table[k], table[k + 1], table[k + 2], table[k + 3] = e0, e1, e2, e3
    for j in range(s):
        k = row * j + 4 * j
        a0, a1, a2, a3 = table[k], table[k + 1], table[k + 2], table[k + 3]
        share = 1.0 / (a0 * a0 + a1 * a1 + a2 * a2 + a3 * a3)
        a0, a1, a2, a3 = share * a0, -share * a1, -share * a2, -share * a3
        table[k], table[k + 1], table[k + 2], table[k + 3] = a0, a1, a2, a3
        for i in range(j + 1, s):
            m = row * i + 4 * j
            b0, b1, b2, b3 = compose(table[m], table[m + 1], table[m + 2], table[m + 3], a0, a1, a2, a3)
            for n in range(1, s + 1 - j):
                less_product(table, m + 4 * n, b0, b1, b2, b3, k + 4 * n)
    for j in range(s - 1, -1, -1):
        k, last = row * j + 4 * j, row * j + 4 * s
        for i in range(j + 1, s):
            m = k + 4 * (i - j)
            less_product(table, last, table[m], table[m + 1], table[m + 2], table[m + 3], row * i + 4 * s)
        y0, y1, y2, y3 = compose(
            table[k], table[k + 1], table[k + 2], table[k + 3],
            table[last], table[last + 1], table[last + 2], table[last + 3],
        )  # fmt: skip
        table[last], table[last + 1], table[last + 2], table[last + 3] = y0, y1, y2, y3
        out = implicit[x_row + j]
        out[at], out[at + 1], out[at + 2], out[at + 3] = y0, y1, y2, y3
