# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Equations of motion: Hamilton's equations with Euler parameters.

    pi' = pi x omega + tau        e' = 1/2 G(e)' omega        (omega, sdot) = M(s)^-1 (pi, p)
    P'  = f                       c' = P / m                  p' = 1/2 v' (dM/ds) v - dV/ds - D sdot + u

with the angular momentum pi = h in body components (Shivarama & Fahrenthold 2004, (41)-(44); they write -Omega h for pi
x omega). s and p belong to internal elements (see `composition`); if there are no internal elements, omega = J^-1 pi.
tau is the sum of the torque ports, the potentials (-1/2 G dV/de) and the dampers. f is the corresponding sum of forces,
with -dV/dc for the potentials. If there is a ledger, the work of all non-conservative forces and the inertial angular
impulse of all torques are integrated along with the state. Energy and momentum can then be balanced in any run.
"""

from ..kernels.fields import matrix_times
from ..kernels.kernel import kernel
from ..kernels.lanes import shared
from ..kernels.rotation import parameter_rates, to_body, to_inertial
from ..loads.field_loads import held_force, hub_force
from ..loads.potentials.kinds import FIRST_WITHOUT_ENERGY, potential_energy, potential_load
from ..loads.potentials.spring import damper_load
from ..loads.torque.torque_kernels import (
    BODY,
    ON_COORDINATE,
    commanded_torque,
    conjugate_rates,
    pulse_share,
    torque_in_body,
)
from .composition import element_energy, element_forces, solve_velocities
from .element_calls import RATES, SEE, call_view
from .mass_now import total_mass
from .parameters import (
    AT_DAMPERS,
    AT_PORTS,
    AT_POTENTIALS,
    BARE,
    CENTRE,
    CONSTANT,
    FORCE_ROW,
    HELD,
    INTERNAL,
    INVERSE,
    LEDGER,
    LINEAR_MOMENTUM,
    N_DAMPERS,
    N_ELEMENTS,
    N_INTERNAL,
    N_PORTS,
    N_POTENTIALS,
    N_STATES,
    OUT,
    OUT_OF,
    OUTFLOW,
    OWN_AT,
    OWN_SIZE,
    PORT,
    POSITION,
    PULSE,
    PULSES,
    REDUCED,
    SHARE,
    THROUGH_ELEMENTS,
    TRANSLATION,
    USER,
    VIEW,
    W_G,
    W_HUB,
    W_OWN,
    W_SUMS,
    W_V,
)
from .place import centre_from_pivot


@kernel
def no_user_loads(t, x, p, dx, w):
    """Add nothing: the loads of a spacecraft without user-defined potentials or user forces."""


@kernel(inline=True, lanes=True)
def momentum_to_rate(h0, h1, h2, p):
    """Return J^-1 h."""
    return matrix_times(p, INVERSE, h0, h1, h2)


@kernel
def _other_rate(t, x, u, p, w):
    """Return omega of a spacecraft that has elements or is integrated in a formulation's own states."""
    if p[VIEW] != 0.0:  # momentum and Euler parameters are computed from the states of the formulation
        call_view(SEE, t, x, x, p, w)
        if p[N_ELEMENTS] == 0.0:
            w0, w1, w2 = momentum_to_rate(x[0], x[1], x[2], p)
            v = int(p[W_V])
            w[v], w[v + 1], w[v + 2] = w0, w1, w2
            return w0, w1, w2
    return solve_velocities(t, x, u, p, w)


@kernel(inline=True)
def body_rate(t, x, u, p, w):
    """Return omega, body components, rad/s, and write it to the workspace."""
    if p[BARE] != 0.0:
        w0, w1, w2 = momentum_to_rate(x[0], x[1], x[2], p)
        v = int(p[W_V])
        w[v], w[v + 1], w[v + 2] = w0, w1, w2
    else:
        w0, w1, w2 = _other_rate(t, x, u, p, w)
    return w0, w1, w2


@kernel(inline=True, lanes=True)
def rotation_rates(h0, h1, h2, e0, e1, e2, e3, w0, w1, w2, t0, t1, t2):
    """Return pi' = pi x omega + tau and e' = 1/2 G' omega."""
    a, b, c, d = parameter_rates(e0, e1, e2, e3, w0, w1, w2)
    return h1 * w2 - h2 * w1 + t0, h2 * w0 - h0 * w2 + t1, h0 * w1 - h1 * w0 + t2, a, b, c, d


@kernel(inline=True, lanes=True)
def free_body_rates(h0, h1, h2, e0, e1, e2, e3, t0, t1, t2, p):
    """Like `rotation_rates`, for a body without elements: omega is computed from the momentum."""
    w0, w1, w2 = momentum_to_rate(h0, h1, h2, p)
    return rotation_rates(h0, h1, h2, e0, e1, e2, e3, w0, w1, w2, t0, t1, t2)


