# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel of a chain of hinged panels: places of the panels, motion of their points, and mechanics of all of them."""

import numpy as np

from ..kernels.fields import fields, three
from ..kernels.kernel import kernel
from ..kernels.rotation import compose, to_inertial
from .assembly import (
    add_energy,
    add_force,
    add_mass,
    add_power,
    couple_particle,
    particle_force,
    particle_velocity,
    place_particle,
    relative_rate,
)
from .hinged_panel_kernel import AT as PANEL
from .hinged_panel_kernel import POINTS, hinge_energy, hinge_torque, latch_signals

AT = fields(work=1, panels=1, modes=1)
"""Parameters: start of the workspace; numbers of panels and modes. Then the parameters of each panel as in
`hinged_panel_kernel`, MODE for each mode, and the tables of the drives."""

MODE = fields(panel=1, stiffness=1, damping=1, rest=1, shapes=18)
"""Parameters of a mode: number of its panel from 0; w^2; 2 zeta w; modal mass that the points do not have;
displacement of each point."""

STATE = fields(axis=3, hinge=3, turn=4, axis_rate=3, hinge_rate=3, spin=3)
"""Workspace of a panel, hub components: axis, hinge, Euler parameters, rates of axis and hinge, angular velocity. After
the panels, the derivatives of the position of a point with respect to each coordinate (3 each)."""


@kernel(inline=True)
def _cross(a0, a1, a2, b0, b1, b2):
    """Return a x b."""
    return a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0


@kernel
def _place_panels(x, p, w, row, moving):
    """Write STATE of each panel; the rates are zero unless `moving`."""
    k, n = int(p[row + 2]), row + 4
    at = int(p[n + AT.work])
    zero = 0.0 * x[3]
    e0, e1, e2, e3 = 1.0 + zero, zero, zero, zero
    h0, h1, h2 = zero, zero, zero
    s0, s1, s2 = zero, zero, zero
    l0, l1, l2 = zero, zero, zero
    b0, b1, b2 = 0.0, 0.0, 0.0
    for i in range(int(p[n + AT.panels])):
        panel = n + AT.size + PANEL.size * i
        c0, c1, c2 = three(p, panel + PANEL.hinge)
        d0, d1, d2 = to_inertial(e0, e1, e2, e3, c0 - b0, c1 - b1, c2 - b2)
        b0, b1, b2 = c0, c1, c2
        g0, g1, g2 = _cross(s0, s1, s2, d0, d1, d2)
        h0, h1, h2 = h0 + d0, h1 + d1, h2 + d2
        l0, l1, l2 = l0 + g0, l1 + g1, l2 + g2
        z0, z1, z2 = three(p, panel + PANEL.axis)
        a0, a1, a2 = to_inertial(e0, e1, e2, e3, z0, z1, z2)
        f0, f1, f2 = _cross(s0, s1, s2, a0, a1, a2)
        q = x[7 + k + i]
        half, share = np.cos(0.5 * q), np.sin(0.5 * q)
        e0, e1, e2, e3 = compose(e0, e1, e2, e3, half, share * z0, share * z1, share * z2)
        rate = relative_rate(p, w, k + i) if moving else zero
        s0, s1, s2 = s0 + a0 * rate, s1 + a1 * rate, s2 + a2 * rate
        o = at + STATE.size * i
        w[o + STATE.axis], w[o + STATE.axis + 1], w[o + STATE.axis + 2] = a0, a1, a2
        w[o + STATE.hinge], w[o + STATE.hinge + 1], w[o + STATE.hinge + 2] = h0, h1, h2
        w[o + STATE.turn], w[o + STATE.turn + 1], w[o + STATE.turn + 2], w[o + STATE.turn + 3] = e0, e1, e2, e3
        w[o + STATE.axis_rate], w[o + STATE.axis_rate + 1], w[o + STATE.axis_rate + 2] = f0, f1, f2
        w[o + STATE.hinge_rate], w[o + STATE.hinge_rate + 1], w[o + STATE.hinge_rate + 2] = l0, l1, l2
        w[o + STATE.spin], w[o + STATE.spin + 1], w[o + STATE.spin + 2] = s0, s1, s2


