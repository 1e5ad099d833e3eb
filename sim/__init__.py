"""The engine: closed loops run in compiled code, and what comes out of them."""

if __name__ != "polhode.sim":
    raise ImportError(f"this folder is polhode.sim; install polhode and write 'import polhode.sim', not {__name__!r}")

from .analysis import (
    ChangedLaw,
    ConfirmedMargin,
    FormulationDrift,
    FreeResponse,
    LimitCycle,
    LimitCycleBand,
    LyapunovDecrease,
    LyapunovFunction,
    MarginConfirmation,
    MarginSweep,
    Overlay,
    RegionOfAttraction,
    ResidualVibration,
    Unwinding,
    confirm_margins,
    continuous_limit_cycle,
    delay_sweep,
    describing_function,
    describing_function_limit_cycle,
    formulation_drift,
    growth,
    inertia_sweep,
    linear_response,
    lyapunov_decrease,
    lyapunov_function,
    margin_sweep,
    overlay,
    region_of_attraction,
    residual_vibration,
    sampled_limit_cycles,
    simulated_limit_cycle,
    spin_sweep,
    unwinding,
)
from .results.load import load
from .results.run import QUANTITIES, Quantity, Run
from .simulate import simulate
from .steppers.scheme import INTEGRATORS, Scheme

__all__ = [
    "INTEGRATORS",
    "QUANTITIES",
    "ChangedLaw",
    "ConfirmedMargin",
    "FormulationDrift",
    "FreeResponse",
    "LimitCycle",
    "LimitCycleBand",
    "LyapunovDecrease",
    "LyapunovFunction",
    "MarginConfirmation",
    "MarginSweep",
    "Overlay",
    "Quantity",
    "RegionOfAttraction",
    "ResidualVibration",
    "Run",
    "Scheme",
    "Unwinding",
    "confirm_margins",
    "continuous_limit_cycle",
    "delay_sweep",
    "describing_function",
    "describing_function_limit_cycle",
    "formulation_drift",
    "growth",
    "inertia_sweep",
    "linear_response",
    "load",
    "lyapunov_decrease",
    "lyapunov_function",
    "margin_sweep",
    "overlay",
    "region_of_attraction",
    "residual_vibration",
    "sampled_limit_cycles",
    "simulate",
    "simulated_limit_cycle",
    "spin_sweep",
    "unwinding",
]


def __dir__() -> list[str]:
    """Show what a user calls, not the modules it comes from."""
    return sorted(__all__)
