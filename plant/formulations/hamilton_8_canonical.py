# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Hamilton's equations of order eight, derived from the energy T(g, e): Shivarama & Fahrenthold (2004) (31) with (22).

    e' = dH/dg = 1/4 G'J^-1 G g
    g' = -dH/de + 2 G'T + lambda e,  -dT/de = 1/2 G(g)'omega  for T = 1/8 g'G'J^-1 G g (22)

x = (g, e): generalised momenta (N m s) and Euler parameters. The only difference from `hamilton_8` is the derivative of
T, which (23) equates with k of (20): the two differ by 4 T e. Here e.dT/de = e'.g identically, so lambda = 0 preserves
e.g. Any lambda gives the same rotation, since the part of g along e has no effect: d(G g)/dt is independent of it. The
introduction of the paper describes this as the superfluous momentum and the arbitrary scalar of Morton's equations.
"""

from ..kernels.kernel import kernel
from ..kernels.rotation import parameter_rates
from .formulation import Formulation
from .hamilton_8 import enter_momenta, leave_momenta, rate_of_momenta
from .pieces import applied_torque, g_transpose
from .projection import project_momenta


@kernel(inline=True)
def _kernel(x, w, p, dx):
    e0, e1, e2, e3 = x[4], x[5], x[6], x[7]
    w0, w1, w2 = rate_of_momenta(x, p)
    d0, d1, d2, d3 = parameter_rates(e0, e1, e2, e3, w0, w1, w2)
    k0, k1, k2, k3 = parameter_rates(x[0], x[1], x[2], x[3], w0, w1, w2)
    n0, n1, n2 = applied_torque(w, e0, e1, e2, e3)
    q0, q1, q2, q3 = g_transpose(e0, e1, e2, e3, 2.0 * n0, 2.0 * n1, 2.0 * n2)
    along = d0 * x[0] + d1 * x[1] + d2 * x[2] + d3 * x[3] + e0 * k0 + e1 * k1 + e2 * k2 + e3 * k3
    multiplier = -along / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    dx[0] = k0 + q0 + multiplier * e0
    dx[1] = k1 + q1 + multiplier * e1
    dx[2] = k2 + q2 + multiplier * e2
    dx[3] = k3 + q3 + multiplier * e3
    dx[4], dx[5], dx[6], dx[7] = d0, d1, d2, d3
    return multiplier


FORMULATION = Formulation(
    name="hamilton-8-canonical",
    title="Hamilton, order 8, gradient of T(g, e)",
    source="Shivarama & Fahrenthold (2004) (31) with (22)",
    states=("g_0", "g_1", "g_2", "g_3", "e_0", "e_1", "e_2", "e_3"),
    units=("N m s",) * 4 + ("1",) * 4,
    kernel=_kernel,
    enter=enter_momenta,
    leave=leave_momenta,
    project=project_momenta,
    multiplier="0",
)
"""Formulation in canonical momenta and Euler parameters, with the canonical equations."""
