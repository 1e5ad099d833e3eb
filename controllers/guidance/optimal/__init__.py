"""Time-optimal slews by direct collocation: plan, check between samples, and reference."""

from .optimal_slew import KeepOutSlew, TimeOptimalSlew
from .pointing_cone import PointingCone
from .slew_check import SlewCheck
from .slew_plan import SlewPlan

__all__ = ["KeepOutSlew", "PointingCone", "SlewCheck", "SlewPlan", "TimeOptimalSlew"]
