"""Variants of a spacecraft with different parameters of one element."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from ...checks import choice
from ...elements import RingDamper
from ...errors import InputError

if TYPE_CHECKING:
    from ...spacecraft import Spacecraft


def damper_number(craft: "Spacecraft", names: Mapping[str, Any], element: int | None) -> int:
    """Return the index of the element whose parameters are varied.

    names: parameters that the element must have.
    element: index of the element from 0; None: the only element with all these parameters.
    -> the index.
    Raises InputError if no element or several elements have these parameters, or the selected one lacks them.
    """
    parameters = [{field.name for field in fields(one)} if is_dataclass(one) else set[str]() for one in craft.elements]
    if element is not None:
        if not 0 <= element < len(parameters):
            raise InputError(
                f"the spacecraft has {len(parameters)} elements, numbered from 0; there is no element {element}"
            )
        for name in names:
            choice(f"parameter of element {element}", name, sorted(parameters[element]))
        return element
    fit = [n for n, one in enumerate(parameters) if one >= set(names)]
    if len(fit) != 1:
        which = "no element" if not fit else f"elements {', '.join(str(n) for n in fit)}"
        raise InputError(f"{which} of the spacecraft has {', '.join(names)}: select one with element=, numbered from 0")
    return fit[0]


def variants(craft: "Spacecraft", element: int, *, fluid: str) -> Callable[[Mapping[str, float]], "Spacecraft"]:
    """Return a function from parameter values of one element to the modified spacecraft.

    fluid: "per-length": a ring keeps its fluid mass per length of arc; "mass": a ring keeps its total fluid mass.
    """
    base: Any = craft.elements[element]

    def varied(numbers: Mapping[str, float]) -> "Spacecraft":
        changes = dict(numbers)
        if fluid == "per-length" and isinstance(base, RingDamper) and "mass" not in changes:
            arc = changes.get("fill", base.fill) * changes.get("radius", base.radius)
            changes["mass"] = base.mass * arc / (base.fill * base.radius)
        elements: list[Any] = [*craft.elements[:element], replace(base, **changes), *craft.elements[element + 1 :]]
        return type(craft)(craft.body, torques=craft.torques, elements=elements, translation=craft.translation)

    return varied
