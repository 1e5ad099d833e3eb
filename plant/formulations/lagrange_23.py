# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Lagrangian form with the full gyroscopic term: Euler-parameter notes (23), augmented (34).

    4 G'J G e'' + 8 G'G Gdot'J G e' + e lambda = 2 G'n,   e.e'' = -e'.e'

x = (e, e'). Every term except lambda e is perpendicular to e, so lambda = 0 (24), (37), and a computed lambda is only
round-off. The motion is the same as with (25): the equations here are the three rows of (25), premultiplied by G'.
"""

from ..kernels.kernel import kernel
from .lagrange import full_gyroscopic, second_order, solve_augmented, torque_force


@kernel(inline=True)
def _kernel(x, w, p, dx):
    c0, c1, c2, c3 = full_gyroscopic(x, p)
    q0, q1, q2, q3 = torque_force(x, w)
    return solve_augmented(x, p, dx, q0 - c0, q1 - c1, q2 - c2, q3 - c3)


FORMULATION = second_order(
    name="lagrange-23",
    title="Lagrange, full gyroscopic term",
    source="Euler-parameter notes (23), (34)",
    kernel=_kernel,
    multiplier="0",
)
"""Formulation in Euler parameters and their rates; see the module docstring."""
