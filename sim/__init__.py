"""The engine: closed loops run in compiled code, and what comes out of them."""

if __name__ != "polhode.sim":
    raise ImportError(f"this folder is polhode.sim; install polhode and write 'import polhode.sim', not {__name__!r}")

from .analysis import (
    ChangedLaw,
    ConfirmedMargin,
    FreeResponse,
    LyapunovDecrease,
    LyapunovFunction,
    MarginConfirmation,
    MarginSweep,
    Overlay,
    RegionOfAttraction,
    Unwinding,
    confirm_margins,
    delay_sweep,
    growth,
    inertia_sweep,
    law_loop,
    linear_response,
    lyapunov_decrease,
    lyapunov_function,
    margin_sweep,
    overlay,
    region_of_attraction,
    spin_sweep,
    unwinding,
)
from .compare_rings import RingComparison, RingHistory, compare_published_ring
from .formulations import FormulationDrift, FormulationRun, formulation_drift, simulate_formulation
from .run import QUANTITIES, Quantity, Run
from .scheme import INTEGRATORS, Scheme
from .simulate import simulate

__all__ = [
    "INTEGRATORS",
    "QUANTITIES",
    "ChangedLaw",
    "ConfirmedMargin",
    "FormulationDrift",
    "FormulationRun",
    "FreeResponse",
    "LyapunovDecrease",
    "LyapunovFunction",
    "MarginConfirmation",
    "MarginSweep",
    "Overlay",
    "Quantity",
    "RegionOfAttraction",
    "RingComparison",
    "RingHistory",
    "Run",
    "Scheme",
    "Unwinding",
    "compare_published_ring",
    "confirm_margins",
    "delay_sweep",
    "formulation_drift",
    "growth",
    "inertia_sweep",
    "law_loop",
    "linear_response",
    "lyapunov_decrease",
    "lyapunov_function",
    "margin_sweep",
    "overlay",
    "region_of_attraction",
    "simulate",
    "simulate_formulation",
    "spin_sweep",
    "unwinding",
]
