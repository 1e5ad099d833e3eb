"""Simulation: closed loops in compiled code, their results, analysis, campaigns and exports.

Importing it is light: analysis and results are loaded when one of their names is first used, the engine by the first
run.
"""

if __name__ != "polhode.sim":
    raise ImportError(f"this folder is polhode.sim; install polhode and write 'import polhode.sim', not {__name__!r}")

from importlib import import_module
from typing import TYPE_CHECKING

from .simulate import simulate
from .simulate_batch import simulate_batch
from .steppers.kinds import INTEGRATORS
from .steppers.scheme import Scheme

if TYPE_CHECKING:
    from .accuracy import simulate_to_accuracy
    from .analysis.changed_law import ChangedLaw
    from .analysis.confirm_margins import ConfirmedMargin, MarginConfirmation, confirm_margins
    from .analysis.consistency import Consistency, NormalizedErrors, consistency
    from .analysis.formulation_drift import FormulationDrift, formulation_drift
    from .analysis.growth import growth
    from .analysis.limit_cycle import (
        LimitCycle,
        continuous_limit_cycle,
        describing_function,
        describing_function_limit_cycle,
        simulated_limit_cycle,
    )
    from .analysis.linear_response import FreeResponse, linear_response
    from .analysis.lyapunov_decrease import LyapunovDecrease, lyapunov_decrease
    from .analysis.lyapunov_function import LyapunovFunction, lyapunov_function
    from .analysis.margin_sweep import MarginSweep, delay_sweep, inertia_sweep, margin_sweep, spin_sweep
    from .analysis.overlay import Overlay, overlay
    from .analysis.pointing_errors import PointingErrors, pointing_errors
    from .analysis.region_of_attraction import RegionOfAttraction, region_of_attraction
    from .analysis.residual_vibration import ResidualVibration, residual_vibration
    from .analysis.sampled_limit_cycle import LimitCycleBand, sampled_limit_cycles
    from .analysis.unwinding import Unwinding, unwinding
    from .campaigns import Campaign, WorstCase, campaign, worst_case
    from .exchange.cosimulation.cosimulate import cosimulate
    from .exchange.cosimulation.result import CoSimulation
    from .exchange.cosimulation.split import export_ssp
    from .exchange.cosimulation.ssp import read_ssp
    from .exchange.cosimulation.ssp_writing import write_ssp
    from .exchange.cosimulation.system import Connection, StartValue, System
    from .exchange.flight.export import export_code
    from .exchange.fmi.export import export_fmu
    from .exchange.fmi.fmu import FMU
    from .exchange.histories import (
        AttitudeHistory,
        OrbitHistory,
        read_aem,
        read_oem,
        write_aem,
        write_czml,
        write_oem,
    )
    from .exchange.process import ExternalBlock, ExternalLaw, Process
    from .exchange.sampled_craft import sampled_craft
    from .exchange.wrappers.export import export_wrapper
    from .results.load import load
    from .results.mode_intervals import ModeInterval, mode_intervals
    from .results.quantities import QUANTITIES, Quantity
    from .results.run import Run
    from .results.runs import Runs

__all__ = [
    "FMU",
    "INTEGRATORS",
    "QUANTITIES",
    "AttitudeHistory",
    "Campaign",
    "ChangedLaw",
    "CoSimulation",
    "ConfirmedMargin",
    "Connection",
    "Consistency",
    "ExternalBlock",
    "ExternalLaw",
    "FormulationDrift",
    "FreeResponse",
    "LimitCycle",
    "LimitCycleBand",
    "LyapunovDecrease",
    "LyapunovFunction",
    "MarginConfirmation",
    "MarginSweep",
    "ModeInterval",
    "NormalizedErrors",
    "OrbitHistory",
    "Overlay",
    "PointingErrors",
    "Process",
    "Quantity",
    "RegionOfAttraction",
    "ResidualVibration",
    "Run",
    "Runs",
    "Scheme",
    "StartValue",
    "System",
    "Unwinding",
    "WorstCase",
    "campaign",
    "confirm_margins",
    "consistency",
    "continuous_limit_cycle",
    "cosimulate",
    "delay_sweep",
    "describing_function",
    "describing_function_limit_cycle",
    "export_code",
    "export_fmu",
    "export_ssp",
    "export_wrapper",
    "formulation_drift",
    "growth",
    "inertia_sweep",
    "linear_response",
    "load",
    "lyapunov_decrease",
    "lyapunov_function",
    "margin_sweep",
    "mode_intervals",
    "overlay",
    "pointing_errors",
    "read_aem",
    "read_oem",
    "read_ssp",
    "region_of_attraction",
    "residual_vibration",
    "sampled_craft",
    "sampled_limit_cycles",
    "simulate",
    "simulate_batch",
    "simulate_to_accuracy",
    "simulated_limit_cycle",
    "spin_sweep",
    "unwinding",
    "worst_case",
    "write_aem",
    "write_czml",
    "write_oem",
    "write_ssp",
]

