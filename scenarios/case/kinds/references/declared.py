"""Kinds of reference whose keys follow from the quantities that the reference declares."""

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

__all__ = ["kind_of"]


def kind_of(word: str, reference: "type[Reference]", *, module: str = __name__) -> ReferenceKind:
    """Return the kind of a reference.

    word: the word under `kind`; reference: its class; module: name of the module that its table becomes part of.
    """
    keys = DeclaredKeys(reference)

    def make(table: Any, case: "Case", craft: "Spacecraft") -> "Reference":
        with located("reference"), keys.located():
            return reference(**keys.values(table))

    return ReferenceKind(table=keys.table(word, Table, noun="reference", module=module), make=make)


def __getattr__(name: str) -> type[Any]:
    """Return a table, for pickled cases."""
    return KINDS.table_named(name)
