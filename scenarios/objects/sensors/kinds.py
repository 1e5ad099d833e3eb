"""Registry of sensor kinds, one line each: the class that declares its quantities, or a file for what needs more."""

from typing import TYPE_CHECKING

from ..kinds import Kinds

if TYPE_CHECKING:
    from .kind import SensorKind

__all__ = ["KINDS"]

FILES = (
    "gyro = controllers.sensors.rate_gyro:RateGyro",
    "star_tracker",
    "sun-cells = controllers.sensors.coarse_sun_sensor:CoarseSunSensor",
    "sun-sensor = controllers.sensors.fine_sun_sensor:FineSunSensor",
    "magnetometer = controllers.sensors.magnetometer:Magnetometer",
    "horizon-sensor = controllers.sensors.horizon_sensor:HorizonSensor",
    "tachometer = controllers.sensors.tachometer:Tachometer",
)

KINDS: "Kinds[SensorKind]" = Kinds(__name__, FILES)
