# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Distances from the singular poses of torque ports and of formulations in Euler angles.

For a port in an Euler or dual Euler basis, c = |cos a2| or |sin a2| is zero at the pose. The rate of c is at most
|omega|, so that c cannot fall below (c0 + c1 - |omega| h)/2 within a step of length h. Only a step that could hide a
passage through the pose is searched; every other step costs one comparison.
"""

import math

from ...plant.formulations.view import FAR
from ...plant.hub.dynamics import body_rate
from ...plant.hub.element_calls import LOCK as LOCK_OF_VIEW
from ...plant.hub.element_calls import call_view
from ...plant.hub.parameters import AT_PORTS, N_PORTS, PORT, PULSE, PULSES, VIEW, VIEW_WORK, W_VIEW
from ...plant.kernels.kernel import kernel
from ...plant.loads.torque.torque_kernels import BODY, DUAL, INERTIAL, OF_WHEEL, ON_COORDINATE, ON_LEVEL, pose_distance
from .indices import HARD, LOCK

AT_POSE = 1e-8
"""Value of c below which a pose counts as reached: round-off then dominates the torque direction."""


@kernel
def _lock_distance(x, p, w):
    """Return c of a formulation's Euler angles and the index 0, or the index -1 if it has none."""
    if p[VIEW] == 0.0:
        return FAR, -1
    call_view(LOCK_OF_VIEW, 0.0, x, x, p, w)
    c = w[int(p[W_VIEW]) + VIEW_WORK.lock]
    return c, 0 if c < FAR else -1


@kernel
def closest(kind, x, u, p, w):
    """Return the smallest c over the acting ports of a kind of pose, and the index of the port.

    HARD: ports with unbounded torque; SOFT: ports with undefined torque direction; LOCK: the formulation.
    """
    if kind == LOCK:
        return _lock_distance(x, p, w)
    best = FAR
    which = -1
    for port in range(int(p[N_PORTS])):
        row = AT_PORTS + PORT.size * port
        basis = int(p[row + PORT.basis])
        if basis in (BODY, INERTIAL, ON_COORDINATE, ON_LEVEL, OF_WHEEL):
            continue
        m = 0
        if port > 0:
            pulse = PULSES + PULSE.size * (port - 1)
            m = pulse + PULSE.torque
            if u[pulse + PULSE.gate] == 0.0:
                continue
        damping = row + PORT.damping
        outer = u[m] != 0.0 or u[m + 2] != 0.0 or p[damping] != 0.0 or p[damping + 2] != 0.0
        middle = u[m + 1] != 0.0 or p[damping + 1] != 0.0
        unbounded = basis == DUAL and outer
        if unbounded if kind == HARD else (middle and not unbounded):
            axes = row + PORT.axes
            c = pose_distance(int(p[axes]), int(p[axes + 1]), int(p[axes + 2]), x[3], x[4], x[5], x[6])
            if c < best:
                best = c
                which = port
    return best, which


@kernel
def speed(t, x, u, p, w):
    """Return |omega|, rad/s."""
    w0, w1, w2 = body_rate(t, x, u, p, w)
    return math.sqrt(w0 * w0 + w1 * w1 + w2 * w2)
