"""Kind of reference in a case: its table and its reference."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from ...schema.fields import Table

if TYPE_CHECKING:
    from .....controllers import Reference
    from .....plant import Spacecraft
    from ...schema import Case


@dataclass(frozen=True, kw_only=True)
class ReferenceKind:
    """One kind of `[reference]`.

    Parameters
    ----------
    table : type of Table
        Its keys; the word under `kind` is its name.
    make : callable
        make(table, case, craft) returns the reference; a slew takes the inertia of the craft.
    reference : type, optional
        Class whose declared quantities are its keys.
    """

    table: type[Table]
    make: "Callable[[Any, Case, Spacecraft], Reference]"
    reference: "type[Reference] | None" = None

    @property
    def name(self) -> str:
        """The word under `kind`."""
        return str(get_args(self.table.model_fields["kind"].annotation)[0])
