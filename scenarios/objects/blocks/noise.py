"""White noise in a case."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from ....controllers import Block, blocks
from ...case.schema.block import BlockTable
from ...case.schema.fields import Positive
from .kind import BlockKind

__all__ = ["KIND", "NoiseTable"]


class NoiseTable(BlockTable):
    """White noise: independent normal numbers added at each sample, such as actuator noise or a random torque."""

    kind: Literal["noise"] = Field(description="which block")
    sigma: Positive = Field(description="standard deviation of each number, in the unit of the signal: rad/s, N m, ...")


def _make(table: NoiseTable, common: Mapping[str, Any]) -> Block:
    return blocks.noisy(table.sigma, **common)


KIND = BlockKind(table=NoiseTable, make=_make)
