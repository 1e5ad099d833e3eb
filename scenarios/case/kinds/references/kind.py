"""Definition of a reference kind: its table, and the function that creates the reference."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...schema.fields import Table
from ..case_kind import CaseKind

if TYPE_CHECKING:
    from .....controllers import Reference
    from .....plant import Spacecraft
    from ...schema import Case


@dataclass(frozen=True, kw_only=True)
class ReferenceKind(CaseKind):
    """One kind of `[reference]`.

    Parameters
    ----------
    table : type of Table
        Model with the keys of the table, including its `kind`.
    make : callable
        make(table, case, craft) returns the reference; a slew uses the inertia of the spacecraft.
    reference : type, optional
        Class whose declared quantities are the keys of the table.
    """

    table: type[Table]
    make: "Callable[[Any, Case, Spacecraft], Reference]"
    reference: "type[Reference] | None" = None
