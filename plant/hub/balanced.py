"""Spacecraft with balanced wheels in place of wheels with imbalance, for designs and linear models."""

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft


def has_imbalance(craft: "Spacecraft") -> bool:
    """Return whether a wheel of the spacecraft has imbalance."""
    return any(hasattr(element, "balanced") for element in craft.elements)


def balanced(craft: "Spacecraft") -> "Spacecraft":
    """Return the spacecraft with balanced wheels, `ImbalancedWheel.balanced`; itself if all wheels are balanced.

    Coordinates, states and signals keep their names and order. Raises InputError if the balanced wheels cannot exert
    the commanded torque.
    """
    if not has_imbalance(craft):
        return craft
    return replace(craft, elements=tuple(getattr(element, "balanced", element) for element in craft.elements))
