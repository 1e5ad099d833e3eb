"""Kind of estimator in a case: its table and its block."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from ...schema.estimator import EstimatorTable

if TYPE_CHECKING:
    from .....controllers import Block


@dataclass(frozen=True, kw_only=True)
class EstimatorKind:
    """One kind of `[estimator]`.

    Parameters
    ----------
    table : type of EstimatorTable
        Its keys; the word under `kind` is its name.
    make : callable
        make(table, gyro, inputs, start) returns the block; gyro: the gyro itself; inputs: the gyro's block and the
        pairs (sensor, block) of the others; start: initial attitude and bias of the estimate, and the name.
    """

    table: type[EstimatorTable]
    make: "Callable[[Any, Any, tuple[Block, Sequence[tuple[Any, Block]]], Mapping[str, Any]], Block]"

    @property
    def name(self) -> str:
        """The word under `kind`."""
        return str(get_args(self.table.model_fields["kind"].annotation)[0])
