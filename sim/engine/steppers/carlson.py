# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Carlson's integrals R_C and R_J as kernels (Carlson 1995, Numerical Algorithms 10, 13-26)."""

import math

from ....plant.kernels.kernel import kernel

SMALL = 1e-4
"""Largest |e| for the series of R_C, which is exact to the last place."""


@kernel
def r_c(e):
    """Return R_C(1, 1 + e), e > -1."""
    if abs(e) < SMALL:
        return 1.0 - e * (1.0 / 3.0 - e * (0.2 - e / 7.0))
    if e > 0.0:
        root = math.sqrt(e)
        return math.atan(root) / root
    root = math.sqrt(-e)
    return 0.5 * math.log((1.0 + root) / (1.0 - root)) / root


@kernel
def r_j(first, second, third, fourth):
    """Return R_J(x, y, z, p) for x, y, z >= 0, at most one of these zero, and p > 0."""
    x, y, z, p = first, second, third, fourth
    mean = (x + y + z + 2.0 * p) / 5.0
    apart = (p - x) * (p - y) * (p - z)
    x0, y0, z0 = mean - x, mean - y, mean - z
    reach = 400.0 * max(abs(x0), abs(y0), abs(z0), abs(mean - p))  # (rounding / 4)^(-1/6)
    share, total = 1.0, 0.0
    for _ in range(200):  # each step quarters the spread: about ten suffice, at most 200 for a ratio of 1e300
        if share * reach < abs(mean):
            break
        a, b, c, d = math.sqrt(x), math.sqrt(y), math.sqrt(z), math.sqrt(p)
        by = a * b + a * c + b * c
        size = (d + a) * (d + b) * (d + c)
        total += share / size * r_c(share * share * share * apart / (size * size))
        mean, x, y, z, p = 0.25 * (mean + by), 0.25 * (x + by), 0.25 * (y + by), 0.25 * (z + by), 0.25 * (p + by)
        share *= 0.25
    a, b, c = share * x0 / mean, share * y0 / mean, share * z0 / mean
    d = -0.5 * (a + b + c)
    two = a * b + a * c + b * c - 3.0 * d * d
    three = a * b * c + 2.0 * two * d + 4.0 * d * d * d
    four = (2.0 * a * b * c + two * d + 3.0 * d * d * d) * d
    five = a * b * c * d * d
    series = (
        1.0 - 3.0 * two / 14.0 + three / 6.0 + 9.0 * two * two / 88.0 - 3.0 * four / 22.0 - 9.0 * two * three / 52.0
        + 3.0 * five / 26.0
    )  # fmt: skip
    return share * series / (mean * math.sqrt(mean)) + 6.0 * total
