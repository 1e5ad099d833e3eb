# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Lagrangian form without multiplier: Euler-parameter notes (25), with the constraint differentiated twice (33).

    4 J G e'' + 8 G Gdot'J G e' = 2 n,   e.e'' = -e'.e'

x = (e, e'). The three rows and the constraint give four equations for e''. With G G' = |e|^2 I the solution is
e'' = G'J^-1 (n/2 - 2 G Gdot'J G e') / |e|^2 - e (e'.e') / |e|^2, which is (38) if |e| = 1.
"""

from ..kernels.kernel import kernel
from .lagrange import second_order, shorter_gyroscopic
from .pieces import applied_torque, g_times, g_transpose, inverse_times


@kernel(inline=True)
def _kernel(x, w, p, dx):
    e0, e1, e2, e3 = x[0], x[1], x[2], x[3]
    d0, d1, d2, d3 = x[4], x[5], x[6], x[7]
    c0, c1, c2, c3 = shorter_gyroscopic(x, p)
    c0, c1, c2 = g_times(e0, e1, e2, e3, c0, c1, c2, c3)
    n0, n1, n2 = applied_torque(w, e0, e1, e2, e3)
    square = e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3
    scale = 0.25 / square
    a0, a1, a2 = inverse_times(p, scale * (2.0 * n0 - c0), scale * (2.0 * n1 - c1), scale * (2.0 * n2 - c2))
    b0, b1, b2, b3 = g_transpose(e0, e1, e2, e3, a0, a1, a2)
    along = -(d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3) / square
    dx[0], dx[1], dx[2], dx[3] = d0, d1, d2, d3
    dx[4] = b0 + along * e0
    dx[5] = b1 + along * e1
    dx[6] = b2 + along * e2
    dx[7] = b3 + along * e3
    return 0.0


FORMULATION = second_order(
    name="lagrange-25",
    title="Lagrange, multiplier eliminated",
    source="Euler-parameter notes (25), (33)",
    kernel=_kernel,
)
"""Formulation in Euler parameters and their rates; see the module docstring."""
