"""An element somewhere else in the hub."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..elements.element import Element
from ..frozen import frozen_arrays

__all__ = ["displaced"]

Array = NDArray[np.float64]


def displaced(element: Element, by: Array) -> Element:
    """Return an element moved by a vector, hub axes, m; the same where its place does not matter, as a wheel's."""
    if np.array_equal(element.pack(np.zeros(3)), element.pack(by)):
        return element
    return cast("Element", _Displaced(element, by))


@frozen_arrays
@dataclass(frozen=True, eq=False)
class _Displaced:
    """Any element; all but its place is its own."""

    element: Element
    by: Array

    def __getattr__(self, name: str) -> Any:
        if name in {"element", "by"} or name.startswith("__"):  # asked for while a copy is made
            raise AttributeError(name)
        return getattr(self.element, name)

    def pack(self, offset: Array) -> Any:
        """Return its numbers; the reference point of the hub then lies `by` nearer."""
        return self.element.pack(offset + self.by)
