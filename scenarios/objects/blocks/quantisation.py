"""Rounding in a case."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from ....controllers import Block, blocks
from ...case.schema.block import BlockTable
from ...case.schema.fields import Positive
from .kind import BlockKind

__all__ = ["KIND", "QuantisationTable"]


class QuantisationTable(BlockTable):
    """Quantisation of each component to whole steps, as in a sensor or an actuator."""

    kind: Literal["quantisation"] = Field(description="which block")
    step: Positive = Field(description="in the unit of the signal: rad/s, N m, ...")


def _make(table: QuantisationTable, common: Mapping[str, Any]) -> Block:
    return blocks.quantised(table.step, **common)


KIND = BlockKind(table=QuantisationTable, make=_make)
