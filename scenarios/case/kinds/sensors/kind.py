"""Definition of a sensor kind: its table, and the function that creates the sensor."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...schema.sensor import SensorTable
from ..case_kind import CaseKind


@dataclass(frozen=True, kw_only=True)
class SensorKind(CaseKind):
    """One kind of `[[sensors]]`.

    Parameters
    ----------
    table : type of SensorTable
        Model with the keys of the table, including its `kind`.
    make : callable
        make(table) returns the sensor.
    shadows : str
        Plant output that the measurement can replace, "rate" or "attitude"; empty: none.
    delayed : bool
        Whether the sensor applies its delay itself, so that the block has no delay.
    """

    table: type[SensorTable]
    make: Callable[[Any], Any]
    shadows: str = ""
    delayed: bool = False

    @property
    def gyro(self) -> bool:
        """True if an estimator accepts this kind of sensor as its gyro."""
        return self.shadows == "rate"
