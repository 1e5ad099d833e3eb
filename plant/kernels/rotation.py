# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Rotation kernels on scalars: Euler parameters, scalar first, a_inertial = R(e) a_body.

R = E G' is used in its homogeneous form: if the norm of e is slightly off one, R is scaled and its columns stay
orthogonal (Shivarama & Fahrenthold 2004, (6); rows 3 of (7) and (8) are misprinted there: E row 3 is
[-e3, -e2, e1, e0], G row 3 is [-e3, e2, -e1, e0]).
"""

from .kernel import kernel


@kernel(inline=True, lanes=True)
def rotation_row(row, e0, e1, e2, e3):
    """Return row `row` (0, 1, 2) of R: the body components of an inertial base vector."""
    if row == 0:
        return e0 * e0 + e1 * e1 - e2 * e2 - e3 * e3, 2.0 * (e1 * e2 - e0 * e3), 2.0 * (e1 * e3 + e0 * e2)
    if row == 1:
        return 2.0 * (e1 * e2 + e0 * e3), e0 * e0 - e1 * e1 + e2 * e2 - e3 * e3, 2.0 * (e2 * e3 - e0 * e1)
    return 2.0 * (e1 * e3 - e0 * e2), 2.0 * (e2 * e3 + e0 * e1), e0 * e0 - e1 * e1 - e2 * e2 + e3 * e3


@kernel(inline=True, lanes=True)
def to_inertial(e0, e1, e2, e3, a0, a1, a2):
    """Return R a: body components converted to inertial components."""
    x0, x1, x2 = rotation_row(0, e0, e1, e2, e3)
    y0, y1, y2 = rotation_row(1, e0, e1, e2, e3)
    z0, z1, z2 = rotation_row(2, e0, e1, e2, e3)
    return x0 * a0 + x1 * a1 + x2 * a2, y0 * a0 + y1 * a1 + y2 * a2, z0 * a0 + z1 * a1 + z2 * a2


@kernel(inline=True, lanes=True)
def to_body(e0, e1, e2, e3, a0, a1, a2):
    """Return R' a: inertial components converted to body components."""
    x0, x1, x2 = rotation_row(0, e0, e1, e2, e3)
    y0, y1, y2 = rotation_row(1, e0, e1, e2, e3)
    z0, z1, z2 = rotation_row(2, e0, e1, e2, e3)
    return x0 * a0 + y0 * a1 + z0 * a2, x1 * a0 + y1 * a1 + z1 * a2, x2 * a0 + y2 * a1 + z2 * a2


@kernel(inline=True, lanes=True)
def parameter_rates(e0, e1, e2, e3, w0, w1, w2):
    """Return e' = 1/2 G' omega, omega in body components (Shivarama & Fahrenthold 2004, (12))."""
    return (
        0.5 * (-e1 * w0 - e2 * w1 - e3 * w2),
        0.5 * (e0 * w0 - e3 * w1 + e2 * w2),
        0.5 * (e3 * w0 + e0 * w1 - e1 * w2),
        0.5 * (-e2 * w0 + e1 * w1 + e0 * w2),
    )


@kernel(inline=True, lanes=True)
def compose(a0, a1, a2, a3, b0, b1, b2, b3):
    """Return the quaternion product a o b: rotation b relative to the frame with attitude a."""
    return (
        a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3,
        a0 * b1 + a1 * b0 + a2 * b3 - a3 * b2,
        a0 * b2 - a1 * b3 + a2 * b0 + a3 * b1,
        a0 * b3 + a1 * b2 - a2 * b1 + a3 * b0,
    )


@kernel(inline=True)
def less_product(table, to, a0, a1, a2, a3, k):
    """Subtract a o b from the quaternion at index `to`, with b at index k."""
    b0, b1, b2, b3 = compose(a0, a1, a2, a3, table[k], table[k + 1], table[k + 2], table[k + 3])
    table[to] -= b0
    table[to + 1] -= b1
    table[to + 2] -= b2
    table[to + 3] -= b3
