"""The engine: closed loops run in compiled code, and what comes out of them.

Importing it is light: analysis and results are loaded when one of their names is first used, the engine by the first
run.
"""

if __name__ != "polhode.sim":
    raise ImportError(f"this folder is polhode.sim; install polhode and write 'import polhode.sim', not {__name__!r}")

from importlib import import_module
from typing import TYPE_CHECKING

from .simulate import simulate
from .simulate_many import simulate_many
from .steppers.kinds import INTEGRATORS
from .steppers.scheme import Scheme

if TYPE_CHECKING:
    from .accuracy import simulate_to
    from .analysis import (
        ChangedLaw,
        ConfirmedMargin,
        Consistency,
        FormulationDrift,
        FreeResponse,
        LimitCycle,
        LimitCycleBand,
        LyapunovDecrease,
        LyapunovFunction,
        MarginConfirmation,
        MarginSweep,
        Overlay,
        PointingErrors,
        RegionOfAttraction,
        ResidualVibration,
        Squares,
        Unwinding,
        confirm_margins,
        consistency,
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
        pointing_errors,
        region_of_attraction,
        residual_vibration,
        sampled_limit_cycles,
        simulated_limit_cycle,
        spin_sweep,
        unwinding,
    )
    from .campaigns import Campaign, campaign
    from .exchange.flight.export import export_code
    from .exchange.fmi.export import export_fmu
    from .exchange.fmi.fmu import FMU
    from .exchange.process import Port, Process, ProcessLaw, process_block
    from .results.load import load
    from .results.modes_flown import ModeFlown, modes_flown
    from .results.quantities import QUANTITIES, Quantity
    from .results.run import Run
    from .results.runs import Runs

__all__ = [
    "FMU",
    "INTEGRATORS",
    "QUANTITIES",
    "Campaign",
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
    "ModeFlown",
    "Overlay",
    "PointingErrors",
    "Port",
    "Process",
    "ProcessLaw",
    "Quantity",
    "RegionOfAttraction",
    "ResidualVibration",
    "Run",
    "Runs",
    "Scheme",
    "Squares",
    "Unwinding",
    "campaign",
    "confirm_margins",
    "consistency",
    "continuous_limit_cycle",
    "delay_sweep",
    "describing_function",
    "describing_function_limit_cycle",
    "export_code",
    "export_fmu",
    "formulation_drift",
    "growth",
    "inertia_sweep",
    "linear_response",
    "load",
    "lyapunov_decrease",
    "lyapunov_function",
    "margin_sweep",
    "modes_flown",
    "overlay",
    "pointing_errors",
    "process_block",
    "region_of_attraction",
    "residual_vibration",
    "sampled_limit_cycles",
    "simulate",
    "simulate_many",
    "simulate_to",
    "simulated_limit_cycle",
    "spin_sweep",
    "unwinding",
]

_HOMES = {
    "Campaign": ".campaigns",
    "FMU": ".exchange.fmi.fmu",
    "ModeFlown": ".results.modes_flown",
    "Port": ".exchange.process",
    "Process": ".exchange.process",
    "ProcessLaw": ".exchange.process",
    "QUANTITIES": ".results.quantities",
    "Quantity": ".results.quantities",
    "Run": ".results.run",
    "Runs": ".results.runs",
    "campaign": ".campaigns",
    "export_code": ".exchange.flight.export",
    "export_fmu": ".exchange.fmi.export",
    "load": ".results.load",
    "modes_flown": ".results.modes_flown",
    "process_block": ".exchange.process",
    "simulate_to": ".accuracy",
}
"""Of what is not in `analysis`."""


def __getattr__(name: str) -> object:
    if name == "campaigns":
        return import_module(".campaigns", __name__)
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, ".analysis"), __name__), name)


def __dir__() -> list[str]:
    """Show what a user calls, not the modules it comes from."""
    return sorted([*__all__, "campaigns"])
