"""Torque or force of a block on the body, or on coordinates of elements, with its unit."""

from ...plant import Spacecraft
from ...plant.errors import InputError
from ...plant.hub.driven import driven_coordinate
from ..laws.block import TORQUE_UNIT, Block

__all__ = ["exerted_unit"]


def exerted_unit(craft: Spacecraft, block: Block) -> str:
    """Return the unit of a block's torque or force on a craft.

    Raises InputError when a coordinate accepts no force, units differ, or the block declares another one.
    """
    if not block.on:
        return TORQUE_UNIT
    units = {name: driven_coordinate(craft, name).unit for name in block.on}
    unit = units[block.on[0]]
    if len({*units.values()}) > 1:
        told = ", ".join(f"{name} takes {each}" for name, each in units.items())
        raise InputError(f"the block {block.name!r} acts on coordinates of several units ({told}); give each its block")
    if block.units[block.torque] not in ("", unit):
        raise InputError(
            f"the block {block.name!r} exerts {block.torque!r} in {block.units[block.torque]!r}; what acts on "
            f"{', '.join(block.on)} is in {unit}"
        )
    return unit
