"""Carlson's symmetric elliptic integral of the first kind, R_F, in plain floating-point numbers."""

from math import sqrt

REACH = 2.7e-3
"""Largest relative distance of the arguments from their mean at which the seventh-order series is exact to rounding."""


def r_f(x: float, y: float, z: float) -> float:
    """Return R_F(x, y, z), half the integral of ((t + x)(t + y)(t + z))^(-1/2) over t from 0 to infinity.

    x, y, z: non-negative, at most one of them zero.
    -> R_F, with a relative error of a few roundings.

    Notes
    -----
    Carlson's duplication theorem (1995, Numerical Algorithms 10, 13-26) with the series of DLMF 19.36.1: each step
    brings the arguments four times closer to their mean.
    """
    mean = (x + y + z) / 3.0
    while max(abs(mean - x), abs(mean - y), abs(mean - z)) > REACH * mean:
        a, b, c = sqrt(x), sqrt(y), sqrt(z)
        shift = a * b + a * c + b * c
        x, y, z = 0.25 * (x + shift), 0.25 * (y + shift), 0.25 * (z + shift)
        mean = (x + y + z) / 3.0
    p, q = 1.0 - x / mean, 1.0 - y / mean
    r = -p - q
    two, three = p * q - r * r, p * q * r
    series = (
        1.0
        - two / 10.0
        + three / 14.0
        + two * two / 24.0
        - 3.0 * two * three / 44.0
        - 5.0 * two**3 / 208.0
        + 3.0 * three**2 / 104.0
        + two * two * three / 16.0
    )
    return series / sqrt(mean)