@kernel
def _move_point(phase, x, p, w, row, i, point):
    """Add one point of panel i to the mass matrix (phase 0) or to the forces (phase 1)."""
    k, n = int(p[row + 2]), row + 4
    at, panels, modes = int(p[n + AT.work]), int(p[n + AT.panels]), int(p[n + AT.modes])
    panel, first = n + AT.size + PANEL.size * i, n + AT.size + PANEL.size * panels
    slopes, o = at + STATE.size * panels, at + STATE.size * i
    mass = p[panel + PANEL.mass]
    e0, e1, e2, e3 = w[o + STATE.turn], w[o + STATE.turn + 1], w[o + STATE.turn + 2], w[o + STATE.turn + 3]
    s0, s1, s2 = w[o + STATE.spin], w[o + STATE.spin + 1], w[o + STATE.spin + 2]
    zero = 0.0 * x[3]
    b0, b1, b2 = three(p, panel + PANEL.points + 3 * point)
    b0, b1, b2 = b0 + zero, b1 + zero, b2 + zero
    g0, g1, g2 = zero, zero, zero
    for j in range(modes):
        mode = first + MODE.size * j
        if int(p[mode + MODE.panel]) == i:
            f0, f1, f2 = three(p, mode + MODE.shapes + 3 * point)
            eta = x[7 + k + panels + j]
            b0, b1, b2 = b0 + eta * f0, b1 + eta * f1, b2 + eta * f2
            y0, y1, y2 = to_inertial(e0, e1, e2, e3, f0, f1, f2)
            m = slopes + 3 * (panels + j)
            w[m], w[m + 1], w[m + 2] = y0, y1, y2
            if phase == 1:
                rate = relative_rate(p, w, k + panels + j)
                g0, g1, g2 = g0 + rate * y0, g1 + rate * y1, g2 + rate * y2
    d0, d1, d2 = to_inertial(e0, e1, e2, e3, b0, b1, b2)
    r0, r1, r2 = w[o + STATE.hinge] + d0, w[o + STATE.hinge + 1] + d1, w[o + STATE.hinge + 2] + d2
    z0, z1, z2 = _cross(s0, s1, s2, d0, d1, d2)
    q0 = w[o + STATE.hinge_rate] + z0 + g0
    q1 = w[o + STATE.hinge_rate + 1] + z1 + g1
    q2 = w[o + STATE.hinge_rate + 2] + z2 + g2
    v0, v1, v2 = particle_velocity(p, w, r0, r1, r2, q0, q1, q2)
    if phase == 0:
        place_particle(p, w, mass, r0, r1, r2)
    for c in range(panels + modes):
        m = slopes + 3 * c
        f0, f1, f2 = zero, zero, zero
        if c < panels:
            if c > i:
                continue
            h = at + STATE.size * c
            a0, a1, a2 = w[h + STATE.axis], w[h + STATE.axis + 1], w[h + STATE.axis + 2]
            c0 = r0 - w[h + STATE.hinge]
            c1 = r1 - w[h + STATE.hinge + 1]
            c2 = r2 - w[h + STATE.hinge + 2]
            y0, y1, y2 = _cross(a0, a1, a2, c0, c1, c2)
            w[m], w[m + 1], w[m + 2] = y0, y1, y2
            if phase == 1:
                u0, u1, u2 = w[h + STATE.axis_rate], w[h + STATE.axis_rate + 1], w[h + STATE.axis_rate + 2]
                f0, f1, f2 = _cross(u0, u1, u2, c0, c1, c2)
                c0 = q0 - w[h + STATE.hinge_rate]
                c1 = q1 - w[h + STATE.hinge_rate + 1]
                c2 = q2 - w[h + STATE.hinge_rate + 2]
                u0, u1, u2 = _cross(a0, a1, a2, c0, c1, c2)
                f0, f1, f2 = f0 + u0, f1 + u1, f2 + u2
        else:
            if int(p[first + MODE.size * (c - panels) + MODE.panel]) != i:
                continue
            y0, y1, y2 = w[m], w[m + 1], w[m + 2]
            if phase == 1:
                f0, f1, f2 = _cross(s0, s1, s2, y0, y1, y2)
        if phase == 1:
            particle_force(p, w, k + c, mass, v0, v1, v2, y0, y1, y2, f0, f1, f2)
        else:
            couple_particle(p, w, k + c, mass, r0, r1, r2, y0, y1, y2)
            for b in range(c):
                other = slopes + 3 * b
                if b < panels:
                    if b > i:
                        continue
                elif int(p[first + MODE.size * (b - panels) + MODE.panel]) != i:
                    continue
                add_mass(p, w, 3 + k + c, 3 + k + b, mass * (y0 * w[other] + y1 * w[other + 1] + y2 * w[other + 2]))


@kernel
def panel_chain(phase, t, x, u, p, row, w):
    """Kernel of a chain of panels; see `polhode.plant.elements.element`."""
    k, n = int(p[row + 2]), row + 4
    panels, modes = int(p[n + AT.panels]), int(p[n + AT.modes])
    first = n + AT.size + PANEL.size * panels
    if phase == 2:
        for i in range(panels):
            add_energy(p, w, hinge_energy(t, x[7 + k + i], p, n + AT.size + PANEL.size * i))
        for j in range(modes):
            eta = x[7 + k + panels + j]
            add_energy(p, w, 0.5 * p[first + MODE.size * j + MODE.stiffness] * eta * eta)
    elif phase == 3:
        for i in range(panels):
            panel = n + AT.size + PANEL.size * i
            if p[panel + PANEL.latched] != 0.0:
                latch_signals(x[7 + k + i], relative_rate(p, w, k + i), p, w, panel)
    elif phase <= 1:
        _place_panels(x, p, w, row, phase == 1)
        for i in range(panels):
            for point in range(POINTS):
                _move_point(phase, x, p, w, row, i, point)
        if phase == 0:
            for j in range(modes):
                c = 3 + k + panels + j
                add_mass(p, w, c, c, p[first + MODE.size * j + MODE.rest])
        else:
            for i in range(panels):
                torque, power = hinge_torque(
                    t, x[7 + k + i], relative_rate(p, w, k + i), p, n + AT.size + PANEL.size * i
                )
                add_force(p, w, k + i, torque)
                add_power(p, w, power)
            for j in range(modes):
                c, mode = k + panels + j, first + MODE.size * j
                rate = relative_rate(p, w, c)
                friction = -p[mode + MODE.damping] * rate
                add_force(p, w, c, friction - p[mode + MODE.stiffness] * x[7 + c])
                add_power(p, w, friction * rate)
