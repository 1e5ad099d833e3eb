# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Torque of sunlight and of a rarefied atmosphere on flat faces.

Sunlight (Montenbruck & Gill 2000, section 3.4), with c = n.s > 0 and s the unit vector to the Sun:

    F = -P A c [(1 - rs) s + 2 (rs c + rd/3) n]

Free molecules (Schaaf & Chambre 1961), with g = n.v/|v|, speed ratio S = |v|/sqrt(2 R T/M), E = 1 + erf(gS),
x = exp(-g^2 S^2), wall temperature ratio tr = Tw/T, and the velocity v of the plate relative to the gas:

    Cp S^2 = [(2 - sn) gS/sqrt(pi) + sn/2 sqrt(tr)] x + [(2 - sn)(1/2 + g^2 S^2) + sn/2 sqrt(pi tr) gS] E
    Ct S^2 = st S sqrt(1 - g^2)/sqrt(pi) (x + sqrt(pi) gS E)
    F = -1/2 rho v^2 A (Cp n + Ct t),    t = (v/|v| - g n)/sqrt(1 - g^2)

The formula also holds for g < 0: the lee side of a plate receives molecules that overtake the plate. With the functions
P and Q of `gas_curve`, Cp S^2 = (2 - sn) P(gS) + sn/2 sqrt(tr) Q(gS) and Ct S^2 = st S sqrt(1 - g^2)/sqrt(pi) Q(gS).
The packed parameters of a face contain the areas that multiply these terms.
"""

from ..kernels.fields import row_times
from ..kernels.kernel import kernel
from .faces import FACE
from .gas_curve import ROOT_PI, pressure_and_flux


@kernel(inline=True)
def _arm_torque(p, n, a, b, m0, m1, m2, r0, r1, r2):
    """Add the force a n + b s on a face: the moment of a n to m, and the lever arm times b to r.

    n: start of the face in p.
    """
    m, c = n + FACE.moment, n + FACE.centre
    return (
        m0 + a * p[m], m1 + a * p[m + 1], m2 + a * p[m + 2],
        r0 + b * p[c], r1 + b * p[c + 1], r2 + b * p[c + 2],
    )  # fmt: skip


@kernel(inline=True)
def light_torque(p, n, faces, pressure, s0, s1, s2):
    """Return the torque of sunlight (N m, body) on faces; their rows begin at n in p.

    s: unit vector to the Sun, body; pressure: N/m^2.
    """
    m0, m1, m2 = 0.0 * s0, 0.0 * s0, 0.0 * s0
    r0, r1, r2 = m0, m1, m2
    end = n + FACE.size * faces
    while n < end:
        lit, c = n, row_times(p, n + FACE.normal, s0, s1, s2)
        n += FACE.size
        if p[lit + FACE.paired] != 0.0:  # of two opposite faces, at most one is lit
            if c.real < 0.0:
                lit, c = n, -c
            n += FACE.size
        if c.real > 0.0:
            push = -pressure * c
            a = push * (p[lit + FACE.specular] * c + p[lit + FACE.diffuse])
            b = push * p[lit + FACE.absorbed]
            m0, m1, m2, r0, r1, r2 = _arm_torque(p, lit, a, b, m0, m1, m2, r0, r1, r2)
    return m0 + r1 * s2 - r2 * s1, m1 + r2 * s0 - r0 * s2, m2 + r0 * s1 - r1 * s0


@kernel(inline=True)
def _gas_force(p, n, pressure, ratio, gs, P, Q):
    """Return a and b of the force a n + b v of the gas on a face; see `gas_torque`."""
    b = -pressure * p[n + FACE.friction] * Q
    a = -pressure * (p[n + FACE.pressure] * P + p[n + FACE.emission] * Q) - b * gs
    return a, b * ratio


@kernel(inline=True)
def gas_torque(p, n, faces, curve, pressure, ratio, v0, v1, v2):
    """Return the torque of the gas (N m, body) on faces; their rows begin at n in p.

    curve: start of `gas_curve` in p; pressure: rho c^2/2 with the most probable molecular speed c, N/m^2; ratio: S; v:
    unit vector of the velocity relative to the gas, body.
    """
    m0, m1, m2 = 0.0 * v0, 0.0 * v0, 0.0 * v0
    r0, r1, r2 = m0, m1, m2
    end = n + FACE.size * faces
    while n < end:
        gs = ratio * row_times(p, n + FACE.normal, v0, v1, v2)
        P, Q = pressure_and_flux(p, curve, gs)
        a, b = _gas_force(p, n, pressure, ratio, gs, P, Q)
        m0, m1, m2, r0, r1, r2 = _arm_torque(p, n, a, b, m0, m1, m2, r0, r1, r2)
        n += FACE.size
        if p[n - FACE.size + FACE.paired] != 0.0:  # the opposite face: P(-a) and Q(-a) from P(a) and Q(a)
            P, Q = 1.0 + 2.0 * gs * gs - P, Q - 2.0 * ROOT_PI * gs
            a, b = _gas_force(p, n, pressure, ratio, -gs, P, Q)
            m0, m1, m2, r0, r1, r2 = _arm_torque(p, n, a, b, m0, m1, m2, r0, r1, r2)
            n += FACE.size
    return m0 + r1 * v2 - r2 * v1, m1 + r2 * v0 - r0 * v2, m2 + r0 * v1 - r1 * v0
