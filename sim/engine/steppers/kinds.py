"""List of the steppers, with the file that defines each."""

from typing import TYPE_CHECKING

from ....plant.kinds_by_name import KindsByName

if TYPE_CHECKING:
    from .stepper import Stepper

FILES = (
    "dop853",
    "elliptic",
    "gauss4",
    "gauss6",
    "midpoint",
    "rk4",
    "rk8",
)

INTEGRATORS: "KindsByName[Stepper]" = KindsByName(__package__ or "", FILES, constant="STEPPER")
"""Steppers by name: dop853 adapts its steps to a tolerance, the others use fixed steps."""
