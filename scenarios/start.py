"""`[initial]` and `[reference]` as numbers: attitudes from angles, rates in rad/s, the state at t = 0."""

from math import radians
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..controllers import FixedReference, Reference, SpinReference
from ..plant import Spacecraft
from ..plant.attitude import from_euler_angles
from ..plant.checks import unit_quaternion
from .explain import located
from .schema import EulerAnglesTable, InitialTable, ReferenceTable
from .schema.initial import PoseTable

__all__ = ["initial_state", "pose", "reference_of"]

Array = NDArray[np.float64]


def pose(table: PoseTable, path: str) -> tuple[Array, tuple[float, ...] | None]:
    """Return the attitude and the rate that a table gives.

    Parameters
    ----------
    table : ReferenceTable or InitialTable or SatelliteInitialTable
        The table.
    path : str
        Its key path, for messages.

    Returns
    -------
    attitude : numpy.ndarray, shape (4,)
        Euler parameters, scalar first; (1, 0, 0, 0) unless given.
    rate : tuple of float or None
        rad/s; None unless given.
    """
    rate = table.rate_rad_s
    if table.rate_deg_s is not None:
        rate = tuple(radians(value) for value in table.rate_deg_s)
    if table.attitude_deg is not None:
        angles: EulerAnglesTable = table.attitude_deg
        return from_euler_angles(np.radians(angles.angles), angles.sequence), rate
    with located(path):
        return unit_quaternion("attitude", table.attitude or (1.0, 0.0, 0.0, 0.0)), rate


def reference_of(table: ReferenceTable) -> Reference:
    """Return the reference that a table gives.

    Parameters
    ----------
    table : ReferenceTable
        The table.

    Returns
    -------
    FixedReference or SpinReference
        At rest, or spinning when there is a rate.
    """
    attitude, rate = pose(table, "reference")
    with located("reference"):
        if rate is None or not any(rate):
            return FixedReference(attitude)
        return SpinReference(attitude, rate=rate)


def initial_state(craft: Spacecraft, table: InitialTable) -> Array:
    """Return the state at t = 0.

    Parameters
    ----------
    craft : Spacecraft
        The plant.
    table : InitialTable
        The table.

    Returns
    -------
    numpy.ndarray, shape (7,) or (13,)
        Aligned with inertial space and at rest where the table says nothing.
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
