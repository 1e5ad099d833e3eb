"""Registry of the formulations, one line per file."""

from importlib import import_module
from types import MappingProxyType
from typing import Final

from .formulation import Formulation

__all__ = ["FORMULATIONS"]

FILES = (
    "hamilton_7",
    "hamilton_8",
    "hamilton_8_canonical",
    "newton_euler",
    "euler_angles",
    "euler_angles_second_order",
    "lagrange_23",
    "lagrange_25",
    "lagrange_29",
    "lagrange_82",
    "lagrange_29_82",
    "lagrange_qp2",
    "schwab_42",
)

FORMULATIONS: Final = MappingProxyType[str, Formulation](
    {each.name: each for each in (import_module(f".{name}", __package__).FORMULATION for name in FILES)}
)
"""The formulations by name."""
