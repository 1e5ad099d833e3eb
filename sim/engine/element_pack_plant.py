# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Plant of a hub with elements for several runs: velocities, rates of change, and signal records.

The control torque is in body axes, and there are no other loads. The elements are called with the kernels of their
vector versions (`polhode.plant.elements.element`). The functions that compose their contributions are taken from the
general plant and compiled for vectors, so that each run is bitwise identical to the same run simulated individually.
"""

from ...plant.hub.composition import own_forces, solve_densely
from ...plant.hub.dynamics import element_rates, momentum_to_rate, rotation_rates
from ...plant.hub.parameters import BARE, LEDGER, N_STATES, THROUGH_ELEMENTS, W_V
from ...plant.kernels.kernel import kernel
from ...plant.kernels.lanes import shared
from ...plant.kernels.rotation import to_inertial
from .element_pack_wheel import tally_wheels


@kernel
def hub_rate(x, p, demand, w):
    """Write all velocities to the workspace, and return omega, rad/s. No element depends on time."""
    if shared(p, BARE) != 0.0:
        w0, w1, w2 = momentum_to_rate(x[0], x[1], x[2], p)
        return w0, w1, w2
    solve_densely(0.0, x, demand, p, w)
    v = int(shared(p, W_V))
    return w[v], w[v + 1], w[v + 2]


@kernel
def pack_derivative(x, u, p, demand, w, dx):
    """Write dx/dt to dx."""
    w0, w1, w2 = hub_rate(x, p, demand, w)
    a0, a1, a2 = u[0], u[1], u[2]
    if shared(p, THROUGH_ELEMENTS) != 0.0:
        a0, a1, a2 = 0.0 * a0, 0.0 * a1, 0.0 * a2
    t0, t1, t2 = a0 + 0.0, a1 + 0.0, a2 + 0.0
    dx[0], dx[1], dx[2], dx[3], dx[4], dx[5], dx[6] = rotation_rates(
        x[0], x[1], x[2], x[3], x[4], x[5], x[6], w0, w1, w2, t0, t1, t2
    )
    power = a0 * w0 + a1 * w1 + a2 * w2
    own_forces(0.0, x, demand, p, w)
    work = element_rates(p, dx, w)
    if shared(p, LEDGER) != 0.0:
        last = int(shared(p, N_STATES))
        dx[last - 4] = power + work
        dx[last - 3], dx[last - 2], dx[last - 1] = to_inertial(x[3], x[4], x[5], x[6], t0, t1, t2)


@kernel
def tally_pack(accepted, h, x, p, demand, wheels, w, tally):
    """Update the signal records of the runs that accepted a step of length h that ended in x; w: workspace."""
    if tally.size > 0:
        solve_densely(0.0, x, demand, p, w)
        tally_wheels(accepted, h, x, p, demand, wheels, w, tally)
