"""Kinds of element whose keys follow from the quantities that the element declares."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from ...schema.element import ElementTable
from ..declared_keys import DeclaredKeys
from .kind import ElementKind
from .kinds import KINDS


def kind_of(
    word: str,
    element: type[Any],
    *,
    module: str = __name__,
    keys: Mapping[str, str] | None = None,
    required: Collection[str] = (),
    moves_mass: bool | None = None,
    more: Mapping[str, Any] | None = None,
    of_more: Callable[[Any], Mapping[str, Any]] | None = None,
    doc: str = "",
) -> ElementKind:
    """Return the kind of an element.

    word: the word under `kind`; element: its class; module: name of the module that its table becomes part of; keys,
    required: see `DeclaredKeys`; moves_mass: whether mass moves in the hub, by default that of the class, or True where
    it depends on the values; more: further keys, each in the form of `pydantic.create_model`; of_more: function of the
    table that returns the arguments of the element for these; doc: description of the table.
    """
    declared = DeclaredKeys(element, keys, required=required)
    table = declared.table(word, ElementTable, noun="element", module=module, more=more, doc=doc)
    of_class = getattr(element, "moves_mass", True)
    table.moves_mass = (of_class if isinstance(of_class, bool) else True) if moves_mass is None else moves_mass

    def make(table: Any) -> tuple[Any]:
        with declared.located():
            return (element(**declared.values(table), **(of_more(table) if of_more else {})),)

    return ElementKind(table=table, make=make, element=element)


def __getattr__(name: str) -> type[Any]:
    """Return a table, for pickled cases."""
    return KINDS.table_named(name)
