"""Definition of a block kind: its table, and the function that creates the block."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...schema.block import BlockTable
from ..case_kind import CaseKind

if TYPE_CHECKING:
    from .....controllers import Block


@dataclass(frozen=True, kw_only=True)
class BlockKind(CaseKind):
    """One kind of `[[blocks]]`.

    Parameters
    ----------
    table : type of BlockTable
        Model with the keys of the table, including its `kind`.
    make : callable
        make(table, common) returns the block. common has `reads`, `writes`, `width` (of the input), `sample`, `offset`,
        `delay` and `name`, which are arguments of the functions in `polhode.controllers.laws.blocks`.
    by_unit : bool
        Whether common also has `signals`: width and unit of each existing signal, by name.
    """

    table: type[BlockTable]
    make: "Callable[[Any, Mapping[str, Any]], Block]"
    by_unit: bool = False
