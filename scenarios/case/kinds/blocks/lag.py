"""Lag block of a case, for an actuator or a sensor."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from .....controllers import Block, blocks
from ...schema.block import BlockTable
from ...schema.fields import Positive
from .kind import BlockKind

__all__ = ["KIND", "LagTable"]


class LagTable(BlockTable):
    """First-order lag of an actuator or a sensor, per component."""

    kind: Literal["lag"] = Field(description="which block")
    time_constant_s: Positive = Field(description="time constant, s: a step response reaches 63 %")


def _make(table: LagTable, common: Mapping[str, Any]) -> Block:
    return blocks.low_pass(frequency=1.0 / table.time_constant_s, **common)


KIND = BlockKind(table=LagTable, make=_make)
