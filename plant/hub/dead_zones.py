"""Spacecraft without the dead zones of its motors, for linear models."""

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft


def has_dead_zone(craft: "Spacecraft") -> bool:
    """Return whether a motor of the spacecraft has a minimum torque."""
    return any(getattr(element, "minimum_torque", None) is not None for element in craft.elements)


def without_dead_zones(craft: "Spacecraft") -> "Spacecraft":
    """Return the spacecraft whose motors have no minimum torque, `Wheel.without_dead_zone`; itself if none has one.

    Coordinates and states keep their names and order. Raises InputError if these motors cannot exert the commanded
    torque.
    """
    if not has_dead_zone(craft):
        return craft
    return replace(craft, elements=tuple(getattr(element, "without_dead_zone", element) for element in craft.elements))
