"""Derive element kinds from element classes with declared quantities."""

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
    """Return the kind of an element class.

    word: value of the key `kind`; element: class of the element; module: name of the module that the table becomes part
    of; keys, required: see `DeclaredKeys`; moves_mass: whether the element moves mass in the hub, by default as the
    class declares, or True if this depends on the values; more: additional keys, in the form that
    `pydantic.create_model` takes; of_more: function that returns, from a table, the arguments of the element for these
    keys; doc: description of the table.
    """
    declared = DeclaredKeys(element, keys, required=required)
    table = declared.table(word, ElementTable, noun="element", module=module, more=more, doc=doc)
    of_class = getattr(element, "moves_mass", True)
    table.moves_mass = (of_class if isinstance(of_class, bool) else True) if moves_mass is None else moves_mass
    table.needs_magnetic_field = getattr(element, "reads_magnetic_field", False)

    def make(table: Any) -> tuple[Any]:
        with declared.located():
            return (element(**declared.values(table), **(of_more(table) if of_more else {})),)

    return ElementKind(table=table, make=make, element=element)


def __getattr__(name: str) -> type[Any]:
    """Return the table of a kind by name, so that pickled cases find it."""
    return KINDS.table_named(name)
