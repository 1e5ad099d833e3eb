"""The same craft with other numbers in one of its elements."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from ..checks import choice
from ..elements import RingDamper
from ..errors import InputError

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

__all__ = ["damper_number", "variants"]


def damper_number(craft: "Spacecraft", names: Mapping[str, Any], element: int | None) -> int:
    """Return which element of a craft is meant.

    names: the names of numbers that the element must have.
    element: its number from 0; None: the only one that has all the names.
    -> its number.
    Raises InputError when no element, or more than one, or not the one given has such numbers.
    """
    known = [{field.name for field in fields(one)} if is_dataclass(one) else set[str]() for one in craft.elements]
    if element is not None:
        if not 0 <= element < len(known):
            raise InputError(f"the craft has {len(known)} elements, numbered from 0; there is no number {element}")
        for name in names:
            choice(f"number of element {element}", name, sorted(known[element]))
        return element
    fit = [n for n, one in enumerate(known) if one >= set(names)]
    if len(fit) != 1:
        which = "no element" if not fit else f"elements {', '.join(str(n) for n in fit)}"
        raise InputError(f"{which} of the craft has {', '.join(names)}: say which with element=, numbered from 0")
    return fit[0]


def variants(craft: "Spacecraft", element: int, *, fluid: str) -> Callable[[Mapping[str, float]], "Spacecraft"]:
    """Return the craft as a function of numbers of one element.

    fluid: "per-length": a ring keeps its mass of fluid per length of arc; "mass": it keeps its mass.
    """
    given: Any = craft.elements[element]

    def varied(numbers: Mapping[str, float]) -> "Spacecraft":
        changes = dict(numbers)
        if fluid == "per-length" and isinstance(given, RingDamper) and "mass" not in changes:
            arc = changes.get("fill", given.fill) * changes.get("radius", given.radius)
            changes["mass"] = given.mass * arc / (given.fill * given.radius)
        elements = [*craft.elements[:element], replace(given, **changes), *craft.elements[element + 1 :]]
        return type(craft)(craft.body, torques=craft.torques, elements=elements, translation=craft.translation)

    return varied
