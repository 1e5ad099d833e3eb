"""Analysis of the loop that flies: margins, linear models and proofs of stability held against the simulation."""

from .changed_law import ChangedLaw
from .confirm_margins import ConfirmedMargin, MarginConfirmation, confirm_margins
from .consistency import Consistency, Squares, consistency
from .formulation_drift import FormulationDrift, formulation_drift
from .growth import growth
from .limit_cycle import (
    LimitCycle,
    continuous_limit_cycle,
    describing_function,
    describing_function_limit_cycle,
    simulated_limit_cycle,
)
from .linear_response import FreeResponse, linear_response
from .lyapunov_decrease import LyapunovDecrease, lyapunov_decrease
from .lyapunov_function import LyapunovFunction, lyapunov_function
from .margin_sweep import MarginSweep, delay_sweep, inertia_sweep, margin_sweep, spin_sweep
from .overlay import Overlay, overlay
from .pointing_errors import PointingErrors, pointing_errors
from .region_of_attraction import RegionOfAttraction, region_of_attraction
from .residual_vibration import ResidualVibration, residual_vibration
from .sampled_limit_cycle import LimitCycleBand, sampled_limit_cycles
from .unwinding import Unwinding, unwinding

__all__ = [
    "ChangedLaw",
    "ConfirmedMargin",
    "Consistency",
    "FormulationDrift",
    "FreeResponse",
    "LimitCycle",
    "LimitCycleBand",
    "LyapunovDecrease",
    "LyapunovFunction",
    "MarginConfirmation",
    "MarginSweep",
    "Overlay",
    "PointingErrors",
    "RegionOfAttraction",
    "ResidualVibration",
    "Squares",
    "Unwinding",
    "confirm_margins",
    "consistency",
    "continuous_limit_cycle",
    "delay_sweep",
    "describing_function",
    "describing_function_limit_cycle",
    "formulation_drift",
    "growth",
    "inertia_sweep",
    "linear_response",
    "lyapunov_decrease",
    "lyapunov_function",
    "margin_sweep",
    "overlay",
    "pointing_errors",
    "region_of_attraction",
    "residual_vibration",
    "sampled_limit_cycles",
    "simulated_limit_cycle",
    "spin_sweep",
    "unwinding",
]
