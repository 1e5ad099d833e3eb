# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The equations of motion: Hamilton's equations with Euler parameters.

    pi' = pi x omega + tau        omega = J^-1 pi       e' = 1/2 G(e)' omega
    P'  = f                       c' = P / m

with pi = h the angular momentum in body components (Shivarama & Fahrenthold 2004, (41)-(44); -Omega h there is
pi x omega here). tau holds the torque ports, the potentials (-1/2 G dV/de) and the dampers; f likewise
(-dV/dc). Where a ledger is asked for, the work of everything that is not a potential and the inertial angular
impulse of everything are integrated beside the state, so that energy and momentum can be balanced in any run.
"""

import numpy as np

from .kernel import kernel
from .parameters import (
    AT_DAMPERS,
    AT_PORTS,
    AT_POTENTIALS,
    FORCE_ROW,
    INERTIA,
    INVERSE,
    LEDGER,
    LINEAR_MOMENTUM,
    MASS,
    N_DAMPERS,
    N_PORTS,
    N_POTENTIALS,
    N_STATES,
    PORT_ROW,
    POSITION,
    SPRING,
    TRANSLATION,
    UNIFORM_GRAVITY,
    USER,
)
from .potentials.gravity_gradient import gravity_gradient_energy, gravity_gradient_load
from .potentials.spring import damper_load, spring_energy, spring_load
from .potentials.uniform_gravity import uniform_gravity_energy, uniform_gravity_load
from .rotation import parameter_rates, to_inertial
from .torque.kernels import conjugate_rates, torque_in_body

__all__ = ["body_rate", "derivative", "energy", "no_user_loads", "port_torque"]


@kernel
def no_user_loads(t, x, p, w):
    """A craft without potentials or efforts of the user's own: nothing to add."""


@kernel
def body_rate(x, p):
    """omega = J^-1 pi, body components, rad/s."""
    h0, h1, h2 = x[0], x[1], x[2]
    n = INVERSE
    return (
        p[n] * h0 + p[n + 1] * h1 + p[n + 2] * h2,
        p[n + 3] * h0 + p[n + 4] * h1 + p[n + 5] * h2,
        p[n + 6] * h0 + p[n + 7] * h1 + p[n + 8] * h2,
    )


@kernel
def port_torque(x, u, p, w0, w1, w2):
    """Body torque of all ports: the control input u[0:3], then gate and components of each scheduled torque."""
    e0, e1, e2, e3 = x[3], x[4], x[5], x[6]
    n = AT_PORTS
    basis = int(p[n])
    if basis == 0:
        t0, t1, t2 = u[0], u[1], u[2]
    else:
        i, j, k = int(p[n + 1]), int(p[n + 2]), int(p[n + 3])
        t0, t1, t2 = torque_in_body(basis, i, j, k, e0, e1, e2, e3, u[0], u[1], u[2])
    for port in range(1, int(p[N_PORTS])):
        m = 4 * port - 1
        if u[m].real == 0.0:
            continue
        n = AT_PORTS + PORT_ROW * port
        basis, i, j, k = int(p[n]), int(p[n + 1]), int(p[n + 2]), int(p[n + 3])
        c0, c1, c2 = u[m + 1], u[m + 2], u[m + 3]
        if p[n + 4] != 0.0 or p[n + 5] != 0.0 or p[n + 6] != 0.0:
            r0, r1, r2 = conjugate_rates(basis, i, j, k, e0, e1, e2, e3, w0, w1, w2)
            c0 = c0 - p[n + 4] * r0
            c1 = c1 - p[n + 5] * r1
            c2 = c2 - p[n + 6] * r2
        a0, a1, a2 = torque_in_body(basis, i, j, k, e0, e1, e2, e3, c0, c1, c2)
        t0 = t0 + a0
        t1 = t1 + a1
        t2 = t2 + a2
    return t0, t1, t2


