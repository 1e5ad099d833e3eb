# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Coordinate projection: put a state back on its constraints without touching the attitude or the body rate.

Schwab & Meijaard (2006), after (46), project q / |q| after each step. Where the velocities or momenta of the
Euler parameters are states too, they have a constraint of their own (e.e' = 0, e.g = 0): the part along e is
taken off, and the rest is scaled so that the body rate read from the state stays the same. Neither energy nor
momentum is changed by a projection, so their drift is the integrator's.
"""

import math

from ..kernels.kernel import kernel

__all__ = ["project_attitude_after_three", "project_momenta", "project_nothing", "project_velocities"]


@kernel(inline=True)
def project_nothing(x):
    """A state of three angles and three rates has no constraint."""


@kernel(inline=True)
def project_attitude_after_three(x):
    """x = (three numbers, e): e / |e|."""
    scale = 1.0 / math.sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6])
    for n in range(3, 7):
        x[n] = x[n] * scale


@kernel(inline=True)
def project_velocities(x):
    """x = (e, e'): e / |e| and (e' - its part along e) / |e|; omega = 2 G e' / |e|^2 stays."""
    square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]
    along = (x[0] * x[4] + x[1] * x[5] + x[2] * x[6] + x[3] * x[7]) / square
    scale = 1.0 / math.sqrt(square)
    for n in range(4):
        x[n + 4] = (x[n + 4] - along * x[n]) * scale
        x[n] = x[n] * scale


@kernel(inline=True)
def project_momenta(x):
    """x = (g, e): e / |e| and (g - its part along e) |e|; omega = 1/2 J^-1 G g stays."""
    square = x[4] * x[4] + x[5] * x[5] + x[6] * x[6] + x[7] * x[7]
    along = (x[0] * x[4] + x[1] * x[5] + x[2] * x[6] + x[3] * x[7]) / square
    norm = math.sqrt(square)
    for n in range(4):
        x[n] = (x[n] - along * x[n + 4]) * norm
        x[n + 4] = x[n + 4] / norm
