"""Registry of sensor kinds: the file that defines each, one line each."""

from typing import TYPE_CHECKING

from ..kinds import Kinds

if TYPE_CHECKING:
    from .kind import SensorKind

__all__ = ["KINDS"]

FILES = (
    "gyro",
    "star_tracker",
    "sun_cells",
    "sun_sensor",
    "magnetometer",
    "horizon_sensor",
    "tachometer",
)

KINDS: "Kinds[SensorKind]" = Kinds(__name__, FILES)
