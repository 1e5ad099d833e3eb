# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Projections of a state onto its constraints that preserve attitude and body rate.

Schwab & Meijaard (2006), after (46), project q / |q| after each step. If velocities or momenta of the Euler parameters
are also states, they have their own constraint (e.e' = 0, e.g = 0): their component along e is removed, and the rest is
scaled such that the body rate of the state does not change. A projection therefore changes neither energy nor momentum;
any drift of energy or momentum is due to the integrator.
"""

import math

from ..kernels.kernel import kernel


@kernel(inline=True)
def project_nothing(x):
    """Do nothing, since a state of three angles and three rates has no constraint."""


@kernel(inline=True)
def project_attitude_after_three(x):
    """Replace e by e / |e| in x = (three other states, e)."""
    scale = 1.0 / math.sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6])
    for n in range(3, 7):
        x[n] = x[n] * scale


@kernel(inline=True)
def project_velocities(x):
    """Project x = (e, e'): normalise e, remove the component of e' along e, and divide the rest by |e|.

    omega = 2 G e' / |e|^2 is unchanged.
    """
    square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]
    along = (x[0] * x[4] + x[1] * x[5] + x[2] * x[6] + x[3] * x[7]) / square
    scale = 1.0 / math.sqrt(square)
    for n in range(4):
        x[n + 4] = (x[n + 4] - along * x[n]) * scale
        x[n] = x[n] * scale


@kernel(inline=True)
def project_momenta(x):
    """Project x = (g, e): normalise e, and remove the component of g along e, without changing omega.

    omega = 1/2 J^-1 G g.
    """
    square = x[4] * x[4] + x[5] * x[5] + x[6] * x[6] + x[7] * x[7]
    along = (x[0] * x[4] + x[1] * x[5] + x[2] * x[6] + x[3] * x[7]) / square
    norm = math.sqrt(square)
    for n in range(4):
        x[n] = (x[n] - along * x[n + 4]) * norm
        x[n + 4] = x[n + 4] / norm
