"""The torque basis of a case: the limits of the controller, and what wheels or thrusters can give of it."""

import numpy as np
from numpy.typing import NDArray

from ..plant import TorqueBasis
from .explain import located
from .schema import Case
from .schema.elements import WheelArrayTable

__all__ = ["torque_basis"]


def torque_basis(case: Case) -> TorqueBasis:
    """Return the basis, limits and envelope of the torque that the controller commands.

    Parameters
    ----------
    case : Case
        The case.

    Returns
    -------
    TorqueBasis
        Of the craft.

    Raises
    ------
    InputError
        When wheels or thrusters cannot give a torque in every direction; the message begins with the key path.
    """
    table, controller = case.plant, case.controller
    limit = None if controller is None else controller.torque_limit_N_m
    keep = False if controller is None else controller.keep_direction
    wheels = any(isinstance(element, WheelArrayTable) for element in table.elements)
    envelope = _envelope(case)
    with located("plant"):
        return TorqueBasis(
            table.torque_basis,
            table.euler_sequence,
            limit=limit,
            keep_direction=keep,
            envelope=envelope,
            internal=wheels,
        )


def _envelope(case: Case) -> NDArray[np.float64] | None:
    from ..controllers import ThrusterAllocation, WheelAllocation

    thrusters = case.plant.thrusters
    if thrusters is not None:
        with located("plant.thrusters"):
            return ThrusterAllocation(
                thrusters.positions_m,
                thrusters.directions,
                limit=thrusters.limit_N,
                force_free=thrusters.force_free,
            ).envelope
    for index, element in enumerate(case.plant.elements):
        if isinstance(element, WheelArrayTable) and element.keep_direction and element.torque_limit_N_m is not None:
            with located(f"plant.elements.{index}"):
                return WheelAllocation(element.axes, limit=element.torque_limit_N_m, method=element.allocation).envelope
    return None
