"""`[[plant.elements]]`: moving parts of the spacecraft; the table of each kind is in `case/kinds/elements`."""

from typing import TYPE_CHECKING, Annotated

from ..kinds.elements.kinds import KINDS
from .element import ElementTable

if TYPE_CHECKING:

    class AnyElementTable(ElementTable):
        """The table of any kind."""

        kind: str
else:
    AnyElementTable = Annotated[ElementTable, KINDS]
