# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Newton-Euler equations with Euler parameters: Schwab & Meijaard (2006) (45), (46).

    omega' = J^-1 [M' - omega x J omega]        e' = 1/2 Q (0, omega)

x = (omega, e): body rate (rad/s) and Euler parameters. There is no multiplier. (40) and (45) of the paper have an
erroneous dot on omega in the cross product: the gyroscopic torque is omega x (J omega), as in (17) and (20).
"""

from ..kernels.kernel import kernel
from ..kernels.rotation import parameter_rates
from .formulation import Formulation
from .pieces import applied_torque, euler_equation
from .projection import project_attitude_after_three


@kernel(inline=True)
def _kernel(x, w, p, dx):
    w0, w1, w2 = x[0], x[1], x[2]
    e0, e1, e2, e3 = x[3], x[4], x[5], x[6]
    n0, n1, n2 = applied_torque(w, e0, e1, e2, e3)
    dx[0], dx[1], dx[2] = euler_equation(p, w0, w1, w2, n0, n1, n2)
    dx[3], dx[4], dx[5], dx[6] = parameter_rates(e0, e1, e2, e3, w0, w1, w2)
    return 0.0


def _enter(e0, e1, e2, e3, w0, w1, w2, p, x):
    x[0], x[1], x[2] = w0, w1, w2
    x[3], x[4], x[5], x[6] = e0, e1, e2, e3


@kernel(inline=True)
def _leave(x, p, y):
    y[0], y[1], y[2], y[3] = x[3], x[4], x[5], x[6]
    y[4], y[5], y[6] = x[0], x[1], x[2]


FORMULATION = Formulation(
    name="newton-euler",
    title="Newton-Euler with Euler parameters",
    source="Schwab & Meijaard (2006) (45)-(46)",
    states=("omega_1", "omega_2", "omega_3", "e_0", "e_1", "e_2", "e_3"),
    units=("rad/s",) * 3 + ("1",) * 4,
    kernel=_kernel,
    enter=_enter,
    leave=_leave,
    project=project_attitude_after_three,
)
"""Formulation in body rate and Euler parameters."""
