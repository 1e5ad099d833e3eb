# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Hamilton's equations of order seven, unconstrained: Shivarama & Fahrenthold (2004) (42), (44).

    h' = -Omega h + T        e' = 1/2 G' J^-1 h

x = (h, e): angular momentum in body components (N m s) and Euler parameters, as in `polhode.plant.hub.dynamics`. There
is no multiplier, since the state omits the momentum along e, which has no effect. The equations hold for any |e|:
d|e|^2/dt = e'G'omega = 0 exactly, so only the truncation error of the integrator changes the norm. The third row of (8)
in the paper is misprinted; see `pieces.g_times`.
"""

from ..kernels.kernel import kernel
from ..kernels.rotation import parameter_rates
from .formulation import Formulation
from .pieces import applied_torque, inertia_times, inverse_times
from .projection import project_attitude_after_three


@kernel(inline=True)
def _kernel(x, w, p, dx):
    h0, h1, h2 = x[0], x[1], x[2]
    e0, e1, e2, e3 = x[3], x[4], x[5], x[6]
    w0, w1, w2 = inverse_times(p, h0, h1, h2)
    n0, n1, n2 = applied_torque(w, e0, e1, e2, e3)
    dx[0] = h1 * w2 - h2 * w1 + n0
    dx[1] = h2 * w0 - h0 * w2 + n1
    dx[2] = h0 * w1 - h1 * w0 + n2
    dx[3], dx[4], dx[5], dx[6] = parameter_rates(e0, e1, e2, e3, w0, w1, w2)
    return 0.0


def _enter(e0, e1, e2, e3, w0, w1, w2, p, x):
    x[0], x[1], x[2] = inertia_times(p, w0, w1, w2)
    x[3], x[4], x[5], x[6] = e0, e1, e2, e3


@kernel(inline=True)
def _leave(x, p, y):
    y[0], y[1], y[2], y[3] = x[3], x[4], x[5], x[6]
    y[4], y[5], y[6] = inverse_times(p, x[0], x[1], x[2])


FORMULATION = Formulation(
    name="hamilton-7",
    title="Hamilton, order 7",
    source="Shivarama & Fahrenthold (2004) (42), (44)",
    states=("h_1", "h_2", "h_3", "e_0", "e_1", "e_2", "e_3"),
    units=("N m s",) * 3 + ("1",) * 4,
    kernel=_kernel,
    enter=_enter,
    leave=_leave,
    project=project_attitude_after_three,
)
"""Formulation in the momentum in body components and Euler parameters."""
