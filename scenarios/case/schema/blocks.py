"""Schema of `[[blocks]]`; the table of each block kind is in `scenarios.case.kinds.blocks`."""

from typing import TYPE_CHECKING, Annotated

from ..kinds.blocks.kinds import KINDS
from .block import BlockTable

if TYPE_CHECKING:

    class AnyBlockTable(BlockTable):
        """Table of any block kind."""

        kind: str
else:
    AnyBlockTable = Annotated[BlockTable, KINDS]
