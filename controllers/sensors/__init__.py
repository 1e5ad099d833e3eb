"""What sensors make of a motion: their noise, bias and errors, drawn from a counter, for filters to be tried on."""

from .allan import allan_deviation
from .rate_gyro import GyroRecord, RateGyro
from .star_tracker import StarTracker

__all__ = ["GyroRecord", "RateGyro", "StarTracker", "allan_deviation"]
