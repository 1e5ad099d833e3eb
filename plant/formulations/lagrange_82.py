# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Lagrangian form with the working part of the generalised force: Euler-parameter notes (82), augmented (83).

    4 G'J G e'' + 8 G'G Gdot'J G e' + e lambda = 2 H'E'f + 2 G'(M' + A'M),   e.e'' = -e'.e'

x = (e, e'). f is a force in inertial components at the body point u, and H = [0 -u'; u -u~] (67); a pure torque keeps
the form (43). The generalised force is linear in e, while 2 G'n is cubic. lambda = 2 e'H'E'f = 2 u.(A'f) (84). The
notes call 2 H'E'f the working part, but it still contains a part along e, which does no work. 2 G'n has no such part.
"""

from ..kernels.kernel import kernel
from .lagrange import full_gyroscopic, second_order, solve_augmented, working_force


@kernel(inline=True)
def _kernel(x, w, p, dx):
    c0, c1, c2, c3 = full_gyroscopic(x, p)
    q0, q1, q2, q3 = working_force(x, w)
    return solve_augmented(x, p, dx, q0 - c0, q1 - c1, q2 - c2, q3 - c3)


FORMULATION = second_order(
    name="lagrange-82",
    title="Lagrange, force linear in e",
    source="Euler-parameter notes (82), (83)",
    kernel=_kernel,
    multiplier="2 u.(A'f)",
)
"""Formulation in Euler parameters and their rates; see the module docstring."""
