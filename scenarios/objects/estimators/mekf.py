"""The multiplicative Kalman filter in a case."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from ....controllers import Block
from ....controllers.estimators import MEKF
from ...case.schema.estimator import KalmanTable
from .kalman import start_of, tuning_of
from .kind import EstimatorKind

__all__ = ["KIND", "MekfTable"]


class MekfTable(KalmanTable):
    """Multiplicative extended Kalman filter of attitude and gyro bias."""

    kind: Literal["mekf"] = Field(description="which estimator")


def _make(
    table: MekfTable, gyro: Any, inputs: tuple[Block, Sequence[tuple[Any, Block]]], start: Mapping[str, Any]
) -> Block:
    return MEKF(**tuning_of(table, gyro)).block(*inputs, **start, **start_of(table, gyro))


KIND = EstimatorKind(table=MekfTable, make=_make)
