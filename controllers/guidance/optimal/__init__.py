"""Slews in least time by direct collocation: the plan, its check between samples, and the reference that follows it."""

from .optimal_slew import KeepOutSlew, TimeOptimalSlew
from .pointing_cone import PointingCone
from .slew_check import SlewCheck
from .slew_plan import SlewPlan

__all__ = ["KeepOutSlew", "PointingCone", "SlewCheck", "SlewPlan", "TimeOptimalSlew"]
