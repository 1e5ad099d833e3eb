# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Position on an unperturbed orbit at a given time, from position and velocity at t = 0.

Universal variables: with alpha = 2/r0 - v0^2/mu the anomaly chi solves

    sqrt(mu) t = (r0.v0/sqrt(mu)) chi^2 C(z) + (1 - alpha r0) chi^3 S(z) + r0 chi,    z = alpha chi^2,

and r = f r0 + g v0 (Battin 1999, section 4.5). One formula covers ellipse, parabola and hyperbola; Laguerre's iteration
finds the root (Conway 1986). On an ellipse, whole revolutions are subtracted first, so that only the rounding error of
the period grows with time. On a hyperbola, the iteration starts from H = asinh(M/e), slightly below the root: cosh
would overflow if it started far above the root.

Far above the escape speed (a fly-by of a small body), terms of order (v/v_circular)^4 would cancel in this equation,
with a loss of digits. Newton's iteration then solves e sinh H - H = M for H from above the root, where the function is
convex, and

    f = 1 - (a/r0) (cosh dH - 1),    g = t - (sinh dH - dH)/n,    dH = H - H0.
"""

import math

from ...kernels.kernel import kernel

FAST = -100.0  # r/a at about ten times the circular speed; a hyperbola below it uses `_fast_position`


@kernel
def _stumpff(z):
    """Return C(z) = (1 - cos sqrt z)/z and S(z) = (sqrt z - sin sqrt z)/z^1.5, smooth through zero."""
    if abs(z) < 0.3:  # nine terms of the series are exact to rounding; the closed forms would lose digits
        c = 1.0 / 2.0
        s = 1.0 / 6.0
        a = 1.0 / 2.0
        b = 1.0 / 6.0
        for n in range(1, 10):
            a = -a * z / ((2 * n + 1) * (2 * n + 2))
            b = -b * z / ((2 * n + 2) * (2 * n + 3))
            c += a
            s += b
        return c, s
    if z > 0.0:
        q = math.sqrt(z)
        return (1.0 - math.cos(q)) / z, (q - math.sin(q)) / (z * q)
    q = math.sqrt(-z)
    return (1.0 - math.cosh(q)) / z, (math.sinh(q) - q) / (-z * q)


@kernel
def _hyperbolic_start(t, root, alpha, sigma, parameter):
    """Return chi of H = asinh(M/e), with e sinh H0 = sigma sqrt(-alpha) and M = e sinh H0 - H0 + n t.

    parameter: h^2/mu; it gives e^2 - 1 without subtracting large numbers.
    """
    k = math.sqrt(-alpha)
    e = math.sqrt(1.0 - alpha * parameter)
    start = math.asinh(sigma * k / e)
    mean = sigma * k - start + root * k * k * k * t
    return (math.asinh(mean / e) - start) / k


@kernel
def _fast_anomaly(mean, e):
    """Return H of e sinh H - H = M on a hyperbola; H - asinh(M/e) is at most 0.9."""
    size = abs(mean)
    h = math.asinh((size + 1.0 + math.asinh(size / e)) / e)
    for _ in range(100):
        step = (e * math.sinh(h) - h - size) / (e * math.cosh(h) - 1.0)
        h -= step
        if step <= 1e-16 * h:
            break
    return h if mean >= 0.0 else -h


@kernel
def _fast_position(t, root, r, alpha, sigma, parameter):
    """Return f and g of a hyperbola far above the escape speed."""
    k = math.sqrt(-alpha)
    n = root * k * k * k
    e = math.sqrt(1.0 - alpha * parameter)
    start = math.asinh(sigma * k / e)
    turned = _fast_anomaly(sigma * k - start + n * t, e) - start
    return 1.0 + (math.cosh(turned) - 1.0) / (alpha * r), t - (math.sinh(turned) - turned) / n


@kernel
def kepler_position(t, mu, r0, r1, r2, v0, v1, v2):
    """Return the position at time t (s) on an orbit about a centre with gravitational parameter mu.

    r0 to r2, v0 to v2: position and velocity at t = 0.
    """
    root = math.sqrt(mu)
    r = math.sqrt(r0 * r0 + r1 * r1 + r2 * r2)
    alpha = 2.0 / r - (v0 * v0 + v1 * v1 + v2 * v2) / mu
    sigma = (r0 * v0 + r1 * v1 + r2 * v2) / root
    if alpha > 0.0:
        period = 2.0 * math.pi / (root * alpha * math.sqrt(alpha))
        t = t - period * math.floor(t / period + 0.5)
    h0, h1, h2 = r1 * v2 - r2 * v1, r2 * v0 - r0 * v2, r0 * v1 - r1 * v0
    parameter = (h0 * h0 + h1 * h1 + h2 * h2) / mu
    if alpha * r < FAST:
        f, g = _fast_position(t, root, r, alpha, sigma, parameter)
        return f * r0 + g * v0, f * r1 + g * v1, f * r2 + g * v2
    chi = root * t / r
    if alpha > 0.0:
        chi = root * t * alpha
    elif math.sqrt(-alpha) * abs(chi) > 1.0:
        chi = _hyperbolic_start(t, root, alpha, sigma, parameter)
    for _ in range(50):
        z = alpha * chi * chi
        c, s = _stumpff(z)
        value = sigma * chi * chi * c + (1.0 - alpha * r) * chi * chi * chi * s + r * chi - root * t
        slope = sigma * chi * (1.0 - z * s) + (1.0 - alpha * r) * chi * chi * c + r
        curve = sigma * (1.0 - z * c) + (1.0 - alpha * r) * chi * (1.0 - z * s)
        under = math.sqrt(abs(16.0 * slope * slope - 20.0 * value * curve))
        step = 5.0 * value / (slope + under)  # the slope is the radius, so it is not negative
        chi = chi - step
        if abs(step) <= 1e-15 * (abs(chi) + math.sqrt(r)):
            break
    z = alpha * chi * chi
    c, s = _stumpff(z)
    f = 1.0 - chi * chi * c / r
    g = t - chi * chi * chi * s / root
    return f * r0 + g * v0, f * r1 + g * v1, f * r2 + g * v2
