"""Cyclic coordinates of elements, on which no energy depends."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .element import Element


def cyclic_flags(elements: "Iterable[Element]") -> list[bool]:
    """Return, for each coordinate of the elements, whether no energy depends on it.

    All coordinates of an element whose `cyclic` is true are cyclic; otherwise only those named in its
    `cyclic_coordinates`.
    """
    return [
        element.cyclic or name in getattr(element, "cyclic_coordinates", ())
        for element in elements
        for name in element.coordinates
    ]
