# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Section frame of a beam element: ends of the element, tangent, and transverse axes (see `beam_element`)."""

from ...kernels.kernel import kernel
from ...kernels.vectors import add, axpy, cosine_sine, dot, roots, row3, scale, sub
from .arm_layout import STRAIN


@kernel(inline=True)
def element_ends(pose, i, length):
    """Return axes l, m, n of row i and l, m of row i + 1, the derivatives r' at both ends, and the chord."""
    la, ma, na = row3(pose, i, 3), row3(pose, i, 6), row3(pose, i, 9)
    lb, mb = row3(pose, i + 1, 3), row3(pose, i + 1, 6)
    ca = scale(length * (1.0 + pose[i, STRAIN]), la)
    cb = scale(length * (1.0 + pose[i + 1, STRAIN]), lb)
    chord = sub(row3(pose, i + 1, 0), row3(pose, i, 0))
    return la, ma, na, lb, mb, ca, cb, chord


@kernel(inline=True)
def unit_tangent(xi, chord, ca, cb, la):
    """Return the length of r' at xi and its inverse, the tangent t, and 1/(1 + l_I.t)."""
    b2, b4 = 1.0 - 4.0 * xi + 3.0 * xi * xi, xi * (3.0 * xi - 2.0)
    g = axpy(-6.0 * xi * (xi - 1.0), chord, axpy(b2, ca, scale(b4, cb)))
    gamma, r = roots(dot(g, g))
    t = scale(r, g)
    return gamma, r, t, 1.0 / (1.0 + dot(la, t))


@kernel(inline=True)
def section_axes(angle, t, per_d, la, ma, na):
    """Return l_I + t, and the section axes m and n.

    The axes are obtained from the axes of I by the shortest rotation from l_I to t, then a rotation by `angle` about t.
    per_d: 1/(1 + l_I.t).
    """
    both = add(la, t)
    mi = axpy(-dot(ma, t) * per_d, both, ma)
    ni = axpy(-dot(na, t) * per_d, both, na)
    c0, s0 = cosine_sine(angle)
    return both, axpy(c0, mi, scale(s0, ni)), axpy(c0, ni, scale(-s0, mi))
