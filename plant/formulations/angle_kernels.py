# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Euler angles of any sequence, on scalars: attitude, body rate, Euler rates and distance from gimbal lock.

With v the angular velocity in the frame before the third rotation, omega = R3' v and

    v = a1' (cos a2 E_i + s sin a2 E_m) + a2' E_j + a3' E_k,

where m is the axis other than i and j (k in an asymmetric sequence), and s = +1 if j follows i in the cycle 0, 1, 2,
otherwise -1. This is omega = B udot, Schwab & Meijaard (2006) (15)-(16), for all twelve sequences. The determinant of B
is -sin a2 (symmetric) or s cos a2 (asymmetric), which is zero at gimbal lock.
"""

import numpy as np

from ..kernels.kernel import kernel
from ..kernels.rotation import compose


@kernel(inline=True)
def _turn(axis, c, s, a0, a1, a2):
    """Rotate the components (a0, a1, a2) about an axis by the angle of cosine c and sine s."""
    if axis == 0:
        return a0, c * a1 - s * a2, s * a1 + c * a2
    if axis == 1:
        return c * a0 + s * a2, a1, c * a2 - s * a0
    return c * a0 - s * a1, s * a0 + c * a1, a2


@kernel(inline=True)
def _place(axis, value, a0, a1, a2):
    """Add a value to one component of a vector."""
    if axis == 0:
        return a0 + value, a1, a2
    if axis == 1:
        return a0, a1 + value, a2
    return a0, a1, a2 + value


@kernel(inline=True)
def _pick(axis, a0, a1, a2):
    if axis == 0:
        return a0
    if axis == 1:
        return a1
    return a2


@kernel(inline=True)
def _sign(i, j):
    return 1.0 if (j - i) % 3 == 1 else -1.0


@kernel(inline=True)
def _other(i, j):
    """Return the axis m of the module docstring: the axis other than i and j."""
    return 3 - i - j


@kernel(inline=True)
def angles_to_parameters(i, j, k, a1, a2, a3):
    """Return the Euler parameters of R_i(a1) R_j(a2) R_k(a3)."""
    c1, s1 = np.cos(0.5 * a1), np.sin(0.5 * a1)
    c2, s2 = np.cos(0.5 * a2), np.sin(0.5 * a2)
    c3, s3 = np.cos(0.5 * a3), np.sin(0.5 * a3)
    zero = 0.0 * a1
    x0, x1, x2 = _place(i, s1, zero, zero, zero)
    y0, y1, y2 = _place(j, s2, zero, zero, zero)
    z0, z1, z2 = _place(k, s3, zero, zero, zero)
    b0, b1, b2, b3 = compose(c1, x0, x1, x2, c2, y0, y1, y2)
    return compose(b0, b1, b2, b3, c3, z0, z1, z2)


@kernel(inline=True)
def body_rate_of(i, j, k, a2, a3, d1, d2, d3):
    """Return omega = B udot, body components."""
    zero = 0.0 * a2
    v0, v1, v2 = _place(i, np.cos(a2) * d1, zero, zero, zero)
    v0, v1, v2 = _place(_other(i, j), _sign(i, j) * np.sin(a2) * d1, v0, v1, v2)
    v0, v1, v2 = _place(j, d2, v0, v1, v2)
    v0, v1, v2 = _place(k, d3, v0, v1, v2)
    return _turn(k, np.cos(a3), -np.sin(a3), v0, v1, v2)


@kernel(inline=True)
def rate_of_B(i, j, k, a2, a3, d1, d2, d3):
    """Return Bdot udot: the angular acceleration at zero second derivatives of the angles."""
    zero = 0.0 * a2
    c2, s2 = np.cos(a2), _sign(i, j) * np.sin(a2)
    m = _other(i, j)
    v0, v1, v2 = _place(i, c2 * d1, zero, zero, zero)
    v0, v1, v2 = _place(m, s2 * d1, v0, v1, v2)
    v0, v1, v2 = _place(j, d2, v0, v1, v2)
    # -a3' E_k x v: the frame after the third rotation rotates relative to the frame before it
    if k == 0:
        b0, b1, b2 = zero, d3 * v2, -d3 * v1
    elif k == 1:
        b0, b1, b2 = -d3 * v2, zero, d3 * v0
    else:
        b0, b1, b2 = d3 * v1, -d3 * v0, zero
    b0, b1, b2 = _place(i, -np.sin(a2) * d2 * d1, b0, b1, b2)
    b0, b1, b2 = _place(m, _sign(i, j) * c2 * d2 * d1, b0, b1, b2)
    return _turn(k, np.cos(a3), -np.sin(a3), b0, b1, b2)


@kernel(inline=True)
def angle_rates(i, j, k, a2, a3, w0, w1, w2):
    """Return udot = B^-1 omega; not finite at gimbal lock."""
    c2, s2 = np.cos(a2), np.sin(a2)
    v0, v1, v2 = _turn(k, np.cos(a3), np.sin(a3), w0, w1, w2)
    if i == k:
        d1 = _sign(i, j) * _pick(_other(i, j), v0, v1, v2) / s2
        d3 = _pick(i, v0, v1, v2) - c2 * d1
    else:
        d1 = _pick(i, v0, v1, v2) / c2
        d3 = _pick(k, v0, v1, v2) - _sign(i, j) * s2 * d1
    return d1, _pick(j, v0, v1, v2), d3


@kernel(inline=True)
def lock_distance(i, k, a2):
    """Return sin a2 (symmetric) or cos a2 (asymmetric), signed: zero at gimbal lock."""
    if i == k:
        return np.sin(a2)
    return np.cos(a2)
