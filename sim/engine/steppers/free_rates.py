# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Derivatives of a free body whose only torque is constant in body axes.

The arithmetic follows `polhode.plant.hub.dynamics.derivative` operation by operation, so that the results are
bitwise identical.
"""

from ....plant.hub import parameters as at
from ....plant.hub.dynamics import free_body_rates, momentum_to_rate
from ....plant.kernels.kernel import kernel
from ....plant.kernels.rotation import to_inertial
from ....plant.loads.torque.torque_kernels import BODY


@kernel(inline=True)
def is_free(p):
    """Return whether the only load is a torque in body axes, and the states are momentum and attitude."""
    acting = p[at.N_POTENTIALS] + p[at.N_DAMPERS] + p[at.USER] + p[at.N_ELEMENTS] + p[at.VIEW]
    return acting + p[at.TRANSLATION] == 0.0 and p[at.N_PORTS] == 1.0 and p[at.AT_PORTS + at.PORT.basis] == BODY


@kernel(inline=True, lanes=True)
def free_rates(ledger, h0, h1, h2, e0, e1, e2, e3, u0, u1, u2, p):
    """Return the rates of momentum, Euler parameters, work and impulse (zero if there is no ledger)."""
    a, b, c, d, e, f, g = free_body_rates(h0, h1, h2, e0, e1, e2, e3, u0, u1, u2, p)
    power, i0, i1, i2 = 0.0, 0.0, 0.0, 0.0
    if ledger:
        w0, w1, w2 = momentum_to_rate(h0, h1, h2, p)
        power = u0 * w0 + u1 * w1 + u2 * w2
        i0, i1, i2 = to_inertial(e0, e1, e2, e3, u0, u1, u2)
    return a, b, c, d, e, f, g, power, i0, i1, i2


@kernel(inline=True)
def free_derivative(x, u, p, dx):
    """Write dx/dt of a free body to dx."""
    u0, u1, u2 = u[0], u[1], u[2]
    ledger = p[at.LEDGER] != 0.0
    a, b, c, d, e, f, g, power, i0, i1, i2 = free_rates(ledger, x[0], x[1], x[2], x[3], x[4], x[5], x[6], u0, u1, u2, p)
    dx[0], dx[1], dx[2], dx[3], dx[4], dx[5], dx[6] = a, b, c, d, e, f, g
    if ledger:
        dx[7], dx[8], dx[9], dx[10] = power, i0, i1, i2
