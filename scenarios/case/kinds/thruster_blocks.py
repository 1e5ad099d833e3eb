"""Create the block of on-off thrusters, sampled after the law, from `[plant.thrusters]`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....controllers.loop.routes import COMMAND, OF_PORT
from ....plant.errors import InputError
from ..located import located
from .actuators import actuators_of, allocation_of, assumed_allocation, propulsion_of

if TYPE_CHECKING:
    from ....controllers import Block, Law
    from ....controllers.laws.blocks import ThrusterFault
    from ..schema import Case

KINDS = {"dead": "off", "weak": "weak", "stuck": "open"}
"""Kind of `ThrusterFault`, by the fault kind in a case."""


def thruster_names(case: "Case") -> tuple[str, ...]:
    """Return the names of single thrusters, which may fail; empty unless the case has on-off thrusters."""
    table = case.plant.thrusters
    if table is None or table.valve_step_s is None:
        return ()
    return tuple(f"thruster_{n + 1}" for n in range(len(table.positions_m)))


def thruster_faults(case: "Case") -> "list[ThrusterFault]":
    """Return the faults of single thrusters.

    If a value is invalid, the message of the InputError begins with the key path.
    """
    from ....controllers.laws.blocks import ThrusterFault

    names = thruster_names(case)
    found: list[ThrusterFault] = []
    for index, table in enumerate(case.faults):
        if table.part not in names:
            continue
        with located(f"faults.{index}"):
            more: dict[str, Any] = {} if table.to_s is None else {"stop": table.to_s}
            if table.factor is not None:
                more["factor"] = table.factor
            number = names.index(table.part) + 1
            if any(each.thruster == number for each in found):
                raise InputError(f"{table.part} has two faults; keep one")
            found.append(ThrusterFault(thruster=number, kind=KINDS[table.kind], start=table.from_s, **more))
    return found


def pulsed_thrusters(case: "Case", law: "Law", commands: Sequence[str]) -> "tuple[Block, ...]":
    """Return the block of on-off thrusters in a tuple, which is empty if no law commands them.

    law: the law; commands: signals that the law writes.
    If a value is invalid, the message of the InputError begins with the key path.
    """
    table = case.plant.thrusters
    if table is None or table.valve_step_s is None:
        return ()
    if len(commands) > 1:
        name = OF_PORT["external"]
    elif actuators_of(case, None) == "external":
        name = COMMAND
    else:
        return ()
    from ....controllers.laws.blocks import thruster_pulses

    given: dict[str, Any] = {
        "least_pulse": table.least_pulse_s,
        "fires_at": table.fires_at,
        "drops_at": table.drops_at if table.drops_at is not None else table.fires_at,
        "delay": table.valve_delay_s,
        "closing_delay": table.closing_delay_s,
        "rise_time": table.rise_time_s,
        "fall_time": table.fall_time_s,
        "plume_factor": table.plume_factor,
        "specific_impulse": table.specific_impulse_s,
        "propulsion": propulsion_of(case),
    }
    with located("plant.thrusters"):
        if case.plant.torque_basis != "body":
            raise InputError("valve_step_s: thrusters that are on or off act in body axes; omit plant.torque_basis")
        return (
            thruster_pulses(
                allocation_of(table),  # pyright: ignore[reportArgumentType] # a frozen table is hashable
                sample=law.sample,
                tick=table.valve_step_s,
                faults=thruster_faults(case),
                assumed=assumed_allocation(case),
                reads=name,
                offset=law.delay % law.sample,
                **{key: value for key, value in given.items() if value is not None},
            ),
        )
