"""Case files, their schema, the command line and the figures: the top-level package of polhode.

Cases are TOML files; `polhode run slew-lqr` and `load_case("slew-lqr")` read the same file.
Imports are lazy: a submodule is loaded at the first use of one of its names.
"""

if __name__ != "polhode.scenarios":
    raise ImportError("this package is polhode.scenarios: write `from polhode import scenarios`")

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .case.campaigns.case_campaign import CaseCampaign, PassRate, run_campaign
    from .case.campaigns.worst_craft import WorstCraft, find_worst
    from .case.identification import commands_information, design_excitation, identify_case
    from .case.kinds.problem import Problem, build
    from .case.loader import LoadedCase, load_case, shipped_cases
    from .case.schema import Case
    from .case.stored import load_run
    from .case.tuning import trade_off, tune_case
    from .case_run import CaseRun, run_case
    from .report.metrics import Metric, measure
    from .report.requirements import Verdict

__all__ = [
    "Case",
    "CaseCampaign",
    "CaseRun",
    "LoadedCase",
    "Metric",
    "PassRate",
    "Problem",
    "Verdict",
    "WorstCraft",
    "build",
    "commands_information",
    "design_excitation",
    "find_worst",
    "identify_case",
    "load_case",
    "load_run",
    "measure",
    "run_campaign",
    "run_case",
    "shipped_cases",
    "trade_off",
    "tune_case",
]

_HOMES = {
    "Case": ".case.schema",
    "CaseCampaign": ".case.campaigns.case_campaign",
    "CaseRun": ".case_run",
    "LoadedCase": ".case.loader",
    "Metric": ".report.metrics",
    "PassRate": ".case.campaigns.case_campaign",
    "Problem": ".case.kinds.problem",
    "Verdict": ".report.requirements",
    "WorstCraft": ".case.campaigns.worst_craft",
    "build": ".case.kinds.problem",
    "commands_information": ".case.identification",
    "design_excitation": ".case.identification",
    "find_worst": ".case.campaigns.worst_craft",
    "identify_case": ".case.identification",
    "load_case": ".case.loader",
    "load_run": ".case.stored",
    "measure": ".report.metrics",
    "run_campaign": ".case.campaigns.case_campaign",
    "run_case": ".case_run",
    "shipped_cases": ".case.loader",
    "trade_off": ".case.tuning",
    "tune_case": ".case.tuning",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)


def __dir__() -> list[str]:
    """List the public names, without submodules."""
    return sorted([*__all__])
