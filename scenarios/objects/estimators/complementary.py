"""The complementary filter in a case."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from ....controllers import Block
from ....controllers.estimators import ComplementaryFilter
from ...case.schema.estimator import EstimatorTable
from ...case.schema.fields import NonNegative, Positive
from .kind import EstimatorKind

__all__ = ["KIND", "ComplementaryTable"]


class ComplementaryTable(EstimatorTable):
    """Complementary filter of attitude and gyro bias with fixed gains."""

    kind: Literal["complementary"] = Field(description="which estimator")
    attitude_gain: Positive = Field(
        description="attitude gain: share of the attitude error that each measurement removes"
    )
    bias_gain_1_s: NonNegative = Field(
        default=0.0, description="bias gain: bias correction per radian of attitude error, 1/s"
    )


def _make(
    table: ComplementaryTable, gyro: Any, inputs: tuple[Block, Sequence[tuple[Any, Block]]], start: Mapping[str, Any]
) -> Block:
    return ComplementaryFilter(attitude_gain=table.attitude_gain, bias_gain=table.bias_gain_1_s).block(*inputs, **start)


KIND = EstimatorKind(table=ComplementaryTable, make=_make)
