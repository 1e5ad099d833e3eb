"""Kinds of reference whose keys follow from the quantities that the reference declares."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ...located import located
from ...schema.fields import Table
from ..declared_keys import DeclaredKeys
from .kind import ReferenceKind
from .kinds import KINDS

if TYPE_CHECKING:
    from .....controllers import Reference
    from .....plant import Spacecraft
    from ...schema import Case


def kind_of(
    word: str,
    reference: "type[Reference]",
    *,
    module: str = __name__,
    base: type[Table] = Table,
    more: Mapping[str, Any] | None = None,
    of_more: "Callable[[Any, Case, Spacecraft], Mapping[str, Any]] | None" = None,
    shape: "Callable[[Any, Case, Any], Reference] | None" = None,
    doc: str = "",
) -> ReferenceKind:
    """Return the kind of a reference.

    word: the word under `kind`; reference: its class; module: name of the module that its table becomes part of; base:
    table with keys and checks of its own; more: further keys, each in the form of `pydantic.create_model`; of_more:
    function of table, case and spacecraft that returns the arguments of the class for keys that are not derived; shape:
    function of table, case and reference that returns the shaped reference; doc: description of the table, by default
    the first sentence of the class.
    """
    keys = DeclaredKeys(reference)

    def make(table: Any, case: "Case", craft: "Spacecraft") -> "Reference":
        arguments = dict(of_more(table, case, craft) if of_more else {})
        with located("reference"), keys.located():
            found = reference(**keys.values(table), **arguments)
            return shape(table, case, found) if shape else found

    table = keys.table(word, base, noun="reference", module=module, more=more, doc=doc)
    return ReferenceKind(table=table, make=make, reference=reference)


def __getattr__(name: str) -> type[Any]:
    """Return a table, for pickled cases."""
    return KINDS.table_named(name)
