"""Kind of sensor in a case: its table and the sensor."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

from ...schema.sensor import SensorTable


@dataclass(frozen=True, kw_only=True)
class SensorKind:
    """One kind of `[[sensors]]`.

    Parameters
    ----------
    table : type of SensorTable
        Its keys; the word under `kind` is its name.
    make : callable
        make(table) returns the sensor.
    shadows : str
        Signal that it can replace, "rate" or "attitude"; empty: none.
    delayed : bool
        Whether the sensor applies its delay itself, so that its block has none.
    """

    table: type[SensorTable]
    make: Callable[[Any], Any]
    shadows: str = ""
    delayed: bool = False

    @property
    def gyro(self) -> bool:
        """True if an estimator accepts it as its gyro."""
        return self.shadows == "rate"

    @property
    def name(self) -> str:
        """The word under `kind`."""
        return str(get_args(self.table.model_fields["kind"].annotation)[0])
