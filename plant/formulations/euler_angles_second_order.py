# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Second-order equations in the Euler angles of any sequence: Schwab & Meijaard (2006) (19).

    B'J B uddot = B'[M' - (B udot) x (J B udot) - J Bdot udot]

x = (angles, angle rates): rad and rad/s. There is no constraint and no multiplier. B' is regular away from gimbal lock
and cancels, so the kernel evaluates uddot = B^-1 [J^-1 (M' - omega x J omega) - Bdot udot] with omega = B udot, without
numerical inversion. The singularity is stronger than in (20)-(21): B^-1 acts on the rate and on its derivative.
"""

from ..kernels.kernel import kernel
from .angle_kernels import angle_rates, angles_to_parameters, body_rate_of, rate_of_B
from .euler_angles import angles_of
from .formulation import Formulation
from .pieces import LOAD, applied_torque, euler_equation, sequence_of
from .projection import project_nothing


@kernel(inline=True)
def _kernel(x, w, p, dx):
    i, j, k = sequence_of(p)
    w0, w1, w2 = body_rate_of(i, j, k, x[1], x[2], x[3], x[4], x[5])
    b0, b1, b2 = rate_of_B(i, j, k, x[1], x[2], x[3], x[4], x[5])
    if w[LOAD.inertial] != 0.0:
        e0, e1, e2, e3 = angles_to_parameters(i, j, k, x[0], x[1], x[2])
        n0, n1, n2 = applied_torque(w, e0, e1, e2, e3)
        a0, a1, a2 = euler_equation(p, w0, w1, w2, n0, n1, n2)
    else:
        a0, a1, a2 = euler_equation(p, w0, w1, w2, w[0], w[1], w[2])
    dx[0], dx[1], dx[2] = x[3], x[4], x[5]
    dx[3], dx[4], dx[5] = angle_rates(i, j, k, x[1], x[2], a0 - b0, a1 - b1, a2 - b2)
    return 0.0


def _enter(e0, e1, e2, e3, w0, w1, w2, p, x):
    x[0], x[1], x[2] = angles_of(e0, e1, e2, e3, p)
    i, j, k = sequence_of(p)
    x[3], x[4], x[5] = angle_rates(i, j, k, x[1], x[2], w0, w1, w2)


@kernel(inline=True)
def _leave(x, p, y):
    i, j, k = sequence_of(p)
    y[0], y[1], y[2], y[3] = angles_to_parameters(i, j, k, x[0], x[1], x[2])
    y[4], y[5], y[6] = body_rate_of(i, j, k, x[1], x[2], x[3], x[4], x[5])


FORMULATION = Formulation(
    name="euler-angles-second-order",
    title="second order in the Euler angles",
    source="Schwab & Meijaard (2006) (19)",
    states=("angle_1", "angle_2", "angle_3", "angle_rate_1", "angle_rate_2", "angle_rate_3"),
    units=("rad",) * 3 + ("rad/s",) * 3,
    kernel=_kernel,
    enter=_enter,
    leave=_leave,
    project=project_nothing,
    middle=1,
)
"""Formulation in Euler angles and their rates."""
