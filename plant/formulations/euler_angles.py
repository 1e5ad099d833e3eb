# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Newton-Euler equations with Euler angles of any sequence: Schwab & Meijaard (2006) (20), (21).

    omega' = J^-1 [M' - omega x J omega]        udot = B^-1 omega

x = (omega, angles): body rate (rad/s) and Euler angles (rad). There is no constraint and no multiplier, but gimbal
lock: det B = -sin a2 (symmetric) or +-cos a2 (asymmetric), and udot grows without bound as det B approaches zero. For
free motion with the momentum along the inertial z axis and "3-1-3", these are MIT 16.07 L29 (18)-(20).
"""

import numpy as np

from ..attitude import to_euler_angles
from ..kernels.fields import three
from ..kernels.kernel import kernel
from .angle_kernels import angle_rates, angles_to_parameters
from .formulation import Formulation
from .pieces import BODY, LOAD, applied_torque, euler_equation, sequence_of
from .projection import project_nothing


@kernel(inline=True)
def _kernel(x, w, p, dx):
    i, j, k = sequence_of(p)
    w0, w1, w2 = x[0], x[1], x[2]
    if w[LOAD.inertial] != 0.0:
        e0, e1, e2, e3 = angles_to_parameters(i, j, k, x[3], x[4], x[5])
        n0, n1, n2 = applied_torque(w, e0, e1, e2, e3)
        dx[0], dx[1], dx[2] = euler_equation(p, w0, w1, w2, n0, n1, n2)
    else:
        dx[0], dx[1], dx[2] = euler_equation(p, w0, w1, w2, w[0], w[1], w[2])
    dx[3], dx[4], dx[5] = angle_rates(i, j, k, x[4], x[5], w0, w1, w2)
    return 0.0


def angles_of(e0, e1, e2, e3, p):
    """Return the Euler angles of an attitude, in the sequence packed in p."""
    sequence = "-".join(str(int(axis) + 1) for axis in three(p, BODY.axes))
    return to_euler_angles(np.array([e0, e1, e2, e3]), sequence)


def _enter(e0, e1, e2, e3, w0, w1, w2, p, x):
    x[0], x[1], x[2] = w0, w1, w2
    x[3], x[4], x[5] = angles_of(e0, e1, e2, e3, p)


@kernel(inline=True)
def _leave(x, p, y):
    i, j, k = sequence_of(p)
    y[0], y[1], y[2], y[3] = angles_to_parameters(i, j, k, x[3], x[4], x[5])
    y[4], y[5], y[6] = x[0], x[1], x[2]


FORMULATION = Formulation(
    name="euler-angles",
    title="Newton-Euler with Euler angles",
    source="Schwab & Meijaard (2006) (20)-(21)",
    states=("omega_1", "omega_2", "omega_3", "angle_1", "angle_2", "angle_3"),
    units=("rad/s",) * 3 + ("rad",) * 3,
    kernel=_kernel,
    enter=_enter,
    leave=_leave,
    project=project_nothing,
    middle=4,
)
"""Formulation in body rate and Euler angles."""
