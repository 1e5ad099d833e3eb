"""Kind of block in a case: its table and its block."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from ...schema.block import BlockTable

if TYPE_CHECKING:
    from .....controllers import Block


@dataclass(frozen=True, kw_only=True)
class BlockKind:
    """One kind of `[[blocks]]`.

    Parameters
    ----------
    table : type of BlockTable
        Its keys; the word under `kind` is its name.
    make : callable
        make(table, common) returns the block; common: `reads`, `writes`, `width` (width of its input), `sample`,
        `offset`, `delay` and `name`, arguments of the functions in `polhode.controllers.laws.blocks`.
    by_unit : bool
        Whether `common` also has `signals`: each existing signal, by name, with width and unit.
    """

    table: type[BlockTable]
    make: "Callable[[Any, Mapping[str, Any]], Block]"
    by_unit: bool = False

    @property
    def name(self) -> str:
        """The word under `kind`."""
        return str(get_args(self.table.model_fields["kind"].annotation)[0])
