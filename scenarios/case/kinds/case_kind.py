"""Base class of the kinds in a case. The table of a kind defines the name of the kind."""

from dataclasses import dataclass
from typing import get_args

from ..schema.fields import Table


@dataclass(frozen=True, kw_only=True)
class CaseKind:
    """A kind of table in a case.

    Parameters
    ----------
    table : type of Table
        Model with the keys of the table, including its `kind`.
    """

    table: type[Table]

    @property
    def name(self) -> str:
        """Value of the key `kind` in a case."""
        return str(get_args(self.table.model_fields["kind"].annotation)[0])
