"""State-space block of a case."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from .....controllers import Block, blocks
from ...schema.block import BlockTable
from ...schema.fields import Number, Table, entries_of, given, numbers_of, wrong
from .kind import BlockKind

__all__ = ["KIND", "StateSpaceTable"]


class _Row(Table):
    row: Annotated[tuple[float, ...], numbers_of]


def _rows(value: object) -> Any:
    entries = entries_of(value)
    if entries is None or not all(entries_of(entry) for entry in entries):
        raise wrong(f"must be a list of lists of numbers; got {given(value)}")
    return tuple(_Row.model_validate({"row": entry}).row for entry in entries)


class StateSpaceTable(BlockTable):
    """Discrete linear system per component, z = A z + B y and v = C z + D y."""

    kind: Literal["state-space"] = Field(description="which block")
    A: Annotated[tuple[tuple[float, ...], ...], BeforeValidator(_rows)] = Field(description="n rows of n numbers")
    B: Annotated[tuple[float, ...], numbers_of] = Field(description="n numbers")
    C: Annotated[tuple[float, ...], numbers_of] = Field(description="n numbers")
    D: Number = Field(default=0.0, description="straight through")


def _make(table: StateSpaceTable, common: Mapping[str, Any]) -> Block:
    return blocks.state_space(table.A, table.B, C=table.C, D=table.D, **common)


KIND = BlockKind(table=StateSpaceTable, make=_make)
