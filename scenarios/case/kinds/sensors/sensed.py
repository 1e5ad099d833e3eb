"""Create sensors and their blocks from `[[sensors]]`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...located import located
from .kind import SensorKind
from .kinds import KINDS
from .modal_coordinates import with_modal_coordinates

if TYPE_CHECKING:
    from .....controllers import Block
    from ...schema import Case


@dataclass(frozen=True, kw_only=True)
class Sensed:
    """A sensor of a case.

    Attributes
    ----------
    kind : SensorKind
        Kind of the sensor.
    key : str
        Key path of its table, such as "sensors.0".
    sensor : object
        Sensor from `polhode.controllers.sensing.sensors`.
    block : callable
        block(shadows) returns the block of the sensor. With shadows=True, the law reads the measurement; otherwise the
        measurement is only recorded.
    jitter : float
        Largest random time by which a measurement precedes its sample, s.
    """

    kind: SensorKind
    key: str
    sensor: Any
    block: "Callable[[bool], Block]"
    jitter: float = 0.0

    @property
    def name(self) -> str:
        """Name of the sensor."""
        return str(self.sensor.name)


def sensed(case: "Case", *, sample: float) -> tuple[Sensed, ...]:
    """Return the sensors of a case.

    Parameters
    ----------
    case : Case
        The case.
    sample : float
        Period of the law, s; default period of the sensors.

    Returns
    -------
    tuple of Sensed
        Sensors in the order of their tables.

    Raises
    ------
    InputError
        If a sensor rejects a value; the message begins with the key path.
    """
    found: list[Sensed] = []
    for index, table in enumerate(case.sensors):
        key, kind = f"sensors.{index}", KINDS.of(table)
        with located(key):
            sensor = kind.make(with_modal_coordinates(table, case))
        times = {"sample": sample if table.sample_s is None else table.sample_s, "offset": table.offset_s}
        if not kind.delayed:
            times["delay"] = table.delay_s

        def block(shadows: bool, *, sensor: Any = sensor, times: dict[str, float] = times) -> "Block":
            return sensor.block(**times, shadows=True) if shadows else sensor.block(**times).as_monitor()

        found.append(Sensed(kind=kind, key=key, sensor=sensor, block=block, jitter=table.jitter_s))
    return tuple(found)
