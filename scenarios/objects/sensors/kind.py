"""Kind of sensor in a case: its table, the sensor and its block."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from ...case.schema.sensor import SensorTable

if TYPE_CHECKING:
    from ....controllers import Block

__all__ = ["SensorKind", "common_of"]


def common_of(table: SensorTable) -> dict[str, Any]:
    """Return the arguments of every sensor: name, loss and outages."""
    return {"name": table.label, "loss": table.loss, "outages": table.outages_s}


@dataclass(frozen=True, kw_only=True)
class SensorKind:
    """One kind of `[[sensors]]`.

    Parameters
    ----------
    table : type of SensorTable
        Its keys; the word under `kind` is its name.
    make : callable
        make(table) returns the sensor.
    block : callable
        block(sensor, times, shadows=) returns its block; times: `sample`, `offset` and `delay`, s; shadows: whether the
        law reads it in place of the true signal. None: call the sensor's own `block`.
    shadows : str
        Signal that it can replace, "rate" or "attitude"; empty: none.
    gyro : bool
        Whether an estimator accepts it as its gyro.
    """

    table: type[SensorTable]
    make: Callable[[Any], Any]
    block: "Callable[..., Block] | None" = None
    shadows: str = ""
    gyro: bool = False

    @property
    def name(self) -> str:
        """The word under `kind`."""
        return str(get_args(self.table.model_fields["kind"].annotation)[0])
