# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Lagrangian form with the generalised force B2'f: Euler-parameter notes (62), (69).

    4 G'J G e'' + 8 G'G Gdot'J G e' + e lambda = B2'f + 2 G'(M' + A'M),   B2'f = 2 H'E'f + 2 e u.f

x = (e, e'). B2 = d(A u)/de, the derivative of the rotation matrix A = (2 e0^2 - 1) I + 2 (e e' + e0 e~) as printed in
(5). Another polynomial that equals A on |e| = 1 gives another B2 (see `matrix_B2`). lambda = 2 u.(A'f) + 2 u.f.
"""

from ..kernels.fields import three
from ..kernels.kernel import kernel
from ..kernels.vectors import dot
from .lagrange import full_gyroscopic, second_order, solve_augmented, working_force
from .pieces import LOAD


@kernel(inline=True)
def _kernel(x, w, p, dx):
    c0, c1, c2, c3 = full_gyroscopic(x, p)
    q0, q1, q2, q3 = working_force(x, w)
    idle = 2.0 * dot(three(w, LOAD.force), three(w, LOAD.point))
    r0, r1, r2, r3 = q0 + idle * x[0] - c0, q1 + idle * x[1] - c1, q2 + idle * x[2] - c2, q3 + idle * x[3] - c3
    return solve_augmented(x, p, dx, r0, r1, r2, r3)


FORMULATION = second_order(
    name="lagrange-qp2",
    title="Lagrange, force from dA/de",
    source="Euler-parameter notes (62), (69) in (23)",
    kernel=_kernel,
    multiplier="2 u.(A'f) + 2 u.f",
)
"""Formulation in Euler parameters and their rates; see the module docstring."""
