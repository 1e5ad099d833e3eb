"""Sample-loss block of a case."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from .....controllers import Block, blocks
from ...schema.block import BlockTable
from ...schema.fields import NonNegative, numbers_of, wrong
from .kind import BlockKind

__all__ = ["KIND", "DropoutTable"]


class DropoutTable(BlockTable):
    """Loss of samples, at random (`run.seed`) or at given times, with the last value held."""

    kind: Literal["dropout"] = Field(description="which block")
    probability: Annotated[NonNegative, Field(lt=1.0)] | None = Field(
        default=None, description="probability that a sample is lost"
    )
    times_s: Annotated[tuple[float, ...], numbers_of] | None = Field(
        default=None, description="times of the lost samples, s, within half a period"
    )

    @model_validator(mode="after")
    def _one(self) -> "DropoutTable":
        if (self.probability is None) == (self.times_s is None):
            raise wrong("needs either probability or times_s")
        return self


def _make(table: DropoutTable, common: Mapping[str, Any]) -> Block:
    return blocks.dropout(probability=table.probability, times=table.times_s, **common)


KIND = BlockKind(table=DropoutTable, make=_make)
