"""`[[blocks]]`: blocks sampled in addition to the law; the table of each kind is in `scenarios.case.kinds.blocks`."""

from typing import TYPE_CHECKING, Annotated

from ..kinds.blocks.kinds import KINDS
from .block import BlockTable

if TYPE_CHECKING:

    class AnyBlockTable(BlockTable):
        """The table of any kind."""

        kind: str
else:
    AnyBlockTable = Annotated[BlockTable, KINDS]
