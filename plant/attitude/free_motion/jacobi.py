"""Jacobi's elliptic functions and their integrals, in terms of the complementary parameter.

The functions take m1 = 1 - m, which is small near a separatrix. There K = log(16/m1)/2, and computing m1 as 1 - m would
lose digits. `scipy.special.ellipj` is not used: for m of 1 - 1e-10 and above, it returns the aperiodic functions of m =
1.

Every function accepts u of any magnitude: whole half periods are subtracted first, so that no error accumulates over
periods.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .first_kind import r_f

__all__ = ["Jacobi", "argument", "arithmetic_geometric", "half_period", "jacobi", "third_kind"]

Array = NDArray[np.float64]

FAR = 20.0  # argument beyond which sech is below 5e-9, and its square below rounding
STEPS = 12  # maximum number of steps of the arithmetic-geometric mean: four suffice at m1 = 0.1, nine at 1e-300


class Jacobi(NamedTuple):
    """Values of sn, cn and dn at an argument, and the argument split into half periods and a remainder."""

    sn: Array
    cn: Array
    dn: Array
    half_periods: Array
    rest: Array


def half_period(m1: float) -> float:
    """Return 2 K(1 - m1), the half period of sn and cn and the period of dn.

    m1: complementary parameter, 0 to 1 -> half period; infinite at m1 = 0.
    """
    return 2.0 * r_f(0.0, m1, 1.0) if m1 > 0.0 else np.inf


def arithmetic_geometric(m1: float) -> tuple[list[tuple[float, float]], float]:
    """Return the sequence of arithmetic and geometric means of 1 and sqrt(m1), and their common limit.

    m1: complementary parameter, above 0.
    """
    means: list[tuple[float, float]] = []
    a, g = 1.0, m1
    for _ in range(STEPS):
        root = float(np.sqrt(g))
        means.append((a, root))
        c = 0.5 * (a + root)
        if abs(a - root) <= 1e-9 * a:  # the next step changes a by only the square of this ratio
            return means, c
        g = root * a
        a = c
    return means, a


def jacobi(u: Array, m1: float) -> Jacobi:
    """Return sn, cn and dn (u | 1 - m1).

    u: the argument; m1: complementary parameter, 0 to 1 -> sn, cn, dn, and `rest` = u - half_periods 2K in [-K, K].

    Notes
    -----
    Bulirsch's descent (1965): the argument is scaled by the arithmetic-geometric mean of 1 and sqrt(m1), and the
    circular functions of the result are transformed back step by step. The absolute error is a few roundings; beyond
    one period it grows in proportion to u.
    """
    if m1 == 0.0:
        far = np.clip(u, -700.0, 700.0)
        sech = 1.0 / np.cosh(far)
        return Jacobi(np.tanh(u), sech, sech, np.zeros_like(u), u)
    period = half_period(m1)
    halves = np.round(u / period)
    rest = u - halves * period
    means, c = arithmetic_geometric(m1)
    angle = c * rest
    sine, cosine = np.sin(angle), np.cos(angle)
    small = np.abs(sine) < 1e-150  # cot would overflow; sn = rest there
    cot = cosine / np.where(small, 1.0, sine)
    back = c * cot
    dn = np.ones_like(rest)
    for b, root in reversed(means):
        cot = cot * back
        back = back * dn
        dn = (root + cot) / (b + cot)
        cot = back / b
    size = 1.0 / np.sqrt(back * back + 1.0)
    sn = np.where(small, rest, np.copysign(size, sine))
    cn = np.where(small, 1.0, back * np.copysign(size, sine))
    dn = np.where(small, 1.0, dn)
    sign = np.where(halves % 2.0 == 0.0, 1.0, -1.0)
    return Jacobi(sign * sn, sign * cn, dn, halves, rest)


def argument(sn: float, cn: float, *, m1: float) -> float:
    """Return u from sn(u) and cn(u), within one period: -2K to 2K.

    sn, cn: the two functions; their squares must add up to one within rounding.
    m1: complementary parameter, 0 to 1.
    -> u; infinite for cn = 0 = m1.

    Notes
    -----
    u = sn R_F(cn^2, dn^2, 1) (Carlson), with dn^2 = cn^2 + m1 sn^2, a sum of positive terms.
    """
    dn2 = cn * cn + m1 * sn * sn
    if cn == 0.0 == m1:
        return float(np.copysign(np.inf, sn))
    u = float(sn) * r_f(float(cn * cn), float(dn2), 1.0)
    if cn < 0.0:
        u = float(np.copysign(half_period(m1), sn)) - u
    return u


def third_kind(step: Array, m1: float, *, ratio: float, start: float = 0.0) -> Array:
    """Return the integral of sn^2 / (cn^2 + ratio sn^2) over an interval.

    step: length of the interval.
    m1: complementary parameter, 0 to 1.
    ratio: positive; 1 - n in terms of the characteristic n.
    start: lower limit.
    -> the integral, with the shape of step.

    Notes
    -----
    From 0, the integral is sn^3/3 R_J(cn^2, dn^2, 1, cn^2 + ratio sn^2) (Carlson) within a quarter period, plus whole
    half periods. If the step is much shorter than the distance to the nearest pole of the integrand, the difference of
    two such values would lose digits; Gauss's eight-point formula is then used, which is exact to rounding.
    """
    far = _from_zero(start + step, m1, ratio) - _from_zero(np.asarray(start), m1, ratio)
    here = jacobi(np.asarray(start), m1)
    to_pole = min(float(np.hypot(here.rest, ratio**-0.5)), 1.0)
    if m1 > 0.0:
        to_pole = min(to_pole, float(np.hypot(0.5 * half_period(m1) - abs(here.rest), ratio**0.5)))
    points, weights = np.polynomial.legendre.leggauss(8)
    close = np.abs(step) < 0.25 * to_pole
    short = np.where(close, step, 0.0)
    inside = jacobi(start + 0.5 * short[..., np.newaxis] * (1.0 + points), m1)
    mean = 0.5 * (inside.sn**2 / (inside.cn**2 + ratio * inside.sn**2)) @ weights
    return np.where(close, mean * step, far)


def _from_zero(u: Array, m1: float, ratio: float) -> Array:
    if m1 == 0.0:
        near = np.clip(u, -FAR, FAR)
        return _in_quarter(jacobi(near, m1), m1, ratio) + (u - near) / ratio
    from scipy.special import elliprj

    values = jacobi(u, m1)
    whole = 2.0 / 3.0 * float(elliprj(0.0, m1, 1.0, ratio))
    return values.half_periods * whole + _in_quarter(jacobi(values.rest, m1), m1, ratio)


def _in_quarter(values: Jacobi, m1: float, ratio: float) -> Array:
    from scipy.special import elliprj

    s2, c2 = values.sn**2, values.cn**2
    return values.sn**3 / 3.0 * elliprj(c2, c2 + m1 * s2, 1.0, c2 + ratio * s2)
