# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Lagrangian form with the shorter gyroscopic term: Euler-parameter notes (29), augmented (39).

    4 G'J G e'' + 8 Gdot'J G e' + e lambda = 2 G'n,   e.e'' = -e'.e'

x = (e, e'). The gyroscopic term is of third order in the Euler parameters; in (23) it is of fifth order. The multiplier
compensates for the omitted terms: lambda = -8 e'Gdot'J G e' = 2 omega'J omega = 4 T (30), twice the lambda of Schwab &
Meijaard (2006) (43), whose constraint has gradient 2e.
"""

from ..kernels.kernel import kernel
from .lagrange import second_order, shorter_gyroscopic, solve_augmented, torque_force


@kernel(inline=True)
def _kernel(x, w, p, dx):
    c0, c1, c2, c3 = shorter_gyroscopic(x, p)
    q0, q1, q2, q3 = torque_force(x, w)
    return solve_augmented(x, p, dx, q0 - c0, q1 - c1, q2 - c2, q3 - c3)


FORMULATION = second_order(
    name="lagrange-29",
    title="Lagrange, shorter gyroscopic term",
    source="Euler-parameter notes (29), (39)",
    kernel=_kernel,
    multiplier="2 omega'J omega",
)
"""Formulation in Euler parameters and their rates; see the module docstring."""
