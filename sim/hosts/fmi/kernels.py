# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernels that an FMU calls in addition to those of the engine."""

import math

from ....plant.formulations.view import FAR
from ....plant.hub.composition import element_signals, velocities_for_signals
from ....plant.hub.dynamics import body_rate, derivative, energy_of
from ....plant.hub.parameters import AT_PORTS, PORT
from ....plant.kernels.fields import fields
from ....plant.kernels.kernel import kernel
from ....plant.kernels.rotation import compose
from ....plant.loads.torque.torque_kernels import BODY, INERTIAL, pose_distance
from ...engine.indices import HARD, POSE_LIMIT, SOFT
from ...engine.pose import AT_POSE, closest

SHOWN = fields(rate=3, energy=1, pose=1)
"""Quantities computed from a state vector: body rate, rad/s; energy, J; margin to a singular pose.

The margin is |cos a2| or |sin a2| of the Euler angles of the torque input's basis, which is zero at its singular pose.
"""


@kernel
def shown(t, x, u, p, w, y):
    """Fill y in the order of SHOWN."""
    y[SHOWN.rate], y[SHOWN.rate + 1], y[SHOWN.rate + 2] = body_rate(t, x, u, p, w)
    y[SHOWN.energy] = energy_of(t, x, u, p, w)
    y[SHOWN.pose] = FAR + 0.0 * x[3]
    basis = int(p[AT_PORTS + PORT.basis])
    if basis not in (BODY, INERTIAL):
        axes = AT_PORTS + PORT.axes
        y[SHOWN.pose] = pose_distance(int(p[axes]), int(p[axes + 1]), int(p[axes + 2]), x[3], x[4], x[5], x[6])


@kernel
def clear(x, u, p, w, clock):
    """Return the distance of the torque bases from a singular pose; the run ends when it is zero or negative."""
    hard, _ = closest(HARD, x, u, p, w)
    soft, _ = closest(SOFT, x, u, p, w)
    return min(hard - clock[POSE_LIMIT], soft - AT_POSE)


@kernel
def rates(t, x, u, p, dx, user, w):
    """Write the rate of change of a state vector to dx."""
    derivative(t, x, u, p, dx, user, w)


@kernel
def signals_of_elements(t, x, u, p, w, y):
    """Fill y with the signals of the elements, such as the torques of motors."""
    velocities_for_signals(t, x, u, p, w)
    first = element_signals(t, x, u, p, w)
    for k in range(y.size):
        y[k] = w[first + k]


@kernel
def attitude_error(t, x, reference, rq, r, y):
    """Fill y with the angle to the reference, rad, and the rotation vector, as in a run's results."""
    r[0] = math.nan
    reference(t, rq, r)
    d0, d1, d2, d3 = compose(r[0], -r[1], -r[2], -r[3], x[3], x[4], x[5], x[6])
    s = 1.0 if d0 >= 0.0 else -1.0
    size = math.sqrt(d1 * d1 + d2 * d2 + d3 * d3)
    angle = 2.0 * math.atan2(size, s * d0)
    scale = s * angle / size if size > 0.0 else 2.0
    y[0], y[1], y[2], y[3] = angle, scale * d1, scale * d2, scale * d3
