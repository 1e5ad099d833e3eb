"""The coordinates of a craft's elements that take a generalised force: a wheel's motor, a hinge, a mass on its line."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..checks import choice
from ..elements.signal import element_labels
from ..errors import InputError

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

__all__ = ["Driven", "driven_coordinate", "driven_coordinates"]

CONJUGATE = {"rad": ("torque", "N m"), "m": ("force", "N"), "kg^0.5 m": ("force", "N/kg^0.5")}
"""What acts on a coordinate, and its unit, by the unit of the coordinate: their product is J."""


@dataclass(frozen=True)
class Driven:
    """One of them: its name and number among the coordinates, counted from 0, what acts on it and the unit of that."""

    name: str
    number: int
    quantity: str
    unit: str


def driven_coordinates(craft: "Spacecraft") -> dict[str, Driven]:
    """Return every coordinate on which a torque or force can act, by the name it has among the states."""
    found: dict[str, Driven] = {}
    number = 0
    for element in craft.elements:
        takes = getattr(element, "driven", ())
        for own, unit in zip(element.coordinates, element.units, strict=True):
            name = craft.layout.coordinates[number]
            if own in takes:
                found[name] = Driven(name, number, *CONJUGATE.get(unit, ("force", f"J/({unit})")))
            number += 1
    return found


def driven_coordinate(craft: "Spacecraft", name: str) -> Driven:
    """Return one by its name. Raises InputError where there is none, or its element takes no force."""
    found = driven_coordinates(craft)
    if name in found:
        return found[name]
    element = _bearer(craft, name)
    if element is not None:
        kind = type(element).__name__
        reason = getattr(element, "undriven", f"{kind} does not have it in `driven`")
        raise InputError(f"no torque or force can act on {name!r}: {reason}; leave `on` out for a torque on the body")
    if not found:
        raise InputError(
            f"on = {name!r}: this craft has no element with a coordinate that takes a torque or force, such as a wheel "
            "or a pendulum; leave `on` out for a torque on the body"
        )
    choice("coordinate that a torque or force acts on:", name, found)
    raise AssertionError  # `choice` has raised


def _bearer(craft: "Spacecraft", name: str) -> Any:
    """The element without a driven coordinate that the name is of: its label, or of one of its coordinates."""
    number = 0
    for element, label in zip(craft.elements, element_labels(craft.elements), strict=True):
        end = number + len(element.coordinates)
        names = craft.layout.coordinates[number:end]
        number = end
        undriven = not getattr(element, "driven", ())
        if name in names or (undriven and (name == label or name.startswith(f"{label}_"))):
            return element
    return None
