"""Create scheduled torques, plant loads and torque blocks from `[[torques]]`."""

from typing import TYPE_CHECKING

from .....controllers.loop.routes import COMMAND
from .....plant.errors import InputError
from ...located import located
from .kinds import KINDS

if TYPE_CHECKING:
    from .....controllers import Block
    from .....plant import Spacecraft, TorquePulse
    from .....plant.loads.potentials.any_potential import AnyPotential
    from ...schema import Case


def pulses_of(case: "Case", craft: "Spacecraft") -> "tuple[TorquePulse, ...]":
    """Return the scheduled torques of a case.

    If a value is invalid, the message of the InputError begins with the key path.
    """
    found: list[TorquePulse] = []
    for index, table in enumerate(case.torques):
        make = KINDS.of(table).pulse
        if make is not None:
            with located(f"torques.{index}"):
                found.append(make(table, craft))
    return tuple(found)


def loads_of(case: "Case") -> "tuple[AnyPotential, ...]":
    """Return the torques of a case that are plant loads.

    If a value is invalid, the message of the InputError begins with the key path.
    """
    found: list[AnyPotential] = []
    for index, table in enumerate(case.torques):
        make = KINDS.of(table).load
        if make is not None:
            with located(f"torques.{index}"):
                found.append(make(table))
    return tuple(found)


def left_out(case: "Case") -> list[str]:
    """Return a sentence for each external torque from a process or FMU, which the linear model omits."""
    return [
        f"the model omits the torque of torques.{index}, which an external program computes at each sample"
        for index, table in enumerate(case.torques)
        if KINDS.of(table).block is not None
    ]


def exerted_of(case: "Case", craft: "Spacecraft") -> "tuple[Block, ...]":
    """Return the blocks of sampled external torques in a case.

    If a value is invalid, the message of the InputError begins with the key path.
    """
    found: list[Block] = []
    for index, table in enumerate(case.torques):
        make = KINDS.of(table).block
        if make is None:
            continue
        with located(f"torques.{index}"):
            from .....sim.hosts.process.port import signals_of_craft

            name = getattr(table, "name", None) or f"{table.kind}_torque"
            signals = {each: signal for each, signal in signals_of_craft(craft).items() if each != COMMAND}
            if name in signals or any(block.name == name for block in found):
                raise InputError(f"{name!r} already exists; use a different name")
            found.append(make(table, craft, signals, name))
    return tuple(found)