_HOMES = {
    "write_oem": ".exchange.histories",
    "write_czml": ".exchange.histories",
    "write_aem": ".exchange.histories",
    "read_oem": ".exchange.histories",
    "read_aem": ".exchange.histories",
    "OrbitHistory": ".exchange.histories",
    "AttitudeHistory": ".exchange.histories",
    "Campaign": ".campaigns",
    "ChangedLaw": ".analysis.changed_law",
    "CoSimulation": ".exchange.cosimulation.result",
    "ConfirmedMargin": ".analysis.confirm_margins",
    "Connection": ".exchange.cosimulation.system",
    "Consistency": ".analysis.consistency",
    "FMU": ".exchange.fmi.fmu",
    "FormulationDrift": ".analysis.formulation_drift",
    "FreeResponse": ".analysis.linear_response",
    "StartValue": ".exchange.cosimulation.system",
    "LimitCycle": ".analysis.limit_cycle",
    "LimitCycleBand": ".analysis.sampled_limit_cycle",
    "LyapunovDecrease": ".analysis.lyapunov_decrease",
    "LyapunovFunction": ".analysis.lyapunov_function",
    "MarginConfirmation": ".analysis.confirm_margins",
    "MarginSweep": ".analysis.margin_sweep",
    "ModeInterval": ".results.mode_intervals",
    "Overlay": ".analysis.overlay",
    "PointingErrors": ".analysis.pointing_errors",
    "Process": ".exchange.process",
    "ExternalBlock": ".exchange.process",
    "ExternalLaw": ".exchange.process",
    "QUANTITIES": ".results.quantities",
    "Quantity": ".results.quantities",
    "RegionOfAttraction": ".analysis.region_of_attraction",
    "ResidualVibration": ".analysis.residual_vibration",
    "Run": ".results.run",
    "Runs": ".results.runs",
    "NormalizedErrors": ".analysis.consistency",
    "System": ".exchange.cosimulation.system",
    "Unwinding": ".analysis.unwinding",
    "WorstCase": ".campaigns",
    "campaign": ".campaigns",
    "confirm_margins": ".analysis.confirm_margins",
    "consistency": ".analysis.consistency",
    "continuous_limit_cycle": ".analysis.limit_cycle",
    "cosimulate": ".exchange.cosimulation.cosimulate",
    "delay_sweep": ".analysis.margin_sweep",
    "describing_function": ".analysis.limit_cycle",
    "describing_function_limit_cycle": ".analysis.limit_cycle",
    "export_code": ".exchange.flight.export",
    "export_fmu": ".exchange.fmi.export",
    "export_ssp": ".exchange.cosimulation.split",
    "export_wrapper": ".exchange.wrappers.export",
    "formulation_drift": ".analysis.formulation_drift",
    "growth": ".analysis.growth",
    "inertia_sweep": ".analysis.margin_sweep",
    "linear_response": ".analysis.linear_response",
    "load": ".results.load",
    "lyapunov_decrease": ".analysis.lyapunov_decrease",
    "lyapunov_function": ".analysis.lyapunov_function",
    "margin_sweep": ".analysis.margin_sweep",
    "mode_intervals": ".results.mode_intervals",
    "overlay": ".analysis.overlay",
    "pointing_errors": ".analysis.pointing_errors",
    "read_ssp": ".exchange.cosimulation.ssp",
    "region_of_attraction": ".analysis.region_of_attraction",
    "residual_vibration": ".analysis.residual_vibration",
    "sampled_craft": ".exchange.sampled_craft",
    "sampled_limit_cycles": ".analysis.sampled_limit_cycle",
    "simulate_to_accuracy": ".accuracy",
    "simulated_limit_cycle": ".analysis.limit_cycle",
    "spin_sweep": ".analysis.margin_sweep",
    "unwinding": ".analysis.unwinding",
    "worst_case": ".campaigns",
    "write_ssp": ".exchange.cosimulation.ssp_writing",
}
"""Module of each name. A module is imported when one of its names is first used."""


def __getattr__(name: str) -> object:
    if name == "campaigns":
        return import_module(".campaigns", __name__)
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)


def __dir__() -> list[str]:
    """Return the public names, without the modules that define them."""
    return sorted([*__all__, "campaigns"])
