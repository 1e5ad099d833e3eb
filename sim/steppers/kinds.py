"""Every stepper: the file that says what it is, one line each."""

from importlib import import_module
from types import MappingProxyType

from .stepper import Stepper

__all__ = ["INTEGRATORS"]

FILES = (
    "dop853",
    "elliptic",
    "gauss4",
    "gauss6",
    "midpoint",
    "rk4",
    "rk8",
)

INTEGRATORS: "MappingProxyType[str, Stepper]" = MappingProxyType(
    {stepper.name: stepper for stepper in (import_module(f".{name}", __package__).STEPPER for name in FILES)}
)
"""The steppers by name: dop853 chooses its steps within a tolerance, the others take the step they are given."""
