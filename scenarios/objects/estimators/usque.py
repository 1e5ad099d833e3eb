"""The unscented quaternion estimator in a case."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from ....controllers import Block
from ....controllers.estimators import USQUE
from ...case.schema.estimator import KalmanTable
from .kalman import start_of, tuning_of
from .kind import EstimatorKind

__all__ = ["KIND", "UsqueTable"]


class UsqueTable(KalmanTable):
    """Unscented quaternion estimator of attitude and gyro bias."""

    kind: Literal["usque"] = Field(description="which estimator")


def _make(
    table: UsqueTable, gyro: Any, inputs: tuple[Block, Sequence[tuple[Any, Block]]], start: Mapping[str, Any]
) -> Block:
    return USQUE(**tuning_of(table, gyro)).block(*inputs, **start, **start_of(table, gyro))


KIND = EstimatorKind(table=UsqueTable, make=_make)
