# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Constrained equations with a multiplier: Schwab & Meijaard (2006) (42), 5 x 5.

    [4 Q diag(0, J) Q'  2q] [q''   ]   [2 Q (0, M') + 8 Qdot diag(0, J) Qdot'q]
    [2q'                0 ] [lambda] = [-2 |q'|^2                             ]

x = (q, q'). The paper prints Q' instead of Qdot' on the right-hand side: Q'q = (|q|^2, 0), so diag(0, J) Q'q = 0 and
the printed gyroscopic term vanishes. The paper also prints the unknown q'' with one dot. (43) has Qdot' and is correct:
lambda = omega'J omega = 2 T, half of the lambda in the Euler-parameter notes (30), because here the constraint has
gradient 2q. The matrix is inverted as in `lagrange.solve_augmented`; the equations are (29) of the notes in different
notation.
"""

from ..kernels.kernel import kernel
from .lagrange import second_order, solve_augmented, torque_force
from .pieces import g_times, g_transpose, inertia_times


@kernel(inline=True)
def _kernel(x, w, p, dx):
    d0, d1, d2, d3 = x[4], x[5], x[6], x[7]
    # the vector part of Qdot'q is G(q') q
    a0, a1, a2 = g_times(d0, d1, d2, d3, x[0], x[1], x[2], x[3])
    a0, a1, a2 = inertia_times(p, 8.0 * a0, 8.0 * a1, 8.0 * a2)
    c0, c1, c2, c3 = g_transpose(d0, d1, d2, d3, a0, a1, a2)
    q0, q1, q2, q3 = torque_force(x, w)
    return 0.5 * solve_augmented(x, p, dx, q0 + c0, q1 + c1, q2 + c2, q3 + c3)


FORMULATION = second_order(
    name="schwab-42",
    title="Lagrange in quaternion matrices",
    source="Schwab & Meijaard (2006) (42), right side corrected",
    kernel=_kernel,
    multiplier="omega'J omega",
)
"""Formulation in Euler parameters and their rates; see the module docstring."""
