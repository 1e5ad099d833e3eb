"""The torque basis of a case: the limits of the controller, and what wheels or thrusters can give of it."""

import numpy as np
from numpy.typing import NDArray

from ...plant import TorqueBasis
from ..case.located import located
from ..case.schema import Case

__all__ = ["torque_basis"]


def torque_basis(case: Case) -> TorqueBasis:
    """Return the basis, limits and envelope of the torque that the controller commands: of the craft.

    Raises InputError when wheels or thrusters cannot give a torque in every direction; the message begins with the key
    path.
    """
    table, controller = case.plant, case.controller
    limit = None if controller is None else controller.torque_limit_N_m
    keep = False if controller is None else controller.keep_direction
    wheels = any(element.takes_command for element in table.elements)
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
    from ...controllers import ThrusterAllocation

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
        with located(f"plant.elements.{index}"):
            found = element.envelope()
        if found is not None:
            return found
    return None
