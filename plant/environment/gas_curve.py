# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Momentum flux and number flux on a plate, as functions of the normal speed ratio a: Taylor polynomials about nodes.

    P(a) = a/sqrt(pi) exp(-a^2) + (1/2 + a^2) (1 + erf a)    proportional to the pressure of the incident molecules
    Q(a) = exp(-a^2) + sqrt(pi) a (1 + erf a)                proportional to the number of the incident molecules

Since P' = 2/sqrt(pi) Q, one polynomial gives both. Beyond a = +-6 the exponential is below 3e-16.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..frozen import read_only
from ..kernels.fields import fields
from ..kernels.kernel import kernel

ROOT_PI = 1.7724538509055160273
END = 6.0
PER_UNIT = 8.0
"""Nodes per unit of a: the nearest node is at most 1/16 away, at which ten terms leave an error of 1e-13."""
TAYLOR = fields(c0=1, c1=1, c2=1, c3=1, c4=1, c5=1, c6=1, c7=1, c8=1, c9=1, d1=1, d2=1, d3=1, d4=1, d5=1, d6=1, d7=1)
"""Taylor coefficients of P at a node, lowest power first, then those of P' from the first to the seventh power."""


@cache
def gas_curve() -> NDArray[np.float64]:
    """Return the Taylor coefficients of P and its derivative at the nodes, (97 x 17,), for the kernel."""
    from scipy.special import erf, eval_hermite

    a = np.arange(-END, END + 0.5 / PER_UNIT, 1.0 / PER_UNIT)
    x, both = np.exp(-a * a), 1.0 + erf(a)
    derivatives = [a / ROOT_PI * x + (0.5 + a * a) * both, 2.0 / ROOT_PI * (x + ROOT_PI * a * both), 2.0 * both]
    derivatives += [4.0 / ROOT_PI * (-1.0) ** k * eval_hermite(k, a) * x for k in range(TAYLOR.d1 - 3)]
    powers = np.arange(TAYLOR.d1)[:, None]
    c = np.array(derivatives) / np.cumprod(np.maximum(powers, 1), axis=0)
    return read_only(np.concatenate([c, (powers * c)[2:9]]).T.ravel())


@kernel(inline=True)
def pressure_and_flux(p, curve, a):
    """Return P(a) and Q(a), from the coefficients at `curve` in p."""
    if a.real >= END:
        return 1.0 + 2.0 * a * a, 2.0 * ROOT_PI * a
    if not a.real > -END:
        return 0.0 * a, 0.0 * a
    node = int((a.real + END) * PER_UNIT + 0.5)
    d = a - (node / PER_UNIT - END)
    n = curve + TAYLOR.size * node
    s = d * d
    q = s * s
    low = p[n + TAYLOR.c0] + p[n + TAYLOR.c1] * d + s * (p[n + TAYLOR.c2] + p[n + TAYLOR.c3] * d)
    high = (
        p[n + TAYLOR.c4]
        + p[n + TAYLOR.c5] * d
        + s * (p[n + TAYLOR.c6] + p[n + TAYLOR.c7] * d)
        + q * (p[n + TAYLOR.c8] + p[n + TAYLOR.c9] * d)
    )
    slope = p[n + TAYLOR.c1] + p[n + TAYLOR.d1] * d + s * (p[n + TAYLOR.d2] + p[n + TAYLOR.d3] * d)
    steep = (
        p[n + TAYLOR.d4]
        + p[n + TAYLOR.d5] * d
        + s * (p[n + TAYLOR.d6] + p[n + TAYLOR.d7] * d)
        + 9.0 * q * p[n + TAYLOR.c9]
    )
    return low + q * high, 0.5 * ROOT_PI * (slope + q * steep)
