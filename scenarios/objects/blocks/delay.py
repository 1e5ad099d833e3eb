"""A delay in a case."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from ....controllers import Block, blocks
from ...case.schema.block import BlockTable
from .kind import BlockKind

__all__ = ["KIND", "DelayTable"]


class DelayTable(BlockTable):
    """Delay of a signal by `delay_s`, at the samples of the block."""

    kind: Literal["delay"] = Field(description="which block")


def _make(_: DelayTable, common: Mapping[str, Any]) -> Block:
    return blocks.delayed(**common)


KIND = BlockKind(table=DelayTable, make=_make)
