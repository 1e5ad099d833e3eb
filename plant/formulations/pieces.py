# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Common parts of the formulations: inertia products, G and its transpose, the applied torque.

Packed parameters p: inertia J (9, row by row, kg m^2), J^-1 (9), the axes i, j, k of the Euler sequence (zeros if there
is no sequence). Packed load w: torque in body components (3, N m), torque in inertial components (3), force in inertial
components (3, N), its body point relative to the mass centre (3, m), and 1 if any inertial component is not zero.

The matrix L of the Euler-parameter notes is the G of Shivarama & Fahrenthold (2004) (8), and the G of the notes is the
E of (7); here G and E always have the meaning of the paper. Off the constraint |e| = 1 every formula is used unchanged,
with G G' = |e|^2 I and R = E G' = |e|^2 times a rotation, so that the drift of each formulation is reproduced.
"""

from ..kernels.fields import fields, matrix_times, three
from ..kernels.kernel import kernel
from ..kernels.rotation import to_body

BODY = fields(inertia=9, inverse=9, axes=3)
"""Packed parameters of the body."""
LOAD = fields(torque=3, inertial_torque=3, force=3, point=3, inertial=1)
"""Packed load."""


@kernel(inline=True)
def sequence_of(p):
    """Return the axes i, j, k of the Euler sequence, counted from zero."""
    i, j, k = three(p, BODY.axes)
    return int(i), int(j), int(k)


@kernel(inline=True)
def inertia_times(p, a0, a1, a2):
    """Return J a."""
    return matrix_times(p, BODY.inertia, a0, a1, a2)


@kernel(inline=True)
def inverse_times(p, a0, a1, a2):
    """Return J^-1 a."""
    return matrix_times(p, BODY.inverse, a0, a1, a2)


@kernel(inline=True)
def g_times(e0, e1, e2, e3, v0, v1, v2, v3):
    """Return G(e) v, with G of Shivarama & Fahrenthold (2004) (8) and the third row corrected."""
    return (
        -e1 * v0 + e0 * v1 + e3 * v2 - e2 * v3,
        -e2 * v0 - e3 * v1 + e0 * v2 + e1 * v3,
        -e3 * v0 + e2 * v1 - e1 * v2 + e0 * v3,
    )


@kernel(inline=True)
def g_transpose(e0, e1, e2, e3, a0, a1, a2):
    """Return G(e)' a: the quaternion product e o (0, a)."""
    return (
        -e1 * a0 - e2 * a1 - e3 * a2,
        e0 * a0 - e3 * a1 + e2 * a2,
        e3 * a0 + e0 * a1 - e1 * a2,
        -e2 * a0 + e1 * a1 + e0 * a2,
    )


@kernel(inline=True)
def force_torque(w, e0, e1, e2, e3):
    """Return n = u x A'f, the body moment of the force about the mass centre (Euler-parameter notes (41))."""
    f0, f1, f2 = three(w, LOAD.force)
    f0, f1, f2 = to_body(e0, e1, e2, e3, f0, f1, f2)
    u0, u1, u2 = three(w, LOAD.point)
    return u1 * f2 - u2 * f1, u2 * f0 - u0 * f2, u0 * f1 - u1 * f0


@kernel(inline=True)
def applied_torque(w, e0, e1, e2, e3):
    """Return the total load as a torque in body components: M' + A'M + u x A'f."""
    n0, n1, n2 = w[0], w[1], w[2]
    if w[LOAD.inertial] != 0.0:
        m0, m1, m2 = three(w, LOAD.inertial_torque)
        a0, a1, a2 = to_body(e0, e1, e2, e3, m0, m1, m2)
        b0, b1, b2 = force_torque(w, e0, e1, e2, e3)
        return n0 + a0 + b0, n1 + a1 + b1, n2 + a2 + b2
    return n0 + 0.0 * e0, n1 + 0.0 * e0, n2 + 0.0 * e0


@kernel(inline=True)
def euler_equation(p, w0, w1, w2, n0, n1, n2):
    """Return omega' = J^-1 (n - omega x J omega)."""
    h0, h1, h2 = inertia_times(p, w0, w1, w2)
    return inverse_times(p, n0 + h1 * w2 - h2 * w1, n1 + h2 * w0 - h0 * w2, n2 + h0 * w1 - h1 * w0)
