"""`[[plant.elements]]`: what moves inside the craft; the table of each kind is in `scenarios.objects.elements`."""

from functools import reduce
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from ...objects.elements.kinds import KINDS
from .element import ElementTable

__all__ = ["AnyElementTable"]

if TYPE_CHECKING:

    class AnyElementTable(ElementTable):
        """The table of any kind."""

        kind: str
else:
    AnyElementTable = Annotated[
        reduce(lambda some, more: some | more, [kind.table for kind in KINDS]), Field(discriminator="kind")
    ]
