# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Lagrangian form with both simplifications: the gyroscopic term of the Euler-parameter notes (29), the force of (82).

    4 G'J G e'' + 8 Gdot'J G e' + e lambda = 2 H'E'f + 2 G'(M' + A'M),   e.e'' = -e'.e'

x = (e, e'). The notes do not combine the two simplifications. The multipliers add up: 2 omega'J omega + 2 u.(A'f).
"""

from ..kernels.kernel import kernel
from .lagrange import second_order, shorter_gyroscopic, solve_augmented, working_force


@kernel(inline=True)
def _kernel(x, w, p, dx):
    c0, c1, c2, c3 = shorter_gyroscopic(x, p)
    q0, q1, q2, q3 = working_force(x, w)
    return solve_augmented(x, p, dx, q0 - c0, q1 - c1, q2 - c2, q3 - c3)


FORMULATION = second_order(
    name="lagrange-29-82",
    title="Lagrange, both simplifications",
    source="Euler-parameter notes (29) with (82)",
    kernel=_kernel,
    multiplier="2 omega'J omega + 2 u.(A'f)",
)
"""Formulation in Euler parameters and their rates; see the module docstring."""
