"""Kind of element in a case: its table, its elements and the tuning parameters of a damper."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from numpy.typing import ArrayLike

from ...case.schema.element import ElementTable

if TYPE_CHECKING:
    from ....plant import Element

__all__ = ["ElementKind"]


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
        Type of the elements; needed with `tuned_over`.
    tuned_over : callable or None
        tuned_over(element) returns the tuning parameters of a damper and the values to try of each; None for elements
        that are not dampers.
    """

    table: type[ElementTable]
    make: "Callable[[Any], tuple[Element, ...]]"
    element: Any = None
    tuned_over: Callable[[Any], Mapping[str, ArrayLike]] | None = None

    @property
    def name(self) -> str:
        """The word under `kind`."""
        return str(get_args(self.table.model_fields["kind"].annotation)[0])