@kernel(inline=True)
def _outside_torque(t, x, u, p, w0, w1, w2):
    """Return `port_torque`, with a shortcut if a control torque in body axes is the only port."""
    if p[AT_PORTS] == BODY and p[N_PORTS] == 1.0 and p[THROUGH_ELEMENTS] == 0.0:
        a0, a1, a2 = u[0], u[1], u[2]
    else:
        a0, a1, a2 = port_torque(t, x, u, p, w0, w1, w2)
    return a0, a1, a2


@kernel
def port_torque(t, x, u, p, w0, w1, w2):
    """Return the body torque of all external ports.

    u: control input (3), then gate and peak components of each pulse.
    """
    e0, e1, e2, e3 = x[3], x[4], x[5], x[6]
    t0, t1, t2 = commanded_torque(x, u, p)
    if p[THROUGH_ELEMENTS] != 0.0:
        t0, t1, t2 = 0.0 * t0, 0.0 * t1, 0.0 * t2
    for port in range(1, int(p[N_PORTS])):
        pulse = PULSES + PULSE.size * (port - 1)
        if u[pulse + PULSE.gate].real == 0.0:
            continue
        row = AT_PORTS + PORT.size * port
        basis, axes = int(p[row + PORT.basis]), row + PORT.axes
        if basis >= ON_COORDINATE:  # handled by its element
            continue
        i, j, k = int(p[axes]), int(p[axes + 1]), int(p[axes + 2])
        share = pulse_share(t, p[row + PORT.start], p[row + PORT.turning])
        n = pulse + PULSE.torque
        c0, c1, c2 = share * u[n], share * u[n + 1], share * u[n + 2]
        n = row + PORT.damping
        if p[n] != 0.0 or p[n + 1] != 0.0 or p[n + 2] != 0.0:
            r0, r1, r2 = conjugate_rates(basis, i, j, k, e0, e1, e2, e3, w0, w1, w2)
            c0 = c0 - p[n] * r0
            c1 = c1 - p[n + 1] * r1
            c2 = c2 - p[n + 2] * r2
        a0, a1, a2 = torque_in_body(basis, i, j, k, e0, e1, e2, e3, c0, c1, c2)
        t0 = t0 + a0
        t1 = t1 + a1
        t2 = t2 + a2
    return t0, t1, t2


@kernel
def potential_loads(t, x, p, w):
    """Return torque (body) and force (inertial) of the built-in potentials.

    The power of potentials without an energy is also returned.
    """
    c0, c1, c2 = 0.0, 0.0, 0.0
    f0, f1, f2 = 0.0, 0.0, 0.0
    power = 0.0
    row = int(p[AT_POTENTIALS])
    for _ in range(int(p[N_POTENTIALS])):
        y0, y1, y2, z0, z1, z2 = potential_load(int(p[row]), t, x, p, row + 1, w)
        c0, c1, c2 = c0 + y0, c1 + y1, c2 + y2
        f0, f1, f2 = f0 + z0, f1 + z1, f2 + z2
        if p[row] >= FIRST_WITHOUT_ENERGY:
            v = int(p[W_V])
            power = power + y0 * w[v] + y1 * w[v + 1] + y2 * w[v + 2]
            if p[TRANSLATION] != 0.0:
                m = int(p[LINEAR_MOMENTUM])
                power = power + (z0 * x[m] + z1 * x[m + 1] + z2 * x[m + 2]) / total_mass(p, w)
        row += FORCE_ROW
    return c0, c1, c2, f0, f1, f2, power


@kernel
def damper_loads(x, p, w0, w1, w2):
    """Return torque (body) and force (inertial) of the dampers."""
    a0, a1, a2 = 0.0, 0.0, 0.0
    b0, b1, b2 = 0.0, 0.0, 0.0
    row = int(p[AT_DAMPERS])
    for _ in range(int(p[N_DAMPERS])):
        y0, y1, y2, z0, z1, z2 = damper_load(x, p, row, w0, w1, w2)
        a0, a1, a2 = a0 + y0, a1 + y1, a2 + y2
        b0, b1, b2 = b0 + z0, b1 + z1, b2 + z2
        row += FORCE_ROW
    return a0, a1, a2, b0, b1, b2


