"""Unit of the torque or force that a block applies to the body or to the coordinates of elements."""

from ...plant import Spacecraft
from ...plant.errors import InputError
from ...plant.hub.actuated_coordinates import actuated_coordinate
from ..contracts.block import Block
from ..contracts.signal import TORQUE_UNIT


def external_torque_unit(craft: Spacecraft, block: Block) -> str:
    """Return the unit of the torque or force that a block applies to a spacecraft.

    Raises InputError when a coordinate accepts no force, when the units of the coordinates differ, or when the block
    declares a different unit.
    """
    if not block.coordinates:
        return TORQUE_UNIT
    units = {name: actuated_coordinate(craft, name).unit for name in block.coordinates}
    unit = units[block.coordinates[0]]
    if len({*units.values()}) > 1:
        listed = ", ".join(f"{name} takes {each}" for name, each in units.items())
        raise InputError(f"the block {block.name!r} acts on coordinates of several units ({listed}); use one for each")
    given = block.writes[block.torque].unit
    if given not in ("", unit):
        raise InputError(
            f"the block {block.name!r} exerts {block.torque!r} in {given!r}; a torque or force on "
            f"{', '.join(block.coordinates)} must be in {unit}"
        )
    return unit
