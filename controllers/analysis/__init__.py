"""Analysis of the very loop that flies, opened at plant inputs or outputs."""

from .analyse import LoopAnalysis, analyse
from .disk_margins import DiskMargin, DiskMargins, disk_margins
from .loop_modes import LoopMode, loop_modes
from .opened_loop import OpenedLoop, open_loop
from .responses import LinearResponse, disturbance_response, step_response
from .sensitivity_peaks import SensitivityPeak, sensitivity_peaks

__all__ = [
    "DiskMargin",
    "DiskMargins",
    "LinearResponse",
    "LoopAnalysis",
    "LoopMode",
    "OpenedLoop",
    "SensitivityPeak",
    "analyse",
    "disk_margins",
    "disturbance_response",
    "loop_modes",
    "open_loop",
    "sensitivity_peaks",
    "step_response",
]