@kernel
def add_load(x, p, dx, w, works, t0, t1, t2, f0, f1, f2):
    """Add a torque (body) and a force (inertial) to dx.

    works: whether the ledger counts the work of the load. If true, the force acts on the hub, at its mass centre. If
    false, the force belongs to a potential and acts at the total mass centre (see `place`). The torque refers to the
    point of application.
    """
    power = 0.0 * t0
    if p[HELD] != 0.0:
        b0, b1, b2 = p[CENTRE] + power, p[CENTRE + 1] + power, p[CENTRE + 2] + power
        if not works:
            b0, b1, b2 = centre_from_pivot(x, p, w)
            if p[SHARE] > 0.0:
                held_force(x, p, dx, w, f0, f1, f2)
        a0, a1, a2 = to_body(x[3], x[4], x[5], x[6], f0, f1, f2)
        t0, t1, t2 = t0 + b1 * a2 - b2 * a1, t1 + b2 * a0 - b0 * a2, t2 + b0 * a1 - b1 * a0
    elif works and p[REDUCED] > 0.0:
        y0, y1, y2, power = hub_force(x, p, dx, w, f0, f1, f2)
        t0, t1, t2 = t0 + y0, t1 + y1, t2 + y2
    dx[0] = dx[0] + t0
    dx[1] = dx[1] + t1
    dx[2] = dx[2] + t2
    position, linear = int(p[POSITION]), int(p[LINEAR_MOMENTUM])
    if p[TRANSLATION] != 0.0:
        dx[linear] = dx[linear] + f0
        dx[linear + 1] = dx[linear + 1] + f1
        dx[linear + 2] = dx[linear + 2] + f2
    if p[LEDGER] != 0.0:
        n = int(p[N_STATES])
        i0, i1, i2 = to_inertial(x[3], x[4], x[5], x[6], t0, t1, t2)
        dx[n - 3] = dx[n - 3] + i0
        dx[n - 2] = dx[n - 2] + i1
        dx[n - 1] = dx[n - 1] + i2
        if works:
            v = int(p[W_V])
            dx[n - 4] = dx[n - 4] + t0 * w[v] + t1 * w[v + 1] + t2 * w[v + 2] + power
            if p[TRANSLATION] != 0.0:
                m = position
                dx[n - 4] = dx[n - 4] + f0 * dx[m] + f1 * dx[m + 1] + f2 * dx[m + 2]


@kernel
def _translate(x, p, dx, w, f0, f1, f2):
    """Set c' = P/m and P' = f."""
    position, linear, mass = int(p[POSITION]), int(p[LINEAR_MOMENTUM]), total_mass(p, w)
    for n in range(3):
        dx[position + n] = x[linear + n] / mass
    dx[linear] = f0
    dx[linear + 1] = f1
    dx[linear + 2] = f2


@kernel
def _add_outflow(x, p, dx, w):
    """Add the force of the thrusters, and the momentum of the propellant that leaves, to dx.

    The mass that leaves carries away the momentum -m' P/m per unit time. As the tank at r_t empties, the mass centre
    moves within the spacecraft at the velocity m' (r_t - c)/m.
    """
    out = int(p[W_HUB]) + OUT
    n = out + OUT_OF.force
    f0, f1, f2 = to_inertial(x[3], x[4], x[5], x[6], w[n], w[n + 1], w[n + 2])
    n = out + OUT_OF.torque
    add_load(x, p, dx, w, True, w[n], w[n + 1], w[n + 2], f0, f1, f2)
    if p[TRANSLATION] != 0.0:
        position, linear, mass = int(p[POSITION]), int(p[LINEAR_MOMENTUM]), total_mass(p, w)
        share, n = w[out + OUT_OF.flow] / mass, out + OUT_OF.shift
        s0, s1, s2 = to_inertial(x[3], x[4], x[5], x[6], w[n], w[n + 1], w[n + 2])
        if p[LEDGER] != 0.0:
            square = x[linear] * x[linear] + x[linear + 1] * x[linear + 1] + x[linear + 2] * x[linear + 2]
            dx[int(p[N_STATES]) - 4] = dx[int(p[N_STATES]) - 4] - 0.5 * share * square / mass
        for k in range(3):
            dx[linear + k] = dx[linear + k] - share * x[linear + k]
        dx[position] = dx[position] - s0 / mass
        dx[position + 1] = dx[position + 1] - s1 / mass
        dx[position + 2] = dx[position + 2] - s2 / mass


@kernel(inline=True)
def element_rates(p, dx, w):
    """Set s' and p' from the velocities and forces of the elements. Return the power of their friction and motors."""
    n = int(shared(p, N_INTERNAL))
    v, g = int(shared(p, W_V)), int(shared(p, W_G))
    for k in range(n):
        dx[INTERNAL + k] = w[v + 3 + k]
        dx[INTERNAL + n + k] = w[g + k]
    at, rates = int(shared(p, OWN_AT)), int(shared(p, W_OWN))
    for k in range(int(shared(p, OWN_SIZE))):
        dx[at + k] = w[rates + k]
    return w[int(shared(p, W_SUMS))]


@kernel
def _move_elements(t, x, u, p, dx, w):
    """Set s' = sdot, and p' from the elements. Return the power of their friction and motors."""
    element_forces(t, x, u, p, w)
    return element_rates(p, dx, w)


