"""A limit of the rate of change in a case."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from ....controllers import Block, blocks
from ...case.schema.block import BlockTable
from ...case.schema.fields import Positive
from .kind import BlockKind

__all__ = ["KIND", "RateLimitTable"]


class RateLimitTable(BlockTable):
    """Rate limiter per component, starting at zero."""

    kind: Literal["rate-limit"] = Field(description="which block")
    rate_per_s: Positive = Field(description="largest change in a second, in the unit of the signal")


def _make(table: RateLimitTable, common: Mapping[str, Any]) -> Block:
    return blocks.rate_limited(table.rate_per_s, **common)


KIND = BlockKind(table=RateLimitTable, make=_make)
