"""Schema of `[[plant.elements]]`; the table of each element kind is in `case/kinds/elements`."""

from typing import TYPE_CHECKING, Annotated

from ..kinds.elements.kinds import KINDS
from .element import ElementTable

if TYPE_CHECKING:

    class AnyElementTable(ElementTable):
        """Table of any element kind."""

        kind: str
else:
    AnyElementTable = Annotated[ElementTable, KINDS]
