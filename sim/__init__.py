"""Simulation: closed loops in compiled code, their results, analysis, campaigns and exports.

The import is light: analysis and results are loaded at the first use of one of their names, the engine at the first
run.
"""

if __name__ != "polhode.sim":
    raise ImportError(f"this folder is polhode.sim; install polhode and write 'import polhode.sim', not {__name__!r}")

from importlib import import_module
from typing import TYPE_CHECKING

from .engine.steppers.kinds import INTEGRATORS
from .engine.steppers.scheme import Scheme
from .runs.simulate import simulate
from .runs.simulate_batch import simulate_batch

if TYPE_CHECKING:
    from .analysis.changed_law import ChangedLaw
    from .analysis.confirm_margins import ConfirmedMargin, MarginConfirmation, confirm_margins
    from .analysis.consistency import Consistency, NormalizedErrors, consistency
    from .analysis.floquet import floquet
    from .analysis.floquet_result import Floquet, OrbitMargin
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
    from .codegen.flight.export import export_code
    from .codegen.wrappers.export import export_wrapper
    from .hosts.cosimulation.cosimulate import cosimulate
    from .hosts.cosimulation.result import CoSimulation
    from .hosts.cosimulation.split import export_ssp
    from .hosts.cosimulation.ssp import read_ssp
    from .hosts.cosimulation.ssp_writing import write_ssp
    from .hosts.cosimulation.system import Connection, StartValue, System
    from .hosts.fmi.export import export_fmu
    from .hosts.fmi.fmu import FMU
    from .hosts.histories import AttitudeHistory, OrbitHistory, read_aem, read_oem, write_aem, write_czml, write_oem
    from .hosts.process import ExternalBlock, ExternalLaw, Process
    from .hosts.sampled_craft import sampled_craft
    from .results.load import load
    from .results.mode_intervals import ModeInterval, mode_intervals
    from .results.quantities import QUANTITIES, Quantity
    from .results.run import Run
    from .results.runs import Runs
    from .runs.accuracy import simulate_to_accuracy
    from .runs.campaigns import Campaign, WorstCase, campaign, worst_case

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
    "Floquet",
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
    "OrbitMargin",
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
    "floquet",
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
    "write_oem": ".hosts.histories",
    "write_czml": ".hosts.histories",
    "write_aem": ".hosts.histories",
    "read_oem": ".hosts.histories",
    "read_aem": ".hosts.histories",
    "OrbitHistory": ".hosts.histories",
    "OrbitMargin": ".analysis.floquet_result",
    "AttitudeHistory": ".hosts.histories",
    "Campaign": ".runs.campaigns",
    "ChangedLaw": ".analysis.changed_law",
    "CoSimulation": ".hosts.cosimulation.result",
    "ConfirmedMargin": ".analysis.confirm_margins",
    "Connection": ".hosts.cosimulation.system",
    "Consistency": ".analysis.consistency",
    "FMU": ".hosts.fmi.fmu",
    "Floquet": ".analysis.floquet_result",
    "FormulationDrift": ".analysis.formulation_drift",
    "FreeResponse": ".analysis.linear_response",
    "StartValue": ".hosts.cosimulation.system",
    "LimitCycle": ".analysis.limit_cycle",
    "LimitCycleBand": ".analysis.sampled_limit_cycle",
    "LyapunovDecrease": ".analysis.lyapunov_decrease",
    "LyapunovFunction": ".analysis.lyapunov_function",
    "MarginConfirmation": ".analysis.confirm_margins",
    "MarginSweep": ".analysis.margin_sweep",
    "ModeInterval": ".results.mode_intervals",
    "Overlay": ".analysis.overlay",
    "PointingErrors": ".analysis.pointing_errors",
    "Process": ".hosts.process",
    "ExternalBlock": ".hosts.process",
    "ExternalLaw": ".hosts.process",
    "QUANTITIES": ".results.quantities",
    "Quantity": ".results.quantities",
    "RegionOfAttraction": ".analysis.region_of_attraction",
    "ResidualVibration": ".analysis.residual_vibration",
    "Run": ".results.run",
    "Runs": ".results.runs",
    "NormalizedErrors": ".analysis.consistency",
    "System": ".hosts.cosimulation.system",
    "Unwinding": ".analysis.unwinding",
    "WorstCase": ".runs.campaigns",
    "campaign": ".runs.campaigns",
    "confirm_margins": ".analysis.confirm_margins",
    "consistency": ".analysis.consistency",
    "continuous_limit_cycle": ".analysis.limit_cycle",
    "cosimulate": ".hosts.cosimulation.cosimulate",
    "delay_sweep": ".analysis.margin_sweep",
    "describing_function": ".analysis.limit_cycle",
    "describing_function_limit_cycle": ".analysis.limit_cycle",
    "export_code": ".codegen.flight.export",
    "export_fmu": ".hosts.fmi.export",
    "export_ssp": ".hosts.cosimulation.split",
    "export_wrapper": ".codegen.wrappers.export",
    "floquet": ".analysis.floquet",
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
    "read_ssp": ".hosts.cosimulation.ssp",
    "region_of_attraction": ".analysis.region_of_attraction",
    "residual_vibration": ".analysis.residual_vibration",
    "sampled_craft": ".hosts.sampled_craft",
    "sampled_limit_cycles": ".analysis.sampled_limit_cycle",
    "simulate_to_accuracy": ".runs.accuracy",
    "simulated_limit_cycle": ".analysis.limit_cycle",
    "spin_sweep": ".analysis.margin_sweep",
    "unwinding": ".analysis.unwinding",
    "worst_case": ".runs.campaigns",
    "write_ssp": ".hosts.cosimulation.ssp_writing",
}
"""Module of each name. A module is imported when one of its names is first used."""


def __getattr__(name: str) -> object:
    if name == "campaigns":
        return import_module(".runs.campaigns", __name__)
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)


def __dir__() -> list[str]:
    """Return the public names, without the modules that define them."""
    return sorted([*__all__, "campaigns"])
