"""Elements at a different position in the hub."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...elements.element import Element
from ...frozen import frozen_arrays

Array = NDArray[np.float64]


def displaced(element: Element, by: Array) -> Element:
    """Return an element displaced by a vector, hub axes, m.

    An element whose position does not matter, such as a wheel, is returned unchanged.
    """
    if np.array_equal(element.pack(np.zeros(3)), element.pack(by)):
        return element
    return cast("Element", _Displaced(element, by))


@frozen_arrays
@dataclass(frozen=True, eq=False)
class _Displaced:
    """Element whose position is displaced; all other attributes come from the original."""

    element: Element
    by: Array

    def __getattr__(self, name: str) -> Any:
        if name in {"element", "by"} or name.startswith("__"):  # looked up while copying
            raise AttributeError(name)
        return getattr(self.element, name)

    def pack(self, offset: Array) -> Any:
        """Return the parameters, with the displacement added to the offset."""
        return self.element.pack(offset + self.by)