@kernel(inline=True)
def derivative(t, x, u, p, dx, user, w):
    """Write dx/dt of the whole plant to dx; `user(t, x, p, dx, w)` adds user-defined loads."""
    w0, w1, w2 = body_rate(t, x, u, p, w)
    rates_of(t, x, u, p, dx, user, w, w0, w1, w2)


@kernel(inline=True)
def rates_of(t, x, u, p, dx, user, w, w0, w1, w2):
    """Like `derivative`, with the velocities already in the workspace."""
    h0, h1, h2 = x[0], x[1], x[2]
    e0, e1, e2, e3 = x[3], x[4], x[5], x[6]
    # Non-potential torque (a) and force (b), potential torque (c) and force (f).
    b0, b1, b2 = 0.0, 0.0, 0.0
    c0, c1, c2 = 0.0, 0.0, 0.0
    f0, f1, f2 = 0.0, 0.0, 0.0
    work = 0.0
    a0, a1, a2 = _outside_torque(t, x, u, p, w0, w1, w2)
    if p[N_POTENTIALS] != 0.0:
        c0, c1, c2, f0, f1, f2, work = potential_loads(t, x, p, w)
    if p[N_DAMPERS] != 0.0:
        y0, y1, y2, b0, b1, b2 = damper_loads(x, p, w0, w1, w2)
        a0, a1, a2 = a0 + y0, a1 + y1, a2 + y2
    t0, t1, t2 = a0 + c0, a1 + c1, a2 + c2
    dx[0], dx[1], dx[2], dx[3], dx[4], dx[5], dx[6] = rotation_rates(h0, h1, h2, e0, e1, e2, e3, w0, w1, w2, t0, t1, t2)
    power = a0 * w0 + a1 * w1 + a2 * w2 + work
    if p[N_ELEMENTS] != 0.0:
        power = power + _move_elements(t, x, u, p, dx, w)
    if p[TRANSLATION] != 0.0:
        _translate(x, p, dx, w, f0 + b0, f1 + b1, f2 + b2)
        m = int(p[POSITION])
        power = power + b0 * dx[m] + b1 * dx[m + 1] + b2 * dx[m + 2]
    if p[LEDGER] != 0.0:
        n = int(p[N_STATES])
        dx[n - 4] = power
        dx[n - 3], dx[n - 2], dx[n - 1] = to_inertial(e0, e1, e2, e3, t0, t1, t2)
    if p[OUTFLOW] != 0.0:
        _add_outflow(x, p, dx, w)
    if p[USER] != 0.0:
        user(t, x, p, dx, w)
    if p[VIEW] != 0.0:
        call_view(RATES, t, x, dx, p, w)


@kernel
def hub_rates_of(t, x, u, p, dx, user, w, w0, w1, w2):
    """Like `rates_of`, for a caller that reads only the rates of the hub's momentum, dx[0] to dx[2].

    If no element changes the mass matrix, these rates depend only on the external torque, and no element is called.
    """
    loaded = p[N_POTENTIALS] != 0.0 or p[N_DAMPERS] != 0.0 or p[USER] != 0.0 or p[VIEW] != 0.0 or p[OUTFLOW] != 0.0
    if loaded or (p[N_ELEMENTS] != 0.0 and p[CONSTANT] == 0.0):
        rates_of(t, x, u, p, dx, user, w, w0, w1, w2)
    else:
        h0, h1, h2 = x[0], x[1], x[2]
        a0, a1, a2 = _outside_torque(t, x, u, p, w0, w1, w2)
        dx[0] = h1 * w2 - h2 * w1 + (a0 + 0.0)
        dx[1] = h2 * w0 - h0 * w2 + (a1 + 0.0)
        dx[2] = h0 * w1 - h1 * w0 + (a2 + 0.0)


@kernel
def energy(t, x, u, p, w):
    """Return H = 1/2 (pi, p).v + P.P/2m + V, J, without user-defined potentials."""
    body_rate(t, x, u, p, w)
    return energy_of(t, x, u, p, w)


@kernel
def energy_of(t, x, u, p, w):
    """Like `energy`, with the velocities already in the workspace."""
    if p[N_ELEMENTS] == 0.0:
        v = int(p[W_V])
        value = 0.5 * (x[0] * w[v] + x[1] * w[v + 1] + x[2] * w[v + 2])
    else:
        value = element_energy(t, x, u, p, w)
    if p[TRANSLATION] != 0.0:
        n = int(p[LINEAR_MOMENTUM])
        value = value + 0.5 * (x[n] * x[n] + x[n + 1] * x[n + 1] + x[n + 2] * x[n + 2]) / total_mass(p, w)
    row = int(p[AT_POTENTIALS])
    for _ in range(int(p[N_POTENTIALS])):
        value = value + potential_energy(int(p[row]), t, x, p, row + 1, w)
        row += FORCE_ROW
    return value
