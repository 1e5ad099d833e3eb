# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Beam element of Zhao & Ren in the form of Choi (2014): momenta and forces from one pass over its energy.

Nodes I and II carry a position r, a section frame (l, m, n) and an axial strain. With xi = x / L,

    r(xi) = N1 r_I + N2 L (1 + eps_I) l_I + N3 r_II + N4 L (1 + eps_II) l_II                           (61)
    t = r'/gamma, gamma = |r'|;  the section frame is the frame of I rotated from l_I to t by the shortest rotation,
    then about t by alpha xi; alpha rotates the frame of I, after the shortest rotation to l_II, into the frame of II
    (63)-(66)
    T = 1/2 L int rho (A |rdot|^2 + omega'J omega) dxi                                                  (67)
    V = 1/2 L int (EA eps^2 + GJ kappa_1^2 + EJy kappa_2^2 + EJz kappa_3^2) dxi                         (100)
    eps = gamma/L - 1, kappa_1 = [alpha + r''.(t x l_I)/(gamma (1 + l_I.t))]/L,
    kappa_2 = -r''.n/(L gamma), kappa_3 = r''.m/(L gamma)                                               (101)

Choi prints (101) with 1/L^2 for 1/(L gamma), and a sign in kappa_1 that depends on the layout of [l_X]. The expressions
here are exact for the frames above. Choi derives M, V and K with third-order tensors; here the equations are
Hamilton's,

    p = dT/dnu,  pdot = d(T - V)/dq at constant nu,  for spins: pi' = omega x pi + dL/dphi,

so that only gradients of one scalar are needed. They are obtained from closed forms of the variations. With d psi the
rotation of the section about t, a = (l_I + l_II)/(1 + l_I.l_II), D = 1 + l_I.t,

    d alpha = (phi_II - phi_I).a,   d psi = [phi_I.(t + l_I) + dt.(t x l_I)]/D + xi d alpha,
    dm = -t (m.dt) + n d psi,  dn = -t (n.dt) - m d psi,

and correspondingly for rates: the spin of a section about its tangent is d psi / dt. Adjacent nodes must differ by less
than 180 degrees in bending and in twist.

The integrals are sums over Gauss points, except for the spin about the tangent. The twist is linear in xi, and Gauss
points would give torsional frequencies too high by (k L)^2/24. With weights that give the nodes 5/12 and 1/12, the mean
of the consistent and lumped masses, the error is of fourth order, as in bending. Strain-rate damping (Kelvin-Voigt)
multiplies each stress by 1 + eta d/dt.
"""

import numpy as np

from ...kernels.kernel import kernel
from ...kernels.vectors import add, axpy, cross, dot, row3, scale, sub
from . import arm_layout as at
from .section_frame import element_ends, section_axes, unit_tangent

C11, C12, C13, C14, C22, C24 = 13 / 35, 11 / 210, 9 / 70, -13 / 420, 1 / 105, -1 / 140
"""int N_i N_j over 0..1; C33 = C11, C34 = -C12, C23 = -C14, C44 = C22."""


@kernel
def twist(la, ma, na, lb, mb, per_c):
    """Return the angle alpha about l_II from frame I, carried to l_II by the shortest rotation, to II.

    per_c: 1/(1 + l_I.l_II).
    """
    mt = dot(ma, lb) * per_c
    nt = dot(na, lb) * per_c
    both = add(la, lb)
    c = dot(mb, axpy(-mt, both, ma))
    s = dot(mb, axpy(-nt, both, na))
    c0, s0 = c.real, s.real
    return np.arctan2(s0, c0) + (s * c0 - c * s0) / (c0 * c0 + s0 * s0)


@kernel
def _add_row(table, i, k, a):
    table[i, k] += a[0]
    table[i, k + 1] += a[1]
    table[i, k + 2] += a[2]


@kernel
def element_strain(p, b, i, pose):
    """Return the strain energy of the element between rows i and i + 1, J, faster than `element_sweep`."""
    length = p[b + at.LENGTH]
    per_length = 1.0 / length
    la, ma, na, lb, mb, c2, c4, chord = element_ends(pose, i, length)
    alpha = twist(la, ma, na, lb, mb, 1.0 / (1.0 + dot(la, lb)))
    potential = 0.0 * alpha
    for k in range(int(p[at.POINTS])):
        xi = p[at.GAUSS + 3 * k]
        weight = p[at.GAUSS + 3 * k + 1] * length
        h = axpy(-(12.0 * xi - 6.0), chord, axpy(6.0 * xi - 4.0, c2, scale(6.0 * xi - 2.0, c4)))
        gamma, r, t, per_d = unit_tangent(xi, chord, c2, c4, la)
        _, m, n = section_axes(alpha * xi, t, per_d, la, ma, na)
        e0 = gamma / length - 1.0
        k1 = (alpha + r * dot(h, cross(t, la)) * per_d) * per_length
        k2 = -r * per_length * dot(h, n)
        k3 = r * per_length * dot(h, m)
        bent = p[b + at.BEND_M] * k2 * k2 + p[b + at.BEND_N] * k3 * k3
        potential += 0.5 * weight * (p[b + at.AXIAL] * e0 * e0 + p[b + at.TORSION] * k1 * k1 + bent)
    return potential


@kernel
def element_sweep(p, b, i, pose, vel, mom, frc):
    """Add momenta and forces d(T - V)/d(r, phi, strain) of the element between rows i and i + 1.

    `b`: start of the arm's part of p. Forces are derivatives at constant inertial velocities, without omega x pi.
    Returns kinetic energy and strain energy, J, and the power dissipated by material damping, W.
    """
    length = p[b + at.LENGTH]
    per_length = 1.0 / length
    axial = p[b + at.AXIAL]
    torsion = p[b + at.TORSION]
    bend_m = p[b + at.BEND_M]
    bend_n = p[b + at.BEND_N]
    eta = p[b + at.DAMPING]
    ra, la, ma, na = row3(pose, i, 0), row3(pose, i, 3), row3(pose, i, 6), row3(pose, i, 9)
    rb, lb, mb = row3(pose, i + 1, 0), row3(pose, i + 1, 3), row3(pose, i + 1, 6)
    sa = length * (1.0 + pose[i, at.STRAIN])
    sb = length * (1.0 + pose[i + 1, at.STRAIN])
    va, wa, ea = row3(vel, i, 0), row3(vel, i, 3), vel[i, 6]
    vb, wb, eb = row3(vel, i + 1, 0), row3(vel, i + 1, 3), vel[i + 1, 6]
    chord = sub(rb, ra)
    chord_rate = sub(vb, va)
    c2 = scale(sa, la)
    c4 = scale(sb, lb)
    la_dot = cross(wa, la)
    lb_dot = cross(wb, lb)
    u2 = axpy(length * ea, la, scale(sa, la_dot))
    u4 = axpy(length * eb, lb, scale(sb, lb_dot))
    per_c = 1.0 / (1.0 + dot(la, lb))
    a = scale(per_c, add(la, lb))
    dw = sub(wb, wa)
    alpha = twist(la, ma, na, lb, mb, per_c)
    alpha_dot = dot(dw, a)
    # translation, integrated exactly
    mu = p[b + at.MASS] * length
    q1 = scale(mu, axpy(C11, va, axpy(C12, u2, axpy(C13, vb, scale(C14, u4)))))
    q2 = scale(mu, axpy(C12, va, axpy(C22, u2, axpy(-C14, vb, scale(C24, u4)))))
    q3 = scale(mu, axpy(C13, va, axpy(-C14, u2, axpy(C11, vb, scale(-C12, u4)))))
    q4 = scale(mu, axpy(C14, va, axpy(C24, u2, axpy(-C12, vb, scale(C22, u4)))))
    kinetic = 0.5 * (dot(q1, va) + dot(q2, u2) + dot(q3, vb) + dot(q4, u4))
    potential = 0.0 * kinetic
    lost = potential
    zero = scale(0.0, q1)
    f1, f2, f4, fl, fphi, turn = zero, zero, zero, zero, zero, zero
    on_alpha = potential
    on_alpha_dot = potential
    # software pipelining: the square root and divisions of the next point overlap with this point
    gamma_next, r_next, t_next, per_d_next = unit_tangent(p[at.GAUSS], chord, c2, c4, la)
    for k in range(int(p[at.POINTS])):
        xi = p[at.GAUSS + 3 * k]
        gamma, r, t, per_d = gamma_next, r_next, t_next, per_d_next
        gamma_next, r_next, t_next, per_d_next = unit_tangent(p[at.GAUSS + 3 * k + 3], chord, c2, c4, la)
        weight = p[at.GAUSS + 3 * k + 1] * length
        spin_weight = p[at.GAUSS + 3 * k + 2] * length
        b1 = 6.0 * xi * (xi - 1.0)  # N1', N2', N4' and the second derivatives; N3 = 1 - N1
        b2 = 1.0 - 4.0 * xi + 3.0 * xi * xi
        b4 = xi * (3.0 * xi - 2.0)
        d1 = 12.0 * xi - 6.0
        d2 = 6.0 * xi - 4.0
        d4 = 6.0 * xi - 2.0
        h = axpy(-d1, chord, axpy(d2, c2, scale(d4, c4)))
        gd = axpy(-b1, chord_rate, axpy(b2, u2, scale(b4, u4)))
        td = scale(r, axpy(-dot(t, gd), t, gd))
        tl = cross(t, la)
        # section frame
        both, m, n = section_axes(alpha * xi, t, per_d, la, ma, na)
        hm, hn, ht = dot(h, m), dot(h, n), dot(h, t)
        tm, tn = dot(td, m), dot(td, n)
        rl = r * per_length
        swing = r * dot(h, tl) * per_d
        e0 = gamma / length - 1.0  # exactly zero without stretch
        k1 = (alpha + swing) * per_length
        k2 = -rl * hn
        k3 = rl * hm
        spin_swing = (dot(wa, both) + dot(td, tl)) * per_d
        spin = spin_swing + xi * alpha_dot
        # stresses
        z0 = weight * axial * e0
        z1 = weight * torsion * k1
        z2 = weight * bend_m * k2
        z3 = weight * bend_n * k3
        potential += 0.5 * (z0 * e0 + z1 * k1 + z2 * k2 + z3 * k3)
        if eta != 0.0:
            hd = axpy(-d1, chord_rate, axpy(d2, u2, scale(d4, u4)))
            stretch = dot(t, gd)
            swing_dot = r * per_d * (dot(hd, tl) + dot(td, cross(la, h)) + dot(la_dot, cross(h, t)))
            swing_dot -= swing * (r * stretch + (dot(la_dot, t) + dot(la, td)) * per_d)
            e0_dot = stretch * per_length
            k1_dot = (alpha_dot + swing_dot) * per_length
            k2_dot = -rl * (dot(hd, n) - ht * tn - spin * hm) - k2 * r * stretch
            k3_dot = rl * (dot(hd, m) - ht * tm + spin * hn) - k3 * r * stretch
            z0 += eta * weight * axial * e0_dot
            z1 += eta * weight * torsion * k1_dot
            z2 += eta * weight * bend_m * k2_dot
            z3 += eta * weight * bend_n * k3_dot
            share = axial * e0_dot * e0_dot + torsion * k1_dot * k1_dot + bend_m * k2_dot * k2_dot
            lost += eta * weight * (share + bend_n * k3_dot * k3_dot)
        # kinetic energy of the section's rotation
        aw = spin_weight * p[b + at.SPIN] * spin
        am = weight * p[b + at.SPIN_N] * tm  # omega_n = tdot.m
        an = weight * p[b + at.SPIN_M] * tn  # omega_m = -tdot.n
        kinetic += 0.5 * (aw * spin + am * tm + an * tn)
        awd = aw * per_d
        s = axpy(am, m, axpy(an, n, scale(awd, tl)))  # derivative with respect to tdot
        on_alpha_dot += aw * xi
        turn = axpy(awd, both, turn)
        sg = scale(r, s)
        q1 = axpy(b1, sg, q1)
        q2 = axpy(b2, sg, q2)
        q3 = axpy(-b1, sg, q3)
        q4 = axpy(b4, sg, q4)
        # derivatives of T - V with respect to psi, t, the length of r', r'', l_I and alpha
        psi = am * tn - an * tm - z2 * k3 + z3 * k2
        y1 = z1 * per_length
        y1d = y1 * per_d
        psi_d = psi * per_d
        on_t = axpy(-r * dot(t, gd), s, scale(awd, sub(add(wa, cross(la, td)), scale(spin_swing, la))))
        on_t = axpy(-rl * ht, axpy(z2, n, scale(-z3, m)), on_t)
        on_t = axpy(-y1d, axpy(-swing, la, scale(r, cross(la, h))), on_t)
        on_t = axpy(psi_d, tl, on_t)
        on_length = -r * dot(s, td) - z0 * per_length + r * (z2 * k2 + z3 * k3 + y1 * swing)
        on_g = axpy(r, axpy(-dot(on_t, t), t, on_t), scale(on_length, t))
        on_h = axpy(rl, axpy(z2, n, scale(-z3, m)), scale(-y1d * r, tl))
        f1 = axpy(b1, on_g, axpy(d1, on_h, f1))
        f2 = axpy(b2, on_g, axpy(d2, on_h, f2))
        f4 = axpy(b4, on_g, axpy(d4, on_h, f4))
        fl = axpy(awd, sub(add(wa, cross(td, t)), scale(spin_swing, t)), fl)
        fl = axpy(-y1d, axpy(-swing, t, scale(r, cross(h, t))), fl)
        fphi = axpy(psi_d, both, fphi)
        on_alpha += psi * xi - y1
    on_la = add(fl, axpy(sa, f2, axpy(length * ea, q2, scale(sa, cross(q2, wa)))))
    on_la = axpy(on_alpha_dot * per_c, axpy(-alpha_dot, lb, dw), on_la)
    on_lb = axpy(sb, f4, axpy(length * eb, q4, scale(sb, cross(q4, wb))))
    on_lb = axpy(on_alpha_dot * per_c, axpy(-alpha_dot, la, dw), on_lb)
    _add_row(frc, i, 0, f1)
    _add_row(frc, i, 3, axpy(-on_alpha, a, add(fphi, cross(la, on_la))))
    frc[i, 6] += length * (dot(la, f2) + dot(la_dot, q2))
    _add_row(frc, i + 1, 0, scale(-1.0, f1))
    _add_row(frc, i + 1, 3, axpy(on_alpha, a, cross(lb, on_lb)))
    frc[i + 1, 6] += length * (dot(lb, f4) + dot(lb_dot, q4))
    _add_row(mom, i, 0, q1)
    _add_row(mom, i, 3, axpy(sa, cross(la, q2), axpy(-on_alpha_dot, a, turn)))
    mom[i, 6] += length * dot(la, q2)
    _add_row(mom, i + 1, 0, q3)
    _add_row(mom, i + 1, 3, axpy(sb, cross(lb, q4), scale(on_alpha_dot, a)))
    mom[i + 1, 6] += length * dot(lb, q4)
    return kinetic, potential, lost