@kernel
def derivative(t, x, u, p, dx, user):
    """Write dx/dt of the whole plant into dx; `user(t, x, p, w)` adds what the user wrote."""
    h0, h1, h2 = x[0], x[1], x[2]
    e0, e1, e2, e3 = x[3], x[4], x[5], x[6]
    w0, w1, w2 = body_rate(x, p)
    # Non-potential torque (a) and force (b), potential torque (c) and force (f).
    a0, a1, a2 = port_torque(x, u, p, w0, w1, w2)
    b0, b1, b2 = 0.0, 0.0, 0.0
    c0, c1, c2 = 0.0, 0.0, 0.0
    f0, f1, f2 = 0.0, 0.0, 0.0
    row = int(p[AT_POTENTIALS])
    for _ in range(int(p[N_POTENTIALS])):
        kind = int(p[row])
        if kind == UNIFORM_GRAVITY:
            y0, y1, y2, z0, z1, z2 = uniform_gravity_load(x, p, row)
        elif kind == SPRING:
            y0, y1, y2, z0, z1, z2 = spring_load(x, p, row)
        else:
            y0, y1, y2, z0, z1, z2 = gravity_gradient_load(t, x, p, row)
        c0, c1, c2 = c0 + y0, c1 + y1, c2 + y2
        f0, f1, f2 = f0 + z0, f1 + z1, f2 + z2
        row += FORCE_ROW
    row = int(p[AT_DAMPERS])
    for _ in range(int(p[N_DAMPERS])):
        y0, y1, y2, z0, z1, z2 = damper_load(x, p, row, w0, w1, w2)
        a0, a1, a2 = a0 + y0, a1 + y1, a2 + y2
        b0, b1, b2 = b0 + z0, b1 + z1, b2 + z2
        row += FORCE_ROW
    if p[USER] != 0.0:
        w = np.zeros(12, x.dtype)
        user(t, x, p, w)
        c0, c1, c2 = c0 + w[0], c1 + w[1], c2 + w[2]
        f0, f1, f2 = f0 + w[3], f1 + w[4], f2 + w[5]
        a0, a1, a2 = a0 + w[6], a1 + w[7], a2 + w[8]
        b0, b1, b2 = b0 + w[9], b1 + w[10], b2 + w[11]
    t0, t1, t2 = a0 + c0, a1 + c1, a2 + c2
    dx[0] = h1 * w2 - h2 * w1 + t0
    dx[1] = h2 * w0 - h0 * w2 + t1
    dx[2] = h0 * w1 - h1 * w0 + t2
    dx[3], dx[4], dx[5], dx[6] = parameter_rates(e0, e1, e2, e3, w0, w1, w2)
    power = a0 * w0 + a1 * w1 + a2 * w2
    if p[TRANSLATION] != 0.0:
        v0 = x[LINEAR_MOMENTUM] / p[MASS]
        v1 = x[LINEAR_MOMENTUM + 1] / p[MASS]
        v2 = x[LINEAR_MOMENTUM + 2] / p[MASS]
        dx[POSITION] = v0
        dx[POSITION + 1] = v1
        dx[POSITION + 2] = v2
        dx[LINEAR_MOMENTUM] = f0 + b0
        dx[LINEAR_MOMENTUM + 1] = f1 + b1
        dx[LINEAR_MOMENTUM + 2] = f2 + b2
        power = power + b0 * v0 + b1 * v1 + b2 * v2
    if p[LEDGER] != 0.0:
        n = int(p[N_STATES])
        dx[n - 4] = power
        dx[n - 3], dx[n - 2], dx[n - 1] = to_inertial(e0, e1, e2, e3, t0, t1, t2)


@kernel
def energy(t, x, p):
    """H = 1/2 pi.omega + P.P/2m + V of the built-in potentials, J; a user's own V is not in it."""
    w0, w1, w2 = body_rate(x, p)
    value = 0.5 * (x[0] * w0 + x[1] * w1 + x[2] * w2)
    if p[TRANSLATION] != 0.0:
        n = LINEAR_MOMENTUM
        value = value + 0.5 * (x[n] * x[n] + x[n + 1] * x[n + 1] + x[n + 2] * x[n + 2]) / p[MASS]
    row = int(p[AT_POTENTIALS])
    for _ in range(int(p[N_POTENTIALS])):
        kind = int(p[row])
        if kind == UNIFORM_GRAVITY:
            value = value + uniform_gravity_energy(x, p, row)
        elif kind == SPRING:
            value = value + spring_energy(x, p, row)
        else:
            value = value + gravity_gradient_energy(t, x, p, row)
        row += FORCE_ROW
    return value
