"""Kind of element in a case: its table and its elements."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from ...schema.element import ElementTable

if TYPE_CHECKING:
    from .....plant import Element


@dataclass(frozen=True, kw_only=True)
class ElementKind:
    """One kind of `[[plant.elements]]`.

    Parameters
    ----------
    table : type of ElementTable
        Its keys; the word under `kind` is its name.
    make : callable
        make(table) returns the elements: one, or those of an array.
    element : type or None
        Class of the elements, for a kind that follows from what the class declares.
    """

    table: type[ElementTable]
    make: "Callable[[Any], tuple[Element, ...]]"
    element: Any = None

    @property
    def name(self) -> str:
        """The word under `kind`."""
        return str(get_args(self.table.model_fields["kind"].annotation)[0])
