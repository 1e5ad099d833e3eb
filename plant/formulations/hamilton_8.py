# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Hamilton's equations of order eight, with the canonical momenta: Shivarama & Fahrenthold (2004) (36).

    g = 4 G' J G e' = 2 G' J omega                     (17), (18)
    g' = k + 2 G' T + lambda e,  k = 4 G(e')' J G(e') e    (36), (20)
    e' = dH/dg = 1/4 G' J^-1 G g                       (31) with (22)

x = (g, e): generalised momenta (N m s) and Euler parameters. The paper eliminates lambda without stating its value.
Here it follows from the condition that e.g = 0, which (17) implies, is preserved: d(e.g)/dt = 0 gives

    lambda |e|^2 = -(e'.g + e.k) = -2 omega'J omega = -4 T,

the negative of the lambda in the Euler-parameter notes (29), of which (36) is the canonical form (there lambda is on
the left-hand side). lambda is not arbitrary: the step from (38) to (40) writes 1/2 Gdot g as -1/2 Omega h, which
requires e.g = 0. With e.g = d, (36) adds -1/4 d omega to h', so an error in e.g adds energy: use projection, or
`hamilton_8_canonical`.

(23), k = -dT/de with T of (22), holds only up to a multiple of e: e.k = +2T from (20), but e.dT/de = +2T too, since
(22) was simplified with G G' = I (otherwise it contains 1/|e|^4, and (23) is exact).
"""

from ..kernels.kernel import kernel
from ..kernels.rotation import parameter_rates
from .formulation import Formulation
from .pieces import applied_torque, g_times, g_transpose, inertia_times, inverse_times
from .projection import project_momenta


@kernel(inline=True)
def rate_of_momenta(x, p):
    """Return omega = 1/2 J^-1 G g."""
    a0, a1, a2 = g_times(x[4], x[5], x[6], x[7], x[0], x[1], x[2], x[3])
    return inverse_times(p, 0.5 * a0, 0.5 * a1, 0.5 * a2)


@kernel(inline=True)
def _kernel(x, w, p, dx):
    e0, e1, e2, e3 = x[4], x[5], x[6], x[7]
    w0, w1, w2 = rate_of_momenta(x, p)
    d0, d1, d2, d3 = parameter_rates(e0, e1, e2, e3, w0, w1, w2)
    a0, a1, a2 = g_times(d0, d1, d2, d3, e0, e1, e2, e3)
    a0, a1, a2 = inertia_times(p, 4.0 * a0, 4.0 * a1, 4.0 * a2)
    k0, k1, k2, k3 = g_transpose(d0, d1, d2, d3, a0, a1, a2)
    n0, n1, n2 = applied_torque(w, e0, e1, e2, e3)
    q0, q1, q2, q3 = g_transpose(e0, e1, e2, e3, 2.0 * n0, 2.0 * n1, 2.0 * n2)
    square = e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3
    along = d0 * x[0] + d1 * x[1] + d2 * x[2] + d3 * x[3] + e0 * k0 + e1 * k1 + e2 * k2 + e3 * k3
    multiplier = -along / square
    dx[0] = k0 + q0 + multiplier * e0
    dx[1] = k1 + q1 + multiplier * e1
    dx[2] = k2 + q2 + multiplier * e2
    dx[3] = k3 + q3 + multiplier * e3
    dx[4], dx[5], dx[6], dx[7] = d0, d1, d2, d3
    return multiplier


def enter_momenta(e0, e1, e2, e3, w0, w1, w2, p, x):
    """Write g = 2 G'J omega and e."""
    h0, h1, h2 = inertia_times(p, 2.0 * w0, 2.0 * w1, 2.0 * w2)
    x[0], x[1], x[2], x[3] = g_transpose(e0, e1, e2, e3, h0, h1, h2)
    x[4], x[5], x[6], x[7] = e0, e1, e2, e3


@kernel(inline=True)
def leave_momenta(x, p, y):
    """Write e and omega = 1/2 J^-1 G g."""
    y[0], y[1], y[2], y[3] = x[4], x[5], x[6], x[7]
    y[4], y[5], y[6] = rate_of_momenta(x, p)


FORMULATION = Formulation(
    name="hamilton-8",
    title="Hamilton, order 8, canonical momenta",
    source="Shivarama & Fahrenthold (2004) (36) with (20), (31)",
    states=("g_0", "g_1", "g_2", "g_3", "e_0", "e_1", "e_2", "e_3"),
    units=("N m s",) * 4 + ("1",) * 4,
    kernel=_kernel,
    enter=enter_momenta,
    leave=leave_momenta,
    project=project_momenta,
    multiplier="-2 omega'J omega",
)
"""Formulation in canonical momenta and Euler parameters, with the multiplier of the norm constraint."""
