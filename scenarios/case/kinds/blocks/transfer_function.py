"""Transfer-function block of a case."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from .....controllers import Block, blocks
from ...schema.block import BlockTable
from ...schema.fields import numbers_of
from .kind import BlockKind

__all__ = ["KIND", "TransferFunctionTable"]


class TransferFunctionTable(BlockTable):
    """Continuous transfer function per component, with a zero-order hold at its input."""

    kind: Literal["transfer-function"] = Field(description="which block")
    numerator: Annotated[tuple[float, ...], numbers_of] = Field(description="in s, highest power first")
    denominator: Annotated[tuple[float, ...], numbers_of] = Field(description="coefficients in s, highest power first")


def _make(table: TransferFunctionTable, common: Mapping[str, Any]) -> Block:
    return blocks.transfer_function(table.numerator, table.denominator, **common)


KIND = BlockKind(table=TransferFunctionTable, make=_make)
