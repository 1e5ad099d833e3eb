"""Element coordinates that accept a generalised force: wheel motors, hinges, sliding masses."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..checks import choice
from ..elements.element import coordinate_slices, level_slices, level_units_of, levels_of
from ..elements.signal import element_labels
from ..errors import InputError

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

CONJUGATE = {"rad": ("torque", "N m"), "m": ("force", "N"), "kg^0.5 m": ("force", "N/kg^0.5")}
"""Name and unit of the generalised force on a coordinate, by the coordinate's unit. Force times coordinate is in J."""


@dataclass(frozen=True)
class ActuatedCoordinate:
    """Name and index (from 0) of an actuated coordinate, and name and unit of its input.

    The input is a generalised force, or the commanded rate of a coordinate with a rate loop.
    """

    name: str
    number: int
    quantity: str
    unit: str
    level: bool = False
    """Whether the input is the rate of a level instead; `number` is then an index among the elements' own states."""


def actuated_coordinates(craft: "Spacecraft") -> dict[str, ActuatedCoordinate]:
    """Return all coordinates on which a torque or force can act, by name."""
    driven: dict[str, ActuatedCoordinate] = {}
    for element, places in coordinate_slices(craft.elements):
        accepted = getattr(element, "driven", ())
        for number, own, unit in zip(_numbers(places), element.coordinates, element.units, strict=True):
            name = craft.layout.coordinates[number]
            if own in getattr(element, "rate_commanded", ()):
                driven[name] = ActuatedCoordinate(name, number, "rate", f"{unit}/s")
            elif own in accepted:
                driven[name] = ActuatedCoordinate(name, number, *CONJUGATE.get(unit, ("force", f"J/({unit})")))
    return driven | _level_inputs(craft)


def _level_inputs(craft: "Spacecraft") -> dict[str, ActuatedCoordinate]:
    names = craft.layout.own_names
    return {
        names[number]: ActuatedCoordinate(names[number], number, quantity, unit, level=True)
        for element, places in level_slices(craft.elements, craft.layout.levels.start - craft.layout.own.start)
        for number, (_, quantity, unit) in zip(_numbers(places), level_units_of(element), strict=True)
        if quantity
    }


def _numbers(places: "slice[int, int, None]") -> range:
    """Return the indices of a slice."""
    return range(places.start, places.stop)


def actuated_coordinate(craft: "Spacecraft", name: str) -> ActuatedCoordinate:
    """Return an actuated coordinate by name; raise InputError if the coordinate accepts no force."""
    driven = actuated_coordinates(craft)
    if name in driven:
        return driven[name]
    element = _bearer(craft, name)
    if element is not None and (hasattr(element, "undriven") or not levels_of(element)):
        kind = type(element).__name__
        reason = getattr(element, "undriven", f"{kind} does not have it in `driven`")
        raise InputError(
            f"no torque or force can act on {name!r}: {reason}; omit the coordinate for a torque on the body"
        )
    if not driven:
        raise InputError(
            f"no torque or force can act on {name!r}: this spacecraft has no element with a driven coordinate, such as "
            "a wheel or a pendulum; omit the coordinate for a torque on the body"
        )
    choice("coordinate that a torque or force acts on:", name, driven)
    raise AssertionError  # unreachable: `choice` has raised an InputError


def _bearer(craft: "Spacecraft", name: str) -> Any:
    """Return the element with coordinate `name`, or the undriven element with this label, or None."""
    labels = element_labels(craft.elements)
    for (element, places), label in zip(coordinate_slices(craft.elements), labels, strict=True):
        names = craft.layout.coordinates[places]
        undriven = not getattr(element, "driven", ())
        if name in names or (undriven and (name == label or name.startswith(f"{label}_"))):
            return element
    return None
