# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel of thrusters and their tank: net force, and changes of mass, inertia and mass centre.

The states are the impulses I_j of the thrusters. With the thrust F_j, the effective exhaust velocity g0 Isp and the
tank at r_t,

    I_j' = F_j      mu_j = F_j / (g0 Isp)      m_t = m_0 - sum I_j / (g0 Isp)      J_t = J_0 (m_t / m_0)^n

The propellant is a rigid body of mass m_t and inertia J_t about the fixed point r_t, with n = 1 if it fills the tank
at uniform density (gas, or a solid that burns evenly), and n = 5/3 for a sphere of constant density.

Momentum balance of the open system. Let r' = r - c be positions from the mass centre c, and v' the velocities of
points of the spacecraft relative to it. The propellant flows along a straight line from r_t to the exit r_j. This flow
has the momentum mu_j (r_j - r_t) and the angular momentum mu_j r_t' x r_j' about c, relative to the spacecraft. Hence
for the momentum P = m v_c and the angular momentum h of the spacecraft without this flow, with the net force F and its
torque T about c,

    P' = F - sum mu_j [v_c + v'_j + w x (r_j - r_t)]          m c' = P - mu r_t'
    h' = T - sum mu_j [r_j' x (w x r_j') + w x (r_t' x r_j')] - mu r_t' x v_s

where v_s = v'_t - w x r_t' is the velocity at which other elements move the mass centre; the derivative of the flow's
angular momentum within the spacecraft and the torque of its momentum about the moving c cancel. For a spin about an
axis with r_t and r_j on the perpendicular through c this is the jet damping J w' = -mu (r_j^2 - r_t^2 - k^2) w of
Thomson & Reiter (1957), with k the radius of gyration of the propellant that is used.

Neglected: the transients when a valve opens or closes, whose impulses cancel over a pulse; slosh; curved pipes; swirl
in the tank. If `flow_momentum` is false, the propellant leaves at the tank, with the velocity that it has there. The
rotation then follows J w' + w x J w = T with the current J, as in Basilisk.
"""

from ..hub.mass_now import reduced_mass
from ..hub.parameters import HUB_V, LOST, OUT, OUT_OF, W_HUB, W_MOMENT
from ..kernels.fields import fields, three
from ..kernels.kernel import kernel
from .assembly import add_mass, add_power, add_signal, is_probed, place_particle, relative_rate

SPENT = 1e-9
"""Fraction of the propellant at the start below which the tank is empty; larger than the round-off of a run."""

AT = fields(
    at=1, rates=1, thrusters=1, propellant=1, flow=1, power=1, momentum=1, torque=1, tank=3, moments=3, products=3,
)  # fmt: skip
"""Parameters: start of the impulses in x and of their rates in w; number of thrusters; propellant at the start, kg;
1/(g0 Isp), s/m; exponent of the inertia; whether the flow has momentum, and the thrusters a torque; tank from the
reference point, m; moments xx, yy, zz and entries xy, xz, yz of the inertia of the propellant at the start. Then
THRUSTER for each thruster."""

THRUSTER = fields(position=3, force=3)
"""Parameters of a thruster: position from the reference point, m, and force on the spacecraft per thrust."""


@kernel(inline=True)
def _propellant(x, p, n):
    """Return the propellant used and left, kg."""
    at = int(p[n + AT.at])
    impulse = 0.0 * x[at]
    for j in range(int(p[n + AT.thrusters])):
        impulse = impulse + x[at + j]
    used = p[n + AT.flow] * impulse
    return used, p[n + AT.propellant] - used


@kernel
def _place_propellant(x, p, w, n):
    """Add the mass and inertia of the propellant left."""
    used, left = _propellant(x, p, n)
    hub = int(p[W_HUB])
    w[hub + LOST] = w[hub + LOST] + used
    r0, r1, r2 = three(p, n + AT.tank)
    place_particle(p, w, left, r0, r1, r2)
    share = max(left.real, 0.0) / p[n + AT.propellant]
    size = share ** p[n + AT.power]
    for i in range(3):
        add_mass(p, w, i, i, size * p[n + AT.moments + i])
    add_mass(p, w, 0, 1, size * p[n + AT.products])
    add_mass(p, w, 0, 2, size * p[n + AT.products + 1])
    add_mass(p, w, 1, 2, size * p[n + AT.products + 2])


@kernel(inline=True)
def _cross(a0, a1, a2, b0, b1, b2):
    """Return a x b."""
    return a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0


@kernel
def _flow(p, w, n, mu, r0, r1, r2):
    """Add the momentum of the flow mu from the tank to r."""
    d, hub = int(p[W_MOMENT]), int(p[W_HUB])
    out = hub + OUT
    share = 1.0 / reduced_mass(p, w)
    c0, c1, c2 = share * w[d], share * w[d + 1], share * w[d + 2]
    v0, v1, v2 = w[hub + HUB_V], w[hub + HUB_V + 1], w[hub + HUB_V + 2]
    w0, w1, w2 = relative_rate(p, w, -3), relative_rate(p, w, -2), relative_rate(p, w, -1)
    t0, t1, t2 = three(p, n + AT.tank)
    a0, a1, a2 = t0 - c0, t1 - c1, t2 - c2
    b0, b1, b2 = r0 - c0, r1 - c1, r2 - c2
    s0, s1, s2 = _cross(w0, w1, w2, c0, c1, c2)
    s0, s1, s2 = v0 + s0, v1 + s1, v2 + s2  # minus the velocity at which other elements move the mass centre
    q0, q1, q2 = _cross(w0, w1, w2, b0, b1, b2)  # v' at the exit, without s
    g0, g1, g2 = _cross(b0, b1, b2, q0, q1, q2)
    h0, h1, h2 = _cross(a0, a1, a2, b0, b1, b2)
    h0, h1, h2 = _cross(w0, w1, w2, h0, h1, h2)
    m0, m1, m2 = _cross(a0, a1, a2, s0, s1, s2)
    l0, l1, l2 = _cross(w0, w1, w2, r0 - t0, r1 - t1, r2 - t2)
    f0, f1, f2 = -mu * (s0 + q0 + l0), -mu * (s1 + q1 + l1), -mu * (s2 + q2 + l2)
    y0, y1, y2 = _cross(c0, c1, c2, f0, f1, f2)  # from the mass centre to the reference point
    o = out + OUT_OF.torque
    w[o] = w[o] - mu * (g0 + h0 + m0) + y0
    w[o + 1] = w[o + 1] - mu * (g1 + h1 + m1) + y1
    w[o + 2] = w[o + 2] - mu * (g2 + h2 + m2) + y2
    o = out + OUT_OF.force
    w[o], w[o + 1], w[o + 2] = w[o] + f0, w[o + 1] + f1, w[o + 2] + f2
    o = out + OUT_OF.shift
    w[o], w[o + 1], w[o + 2] = w[o] + mu * a0, w[o + 1] + mu * a1, w[o + 2] + mu * a2
    w[out + OUT_OF.flow] = w[out + OUT_OF.flow] + mu


@kernel
def _spend(x, p, w, n, mu):
    """Add the power of losing mass at constant momentum and, if flow momentum is off, of the propellant."""
    _, left = _propellant(x, p, n)
    hub = int(p[W_HUB])
    w0, w1, w2 = relative_rate(p, w, -3), relative_rate(p, w, -2), relative_rate(p, w, -1)
    t0, t1, t2 = three(p, n + AT.tank)
    q0, q1, q2 = _cross(w0, w1, w2, t0, t1, t2)
    q0, q1, q2 = q0 + w[hub + HUB_V], q1 + w[hub + HUB_V + 1], q2 + w[hub + HUB_V + 2]
    share = max(left.real, 0.0) / p[n + AT.propellant]
    slope = mu * p[n + AT.power] * share ** (p[n + AT.power] - 1.0) / p[n + AT.propellant]
    x0, x1, x2 = three(p, n + AT.moments)
    xy, xz, yz = three(p, n + AT.products)
    l0 = slope * (x0 * w0 + xy * w1 + xz * w2)
    l1 = slope * (xy * w0 + x1 * w1 + yz * w2)
    l2 = slope * (xz * w0 + yz * w1 + x2 * w2)
    add_power(p, w, 0.5 * (mu * (q0 * q0 + q1 * q1 + q2 * q2) + l0 * w0 + l1 * w1 + l2 * w2))
    if p[n + AT.momentum] == 0.0:
        o = hub + OUT + OUT_OF.torque
        w[o], w[o + 1], w[o + 2] = w[o] - l0, w[o + 1] - l1, w[o + 2] - l2


@kernel
def propulsion(phase, t, x, u, p, row, w):
    """Kernel of thrusters and tank; see `polhode.plant.elements.element`."""
    n = row + 4
    tank = p[n + AT.propellant] > 0.0
    if phase == 0:
        if tank:
            _place_propellant(x, p, w, n)
    elif phase == 1:
        if is_probed(p, w):
            return
        rates, out = int(p[n + AT.rates]), int(p[W_HUB]) + OUT
        used, left = _propellant(x, p, n)
        total = 0.0 * x[3]
        for j in range(int(p[n + AT.thrusters])):
            k = n + AT.size + THRUSTER.size * j
            if tank and left.real < -SPENT * p[n + AT.propellant]:
                w[rates + j] = 0.0 * w[rates + j]
            force = w[rates + j]
            mu = p[n + AT.flow] * force
            total = total + mu
            d0, d1, d2 = three(p, k + THRUSTER.force)
            o = out + OUT_OF.force
            w[o], w[o + 1], w[o + 2] = w[o] + force * d0, w[o + 1] + force * d1, w[o + 2] + force * d2
            r0, r1, r2 = three(p, k + THRUSTER.position)
            if p[n + AT.torque] != 0.0:
                o = out + OUT_OF.torque
                t0, t1, t2 = _cross(r0, r1, r2, force * d0, force * d1, force * d2)
                w[o], w[o + 1], w[o + 2] = w[o] + t0, w[o + 1] + t1, w[o + 2] + t2
            if tank and p[n + AT.momentum] != 0.0:
                _flow(p, w, n, mu, r0, r1, r2)
        if tank:
            if p[n + AT.momentum] == 0.0:
                r0, r1, r2 = three(p, n + AT.tank)
                _flow(p, w, n, total, r0, r1, r2)
            _spend(x, p, w, n, total)
    elif phase == 3 and tank:
        used, left = _propellant(x, p, n)
        add_signal(p, w, left)
        add_signal(p, w, 1.0 if left.real <= SPENT * p[n + AT.propellant] else 0.0)
