"""Schema of `[reference]`; the table of each kind is in `polhode.scenarios.case.kinds.references`.

A table without a kind is a constant attitude or a steady spin.
"""

from typing import TYPE_CHECKING, Annotated

from ..kinds.references.kinds import KINDS
from .fields import Table

if TYPE_CHECKING:

    class ReferenceTable(Table):
        """Table of any reference kind."""

        kind: str
else:
    ReferenceTable = Annotated[Table, KINDS]
