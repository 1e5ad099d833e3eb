"""Declarative cases, their schema, the command line and the pictures: the outermost room of polhode.

Cases are TOML files; `polhode run slew-lqr` and `load_case("slew-lqr")` read the same one.
Nothing heavy is imported here: every submodule is loaded when one of its names is first used.
"""

if __name__ != "polhode.scenarios":
    raise ImportError("this package is polhode.scenarios: write `from polhode import scenarios`")

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .loader import LoadedCase, LoadedSatelliteCase, load_any_case, load_case, load_satellite_case, shipped_cases
    from .problem import Problem, build
    from .satellite import rigid_body_of, satellite_of
    from .schema import Case, SatelliteCase
    from .stored import load_run

__all__ = [
    "Case",
    "LoadedCase",
    "LoadedSatelliteCase",
    "Problem",
    "SatelliteCase",
    "build",
    "load_any_case",
    "load_case",
    "load_run",
    "load_satellite_case",
    "rigid_body_of",
    "satellite_of",
    "shipped_cases",
]

_HOMES = {
    "Case": ".schema",
    "LoadedCase": ".loader",
    "LoadedSatelliteCase": ".loader",
    "Problem": ".problem",
    "SatelliteCase": ".schema",
    "build": ".problem",
    "load_any_case": ".loader",
    "load_case": ".loader",
    "load_run": ".stored",
    "load_satellite_case": ".loader",
    "rigid_body_of": ".satellite",
    "satellite_of": ".satellite",
    "shipped_cases": ".loader",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)


def __dir__() -> list[str]:
    """Show what a user calls, not the modules it comes from."""
    return sorted([*__all__])
