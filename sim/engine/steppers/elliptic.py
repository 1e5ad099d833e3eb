# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Exact motion of a free rigid body in elliptic functions (Jacobi 1849), free of step errors.

Every state is computed from the start of the run, so that no error accumulates from step to step. The remaining error
is round-off times the angle of rotation. It is amplified near the separatrix, where every error doubles within a short
time.
"""

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....plant.hub.parameters import LINEAR_MOMENTUM, MASS, POSITION, TRANSLATION
from ....plant.kernels.kernel import kernel
from ..indices import EXACT
from .elliptic_state import SPARE, elliptic_constants, elliptic_state
from .sphere import project
from .stepper import Stepper

if TYPE_CHECKING:
    from ....plant import Spacecraft
    from ....plant.attitude.free_motion import FreeMotion

CONSTANTS, VALUES = 1, 2
"""Rows of the table after the row of addresses: constants of the motion, and workspace."""

EPSILON = 2.0**-52


@kernel
def elliptic_step(t, h, x, p, y, table):
    """Write the state at t + h to y; return the removed drift of |e|^2."""
    elliptic_state(t + h, table[CONSTANTS], table[VALUES], y)
    for k in range(7, x.size):
        y[k] = x[k]
    if p[TRANSLATION] != 0.0:
        c, m = int(p[POSITION]), int(p[LINEAR_MOMENTUM])
        for k in range(3):
            y[c + k] = x[c + k] + h * x[m + k] / p[MASS]
    return project(y)


def _motion(craft: "Spacecraft", x: NDArray[np.float64]) -> "FreeMotion":
    from ....plant.attitude.free_motion import FreeMotion  # imported here because the import takes long

    return FreeMotion(craft.body.inertia, momentum=x[:3], attitude=x[3:7])


def elliptic_table(craft: "Spacecraft", x: NDArray[np.float64], head: int) -> NDArray[np.float64]:
    """Return the table for an initial state: a row for addresses, the constants, workspace."""
    constants = elliptic_constants(_motion(craft, x))
    table = np.zeros((VALUES + 1, max(constants.size, head, SPARE)))
    table[CONSTANTS, : constants.size] = constants
    return table


def rounding_of_motion(craft: "Spacecraft", x: NDArray[np.float64], duration: float) -> float:
    """Return a bound on the attitude error from round-off after a duration, rad."""
    path = _motion(craft, x).path
    turned = duration * float(np.linalg.norm(craft.rate(x)))
    if path.name == "steady":
        return EPSILON * turned
    if path.complement == 0.0:
        return EPSILON * (turned + math.exp(min(path.frequency * duration, 700.0)))
    # precision lost in every half period, log(16 / m1), because the complement m1 is computed as a difference
    away = math.exp(min(path.frequency * duration, 700.0))  # bound on the growth, attained near the unstable axis
    return EPSILON * (turned + min((1.0 + path.frequency * duration) / path.complement, away))


def _refuse(craft: "Spacecraft", *, driven: str, view: str) -> str:
    """Return the reason why a spacecraft is not a free rigid body; empty if it is one."""
    if craft.elements:
        return f"this spacecraft has {len(craft.elements)} elements on its hub"
    if craft.potentials or craft.user_forces:
        return "a potential or a user-defined force acts on this spacecraft"
    return f"{driven} acts on it" if driven else f"this run is in the states of {view}" if view else ""


STEPPER = Stepper(
    name="elliptic",
    words="the free rigid body by its exact solution: no torques, no elements, no step error",
    order=0,
    method=EXACT,
    refuse=_refuse,
)
