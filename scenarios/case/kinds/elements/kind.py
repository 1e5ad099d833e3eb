"""Definition of an element kind: its table, and the function that creates the elements."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...schema.element import ElementTable
from ..case_kind import CaseKind

if TYPE_CHECKING:
    from .....plant import Element


@dataclass(frozen=True, kw_only=True)
class ElementKind(CaseKind):
    """One kind of `[[plant.elements]]`.

    Parameters
    ----------
    table : type of ElementTable
        Model with the keys of the table, including its `kind`.
    make : callable
        make(table) returns the elements: a single element, or all elements of an array.
    assuming : callable or None
        assuming(table, assumed) returns the elements of an array with the allocation of the array `assumed`; None for
        elements that have no allocation.
    element : type or None
        Class of the elements, for a kind that is derived from the quantities of the class.
    """

    table: type[ElementTable]
    make: "Callable[[Any], tuple[Element, ...]]"
    assuming: "Callable[[Any, Any], tuple[Element, ...]] | None" = None
    element: Any = None
