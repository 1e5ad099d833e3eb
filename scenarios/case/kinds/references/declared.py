"""Derive reference kinds from reference classes with declared quantities."""

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
    """Return the kind of a reference class.

    word: value of the key `kind`.
    reference: class of the reference.
    module: name of the module that the table becomes part of.
    base: table with additional keys and checks.
    more: additional keys, in the form that `pydantic.create_model` takes.
    of_more: of_more(table, case, craft) returns the arguments of the class that do not follow from declared quantities.
    shape: shape(table, case, reference) returns the shaped reference.
    doc: description of the table, by default the first paragraph of the class docstring.
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
    """Return the table of a kind by name, so that pickled cases find it."""
    return KINDS.table_named(name)
