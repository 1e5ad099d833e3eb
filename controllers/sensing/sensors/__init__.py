"""Sensors with random errors from a counter-based generator, as blocks and for records of a motion."""

from ...guidance.inertial_vector import InertialVector
from .allan import allan_deviation
from .coarse_sun_sensor import CoarseSunSensor
from .fine_sun_sensor import FineSunSensor
from .horizon_sensor import HorizonSensor
from .magnetometer import Magnetometer
from .position_source import PositionSource
from .rate_gyro import GyroRecord, RateGyro
from .star_tracker import ExclusionZone, StarTracker
from .tachometer import Tachometer

__all__ = [
    "CoarseSunSensor",
    "ExclusionZone",
    "FineSunSensor",
    "GyroRecord",
    "HorizonSensor",
    "InertialVector",
    "Magnetometer",
    "PositionSource",
    "RateGyro",
    "StarTracker",
    "Tachometer",
    "allan_deviation",
]
