"""Every kind of sensor that a case can ask for: the file that says what it is, one line each."""

from importlib import import_module

from ...case.schema.sensor import SensorTable
from .kind import SensorKind

__all__ = ["KINDS", "kind_of"]

FILES = (
    "gyro",
    "star_tracker",
    "sun_cells",
    "sun_sensor",
    "magnetometer",
    "horizon_sensor",
    "tachometer",
)

KINDS: tuple[SensorKind, ...] = tuple(import_module(f".{name}", __package__).KIND for name in FILES)


def kind_of(table: SensorTable) -> SensorKind:
    """Return the kind that a table belongs to.

    Parameters
    ----------
    table : SensorTable
        Of a case.

    Returns
    -------
    SensorKind
        Its kind.
    """
    return next(kind for kind in KINDS if kind.table is type(table))
