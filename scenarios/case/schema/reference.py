"""`[reference]`: desired motion; each kind has its table in `polhode.scenarios.case.kinds.references`.

Without a kind it is a constant attitude or a steady spin.
"""

from typing import TYPE_CHECKING, Annotated

from ..kinds.references.kinds import KINDS
from .fields import Table

if TYPE_CHECKING:

    class ReferenceTable(Table):
        """The table of any kind."""

        kind: str
else:
    ReferenceTable = Annotated[Table, KINDS]
