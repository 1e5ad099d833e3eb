"""Analysis of the sampled loop, broken at plant inputs or outputs."""

from .analyse import LoopAnalysis, analyse
from .disk_margins import DiskMargin, DiskMargins, disk_margins
from .loop_errors import ErrorBudget
from .loop_modes import LoopMode, loop_modes
from .opened_loop import OpenedLoop, open_loop
from .pointing_budget import PointingBudget, pointing_budget
from .responses import LinearResponse, disturbance_response, step_response
from .sensitivity_peaks import SensitivityPeak, sensitivity_peaks

__all__ = [
    "DiskMargin",
    "DiskMargins",
    "ErrorBudget",
    "LinearResponse",
    "LoopAnalysis",
    "LoopMode",
    "OpenedLoop",
    "PointingBudget",
    "SensitivityPeak",
    "analyse",
    "disk_margins",
    "disturbance_response",
    "loop_modes",
    "open_loop",
    "pointing_budget",
    "sensitivity_peaks",
    "step_response",
]
