"""Control torques of a case: actuators, limits, and torque envelopes of wheels or thrusters."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....plant import Propulsion, TorqueBasis
from ..located import located

if TYPE_CHECKING:
    from ....controllers import ThrusterAllocation
    from ..schema import Case
    from ..schema.controller import ControllerTable
    from ..schema.thrusters import ThrustersTable


def actuators_of(case: "Case", table: "ControllerTable | None") -> str:
    """Return the actuators that a law commands: "wheels" or "external".

    table: table of the law; None: `[controller]`.
    """
    stated = [each.actuators for each in (table, case.controller) if each is not None and each.actuators is not None]
    return next(iter(stated), "wheels" if case.plant.has_wheels else "external")


def torque_bases(case: "Case") -> dict[str, TorqueBasis]:
    """Return basis, limits and envelope of each commanded control torque, by actuator; wheels come first.

    Raises InputError if wheels or thrusters cannot apply a torque in every direction; the message begins with the key
    path.
    """
    tables = [mode.controller for mode in case.modes] or [case.controller]
    used = {actuators_of(case, table) for table in tables}
    if any(mode.unload_s is not None for mode in case.modes):
        used = {"wheels", "external"}
    return {port: _basis(case, port) for port in ("wheels", "external") if port in used}


def _basis(case: "Case", port: str) -> TorqueBasis:
    """Return the torque basis of an actuator.

    The limit is taken from `[controller]` if this law commands the torque. Otherwise it is the largest limit of the
    modes that command the torque.
    """
    limit, keep = None, False
    if case.controller is not None and actuators_of(case, None) == port:
        limit, keep = case.controller.torque_limit_N_m, case.controller.keep_direction
    elif case.controller is not None:
        own = [each.controller for each in case.modes if each.controller is not None]
        mine = [each for each in own if actuators_of(case, each) == port]
        limits = [each.torque_limit_N_m for each in mine if each.torque_limit_N_m is not None]
        limit = max(limits) if limits and len(limits) == len(mine) else None
        keep = any(each.keep_direction for each in mine)
    envelope = _envelope(case, port)
    with located("plant"):
        return TorqueBasis(
            case.plant.torque_basis,
            case.plant.euler_sequence,
            limit=limit,
            keep_direction=keep,
            envelope=envelope,
            internal=port == "wheels",
        )


def _envelope(case: "Case", port: str) -> NDArray[np.float64] | None:
    """Return the envelope to which the torque of an actuator is limited.

    The envelope of wheels limits only the command, and is computed from the wheels that the controller assumes. The
    envelope of thrusters also limits the pulses, and is computed from the actual thrusters.
    """
    thrusters, array = case.plant.thrusters, case.assumed.array
    if port == "external":
        if thrusters is None:
            return None
        with located("plant.thrusters"):
            return _of_thrusters(thrusters)  # pyright: ignore[reportArgumentType] # a frozen table is hashable
    for index, element in enumerate(case.plant.elements):
        with located(f"plant.elements.{index}"):
            found = element.envelope(element if array is None else array)
        if found is not None:
            return found
    return None


@lru_cache(maxsize=8)
def _of_thrusters(table: "ThrustersTable") -> NDArray[np.float64]:
    if table.valve_step_s is None or not table.force_free:
        return allocation_of(table).envelope  # pyright: ignore[reportArgumentType] # as above
    from ....controllers import ThrusterAllocation

    # the pulses of a force-free pair may differ at each instant, so the envelope omits this condition
    return ThrusterAllocation(table.positions_m, table.directions, limit=table.limit_N).envelope


def assumed_allocation(case: "Case") -> "ThrusterAllocation":
    """Return the allocation to the thrusters that the controller assumes."""
    return allocation_of(_assumed_thrusters(case))  # pyright: ignore[reportArgumentType] # a frozen table is hashable


def _assumed_thrusters(case: "Case") -> "ThrustersTable":
    """Return the thrusters with the positions, directions and forces that the controller assumes."""
    own, assumed = case.plant.thrusters, case.assumed.thrusters
    assert own is not None  # noqa: S101 # the plant has thrusters
    assert assumed is not None  # noqa: S101 # and so does the assumed plant
    physical = ("positions_m", "directions", "limit_N")
    return own.model_copy(update={name: getattr(assumed, name) for name in physical})


@lru_cache(maxsize=8)
def allocation_of(table: "ThrustersTable") -> "ThrusterAllocation":
    """Return the thruster allocation of a case.

    Raises InputError if the thrusters cannot apply a torque in every direction.
    """
    from ....controllers import ThrusterAllocation

    return ThrusterAllocation(table.positions_m, table.directions, limit=table.limit_N, force_free=table.force_free)


def propulsion_of(case: "Case") -> Propulsion | None:
    """Return the element by which on-off thrusters move the spacecraft and use propellant.

    It is None if neither the position is a state nor the thrusters have a tank.
    """
    table = case.plant.thrusters
    if table is None or table.valve_step_s is None or not (case.plant.translation or table.tank is not None):
        return None
    with located("plant.thrusters"):
        return _propulsion(table)  # pyright: ignore[reportArgumentType] # a frozen table is hashable


@lru_cache(maxsize=8)
def _propulsion(table: "ThrustersTable") -> Propulsion:
    """Return the element. It is immutable, so spacecraft with equal tables share it."""
    tank = table.tank
    common: dict[str, Any] = {
        "specific_impulse": table.specific_impulse_s,
        "plume_factor": 1.0 if table.plume_factor is None else table.plume_factor,
        "applies_torque": False,
    }
    if tank is not None:
        common |= {
            "propellant": tank.propellant_kg,
            "tank": tank.position_m,
            "inertia": tank.inertia_kg_m2,
            "shape": tank.shape,
            "flow_momentum": tank.flow_momentum,
        }
    return Propulsion(table.positions_m, table.directions, **common)
