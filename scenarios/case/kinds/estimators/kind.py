"""Definition of an estimator kind: its table, and the function that creates the block."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...schema.estimator import EstimatorTable
from ..case_kind import CaseKind

if TYPE_CHECKING:
    from .....controllers import Block


@dataclass(frozen=True, kw_only=True)
class EstimatorKind(CaseKind):
    """One kind of `[estimator]`.

    Parameters
    ----------
    table : type of EstimatorTable
        Model with the keys of the table, including its `kind`.
    make : callable
        make(table, gyro, inputs, start) returns the block. gyro: the gyro; inputs: block of the gyro, and pairs
        (sensor, block) for the other sensors; start: initial attitude and bias estimates, and the name of the block.
    """

    table: type[EstimatorTable]
    make: "Callable[[Any, Any, tuple[Block, Sequence[tuple[Any, Block]]], Mapping[str, Any]], Block]"
