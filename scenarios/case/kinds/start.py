"""Convert attitudes and rates in tables to code units, and create the initial state from `[initial]`."""

from collections.abc import Sequence
from math import radians
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....plant import Spacecraft
from ....plant.attitude import from_euler_angles
from ....plant.checks import unit_quaternion
from ..located import located
from ..schema.initial import AttitudeTable, EulerAnglesTable, InitialTable, PoseTable

Array = NDArray[np.float64]


def attitude_of(attitude: Sequence[float] | None, angles: EulerAnglesTable | None, path: str) -> Array | None:
    """Return the attitude as Euler parameters (4,), from one of two keys; None if neither is given.

    attitude: Euler parameters, scalar first; angles: the attitude as Euler angles; path: key path of the table, for
    messages.
    """
    if angles is not None:
        return from_euler_angles(np.radians(angles.angles), angles.sequence)
    if attitude is None:
        return None
    with located(path):
        return unit_quaternion("attitude", attitude)


def pose(table: AttitudeTable, path: str) -> tuple[Array, tuple[float, ...] | None]:
    """Return attitude and rate of a table.

    table: table with an attitude, and possibly a rate.
    path: key path of the table, for messages.
    Returns Euler parameters (4,), scalar first, by default (1, 0, 0, 0), and the rate, rad/s, or None.
    """
    rate = None
    if isinstance(table, PoseTable):
        rate = table.rate_rad_s
        if table.rate_deg_s is not None:
            rate = tuple(radians(value) for value in table.rate_deg_s)
    attitude = attitude_of(table.attitude, table.attitude_deg, path)
    return np.array((1.0, 0.0, 0.0, 0.0)) if attitude is None else attitude, rate


def initial_state(craft: Spacecraft, table: InitialTable) -> Array:
    """Return the state vector at t = 0.

    By default, the body axes are parallel to the inertial axes, and the spacecraft is at rest.
    """
    attitude, rate = pose(table, "initial")
    start: dict[str, Any] = {
        "rate": rate,
        "momentum": table.momentum_N_m_s,
        "position": table.position_m,
        "velocity": table.velocity_m_s,
    }
    with located("initial"):
        return craft.state(attitude=attitude, **{key: value for key, value in start.items() if value is not None})
