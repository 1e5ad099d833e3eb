"""`[[blocks]]`: what runs on the clock beside the law; the table of each kind is in `scenarios.objects.blocks`."""

from functools import reduce
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from ...objects.blocks.kinds import KINDS
from .block import BlockTable

__all__ = ["AnyBlockTable"]

if TYPE_CHECKING:

    class AnyBlockTable(BlockTable):
        """The table of any kind."""

        kind: str
else:
    AnyBlockTable = Annotated[
        reduce(lambda some, more: some | more, [kind.table for kind in KINDS]), Field(discriminator="kind")
    ]
