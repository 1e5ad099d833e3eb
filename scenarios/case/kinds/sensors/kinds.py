"""Registry of sensor kinds, one line each: the name and class of a kind, or the file that defines it."""

from typing import TYPE_CHECKING

from ..kinds import Kinds

if TYPE_CHECKING:
    from .kind import SensorKind

FILES = (
    "gyro = controllers.sensing.sensors.rate_gyro:RateGyro",
    "star_tracker",
    "sun-cells = controllers.sensing.sensors.coarse_sun_sensor:CoarseSunSensor",
    "sun-sensor = controllers.sensing.sensors.fine_sun_sensor:FineSunSensor",
    "magnetometer = controllers.sensing.sensors.magnetometer:Magnetometer",
    "horizon-sensor = controllers.sensing.sensors.horizon_sensor:HorizonSensor",
    "tachometer = controllers.sensing.sensors.tachometer:Tachometer",
)

KINDS: "Kinds[SensorKind]" = Kinds(__name__, FILES)
