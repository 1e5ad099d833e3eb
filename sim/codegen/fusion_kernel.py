# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Probe kernels for FMA contraction: sums of products in every form that occurs in the kernels.

A fused multiply-add rounds a b + c once, whereas plain arithmetic rounds it twice, so the last digits differ. Compilers
fuse scalars, sums in a loop, rows in a loop, and a difference and a sum that are stored as a pair (x86 instruction
fmaddsub). gcc 12 fuses such pairs in spite of -ffp-contract=off, in loops and outside; the probes cover both cases.
"""

from ...plant.kernels.kernel import kernel
from ...plant.kernels.rotation import less_product, parameter_rates, to_body, to_inertial

ROW = 16
"""Values per row (four quaternions), enough to fill vector registers of any width."""

INPUTS = 3 * ROW

ROWS = 6
TURNED = ROWS + 2 * ROW
QUATERNIONS = TURNED + 4 * ROW
PRODUCTS = QUATERNIONS + 2 * ROW
OUTPUTS = PRODUCTS + ROW


@kernel
def fusion_probe(n, x, y):
    """Write all real sums of products to y. n: ROW; x: INPUTS arbitrary values."""
    a, b, c, d = x[0], x[1], x[2], x[3]
    y[0], y[1], y[2], y[3] = a * b + c, a * b - c, c - a * b, -(a * b) - c
    total, less = 0.0, c
    for k in range(n):
        total += x[k] * x[n + k]
        less -= x[k] * x[2 * n + k]
    y[4], y[5] = total, less
    for k in range(n):
        y[ROWS + k] = a * x[k] + x[n + k]
        y[ROWS + n + k] = x[n + k] - x[k] * x[2 * n + k]
    for k in range(n // 4):
        _turns(x, 4 * k, y, TURNED + 16 * k)
    for k in range(2 * n):
        y[QUATERNIONS + k] = x[n + k]
    for k in range(n // 4):
        less_product(y, QUATERNIONS + 4 * k, a, b, c, d, QUATERNIONS + n + 4 * k)
    for k in range(n // 4 - 1):
        less_product(y, QUATERNIONS + n, y[QUATERNIONS], a, b, c, QUATERNIONS + n + 4 * (k + 1))


@kernel(inline=True)
def _turns(x, e, y, to):
    """Write rotations by the Euler parameters at x[e:], and their rates."""
    e0, e1, e2, e3 = x[e], x[e + 1], x[e + 2], x[e + 3]
    y[to], y[to + 1], y[to + 2] = to_body(e0, e1, e2, e3, x[0], x[1], x[2])
    y[to + 3], y[to + 4], y[to + 5] = to_inertial(e0, e1, e2, e3, x[0], x[1], x[2])
    y[to + 6], y[to + 7], y[to + 8], y[to + 9] = parameter_rates(e0, e1, e2, e3, x[0], x[1], x[2])
    for k in range(3):
        y[to + 10 + k] = e0 * x[k] - e1 * x[k + 3]
    y[to + 13], y[to + 14], y[to + 15] = e0 * e1 - e2 * e3, e0 * e3 + e1 * e2, e0 * e2 - e1 * e3


@kernel
def complex_products(n, x, y):
    """Write the products of n / 2 pairs of complex numbers to the end of y."""
    for k in range(n // 2):
        product = complex(x[2 * k], x[2 * k + 1]) * complex(x[n + 2 * k], x[n + 2 * k + 1])
        y[PRODUCTS + 2 * k], y[PRODUCTS + 2 * k + 1] = product.real, product.imag


@kernel
def products_in_parts(n, x, y):
    """Write the complex products in real arithmetic.

    Python's complex multiplication, itself compiled C, may contain fused multiply-adds.
    """
    for k in range(n // 2):
        a, b, c, d = x[2 * k], x[2 * k + 1], x[n + 2 * k], x[n + 2 * k + 1]
        y[PRODUCTS + 2 * k], y[PRODUCTS + 2 * k + 1] = a * c - b * d, a * d + b * c
