"""Low-pass block of a case."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, model_validator

from .....controllers import Block, blocks
from ...schema.block import BlockTable
from ...schema.fields import Positive, wrong
from .kind import BlockKind

__all__ = ["KIND", "LowPassTable"]


class LowPassTable(BlockTable):
    """Low-pass filter of unit gain, of first or second order, per component."""

    kind: Literal["low-pass"] = Field(description="which block")
    frequency_rad_s: Positive = Field(description="its corner, rad/s")
    order: Literal[1, 2] = Field(default=1, description="1 or 2")
    damping_ratio: Positive | None = Field(default=None, description="damping ratio of order 2; 0.707 by default")

    @model_validator(mode="after")
    def _damped(self) -> "LowPassTable":
        if self.damping_ratio is not None and self.order == 1:
            raise wrong("damping_ratio is for order = 2; remove it")
        return self


def _make(table: LowPassTable, common: Mapping[str, Any]) -> Block:
    damping = {} if table.damping_ratio is None else {"damping_ratio": table.damping_ratio}
    return blocks.low_pass(frequency=table.frequency_rad_s, order=table.order, **damping, **common)


KIND = BlockKind(table=LowPassTable, make=_make)
