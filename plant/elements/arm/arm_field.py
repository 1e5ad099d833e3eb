# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Generalised forces of an acceleration field a0 + G r on an arm, and the arm's second moment of mass.

The axis of the arm carries the mass and receives int N (a0 + G r) dm, with the shape functions N of its translation.
The sections have a second moment rho (Jn m m' + Jm n n') across the axis, and G is symmetric. The contribution of the
sections to the potential,

    V = -1/2 int rho (Jn m'G m + Jm n'G n) dx

is evaluated as a sum over the Gauss points of `beam_element`, as if two pairs of point masses were at each point. With
dm = -t (m.dt) + n dpsi and dn = -t (n.dt) - m dpsi its variation is

    -dV = int rho [(Jn - Jm) (m'G n) dpsi - dt.(Jn (m'G t) m + Jm (n'G t) n)] dx,

which is 3 mu/r^3 b x I b for each section in a rigid rotation. A uniform field exerts no force on the sections.
"""

from ...hub.parameters import FIELD, GRADIENT
from ...kernels.fields import matrix_times, three
from ...kernels.kernel import kernel
from ...kernels.vectors import add, axpy, cross, dot, row3, scale, sub, turned
from .arm_layout import (
    ELEMENTS,
    GAUSS,
    HEADER_SIZE,
    LENGTH,
    MASS,
    MOTION,
    POINTS,
    SPIN_M,
    SPIN_N,
    STRAIN,
    TIP_MASS,
)
from .beam_element import C11, C12, C13, C14, C22, C24, twist
from .section_frame import element_ends, section_axes, unit_tangent

B = HEADER_SIZE  # start of the arm's parameters after the header


@kernel(inline=True)
def _resolved(x, y, z, a):
    """Return the components of a along three axes."""
    return dot(x, a), dot(y, a), dot(z, a)


@kernel
def _gradient_at(w, f, x, y, z, r):
    """Return G r, inertial components."""
    b0, b1, b2 = _resolved(x, y, z, r)
    return turned(x, y, z, matrix_times(w, f + GRADIENT - FIELD, b0, b1, b2))


@kernel
def _field_at(w, f, x, y, z, r):
    """Return a0 + G r, inertial components."""
    b0, b1, b2 = _resolved(x, y, z, r)
    return turned(x, y, z, add(three(w, f), matrix_times(w, f + GRADIENT - FIELD, b0, b1, b2)))


@kernel
def _varies(w, f):
    """Return whether the field varies in space."""
    size = 0.0
    for k in range(9):
        part = w[f + GRADIENT - FIELD + k].real
        size += part * part
    return size > 0.0


@kernel
def add_field(own, pose, x, y, z, w, f, rates):
    """Add the forces of the acceleration field at w[f:] (body axes) to the rates of the node momenta."""
    n = int(own[B + ELEMENTS])
    length = own[B + LENGTH]
    mu = own[B + MASS] * length
    for i in range(n):
        la, lb = row3(pose, i, 3), row3(pose, i + 1, 3)
        sa, sb = length * (1.0 + pose[i, STRAIN]), length * (1.0 + pose[i + 1, STRAIN])
        ra, rb, ca, cb = row3(pose, i, 0), row3(pose, i + 1, 0), scale(sa, la), scale(sb, lb)
        # int N_i (a0 + G r) over the element with r = sum N_j x_j and int N_i = (1/2, 1/12, 1/2, -1/12)
        mean1 = axpy(C11, ra, axpy(C12, ca, axpy(C13, rb, scale(C14, cb))))
        mean2 = axpy(C12, ra, axpy(C22, ca, axpy(-C14, rb, scale(C24, cb))))
        mean3 = axpy(C13, ra, axpy(-C14, ca, axpy(C11, rb, scale(-C12, cb))))
        mean4 = axpy(C14, ra, axpy(C24, ca, axpy(-C12, rb, scale(C22, cb))))
        q1 = scale(0.5 * mu, _field_at(w, f, x, y, z, scale(2.0, mean1)))
        q2 = scale(mu / 12.0, _field_at(w, f, x, y, z, scale(12.0, mean2)))
        q3 = scale(0.5 * mu, _field_at(w, f, x, y, z, scale(2.0, mean3)))
        q4 = scale(-mu / 12.0, _field_at(w, f, x, y, z, scale(-12.0, mean4)))
        _push(w, rates, i, q1, cross(ca, q2), length * dot(la, q2))
        _push(w, rates, i + 1, q3, cross(cb, q4), length * dot(lb, q4))
    tip = row3(pose, n, 0)
    q1 = scale(own[B + TIP_MASS], _field_at(w, f, x, y, z, tip))
    _push(w, rates, n, q1, scale(0.0, q1), 0.0 * q1[0])
    if _varies(w, f):
        for i in range(n):
            _add_on_sections(own, pose, i, x, y, z, w, f, rates)


@kernel
def _add_on_sections(own, pose, i, x, y, z, w, f, rates):
    """Add the forces of G on the sections of the element between rows i and i + 1."""
    length = own[B + LENGTH]
    la, ma, na, lb, mb, ca, cb, chord = element_ends(pose, i, length)
    per_c = 1.0 / (1.0 + dot(la, lb))
    alpha = twist(la, ma, na, lb, mb, per_c)
    force = scale(0.0 * alpha, la)
    on_ca, on_cb, turn = force, force, force
    on_alpha = 0.0 * alpha
    for k in range(int(own[POINTS])):
        xi = own[GAUSS + 3 * k]
        weight = own[GAUSS + 3 * k + 1] * length
        _, r, t, per_d = unit_tangent(xi, chord, ca, cb, la)
        both, m, n = section_axes(alpha * xi, t, per_d, la, ma, na)
        along = _gradient_at(w, f, x, y, z, t)
        across = _gradient_at(w, f, x, y, z, n)
        jm, jn = weight * own[B + SPIN_M], weight * own[B + SPIN_N]
        psi = (jn - jm) * dot(m, across)
        psi_d = psi * per_d
        on_t = axpy(-jn * dot(m, along), m, axpy(-jm * dot(n, along), n, scale(psi_d, cross(t, la))))
        on_g = scale(r, axpy(-dot(on_t, t), t, on_t))
        force = axpy(6.0 * xi * (xi - 1.0), on_g, force)
        on_ca = axpy(1.0 - 4.0 * xi + 3.0 * xi * xi, on_g, on_ca)
        on_cb = axpy(xi * (3.0 * xi - 2.0), on_g, on_cb)
        turn = axpy(psi_d, both, turn)
        on_alpha += psi * xi
    a = scale(per_c * on_alpha, add(la, lb))
    _push(w, rates, i, force, sub(add(turn, cross(ca, on_ca)), a), length * dot(la, on_ca))
    _push(w, rates, i + 1, scale(-1.0, force), add(cross(cb, on_cb), a), length * dot(lb, on_cb))


@kernel
def _push(w, rates, node, force, turn, strain):
    """Add force, moment and strain force to the momentum rates of a node; at the root, only the last."""
    if node == 0:
        w[rates] += strain
    else:
        k = rates + 1 + MOTION.size * (node - 1)
        for j in range(3):
            w[k + j] += force[j]
            w[k + 3 + j] += turn[j]
        w[k + 6] += strain


@kernel
def add_second_moment(own, pose, x, y, z, w, at):
    """Add tr(S) 1 - S to the inertia at w[at:], S = int r r' dm from the reference point, body axes."""
    n = int(own[B + ELEMENTS])
    length = own[B + LENGTH]
    mu = own[B + MASS] * length
    for i in range(n + 1):
        r = _resolved(x, y, z, row3(pose, i, 0))
        if i == n:
            _add_product(w, at, own[B + TIP_MASS], r, r)
        else:
            s = _resolved(x, y, z, row3(pose, i + 1, 0))
            a = _resolved(x, y, z, scale(length * (1.0 + pose[i, STRAIN]), row3(pose, i, 3)))
            b = _resolved(x, y, z, scale(length * (1.0 + pose[i + 1, STRAIN]), row3(pose, i + 1, 3)))
            _add_product(w, at, mu, r, axpy(C11, r, axpy(C12, a, axpy(C13, s, scale(C14, b)))))
            _add_product(w, at, mu, a, axpy(C12, r, axpy(C22, a, axpy(-C14, s, scale(C24, b)))))
            _add_product(w, at, mu, s, axpy(C13, r, axpy(-C14, a, axpy(C11, s, scale(-C12, b)))))
            _add_product(w, at, mu, b, axpy(C14, r, axpy(C24, a, axpy(-C12, s, scale(C22, b)))))
            _add_sections(own, pose, i, x, y, z, w, at)


@kernel
def _add_sections(own, pose, i, x, y, z, w, at):
    """Add the second moments rho (Jn m m' + Jm n n') of the sections between rows i and i + 1."""
    length = own[B + LENGTH]
    la, ma, na, lb, mb, ca, cb, chord = element_ends(pose, i, length)
    alpha = twist(la, ma, na, lb, mb, 1.0 / (1.0 + dot(la, lb)))
    for k in range(int(own[POINTS])):
        xi = own[GAUSS + 3 * k]
        weight = own[GAUSS + 3 * k + 1] * length
        _, _, t, per_d = unit_tangent(xi, chord, ca, cb, la)
        _, m, n = section_axes(alpha * xi, t, per_d, la, ma, na)
        m, n = _resolved(x, y, z, m), _resolved(x, y, z, n)
        _add_product(w, at, weight * own[B + SPIN_N], m, m)
        _add_product(w, at, weight * own[B + SPIN_M], n, n)


@kernel
def _add_product(w, at, mass, a, b):
    """Add the inertia of mass a b', symmetrised."""
    trace = mass * dot(a, b)
    for i in range(3):
        for k in range(3):
            w[at + 3 * i + k] -= 0.5 * mass * (a[i] * b[k] + a[k] * b[i])
        w[at + 4 * i] += trace
