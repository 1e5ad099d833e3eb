"""Registry of the formulations, one file per formulation."""

from typing import TYPE_CHECKING

from ..kinds_by_name import KindsByName

if TYPE_CHECKING:
    from .formulation import Formulation

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

FORMULATIONS: "KindsByName[Formulation]" = KindsByName(__package__ or "", FILES, constant="FORMULATION")
"""The formulations by name."""
