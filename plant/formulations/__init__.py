"""Thirteen interchangeable formulations of the rotation of a rigid body, which give the same motion.

| name | state | multiplier |
|---|---|---|
| hamilton-7 | h (body), e | - |
| hamilton-8 | g (canonical), e | -2 omega'J omega |
| hamilton-8-canonical | g (canonical), e | 0 |
| newton-euler | omega, e | - |
| euler-angles | omega, angles | - |
| euler-angles-second-order | angles, angle rates | - |
| lagrange-23 | e, e' | 0 |
| lagrange-25 | e, e' | - |
| lagrange-29 | e, e' | 2 omega'J omega |
| lagrange-82 | e, e' | 2 u.(A'f) |
| lagrange-29-82 | e, e' | 2 omega'J omega + 2 u.(A'f) |
| lagrange-qp2 | e, e' | 2 u.(A'f) + 2 u.f |
| schwab-42 | e, e' | omega'J omega |

All give omega' = J^-1 (n - omega x J omega) and e'' = 1/2 G' omega' - 1/4 |omega|^2 e. The multiplier compensates for
the terms along e that a formulation omits. The multiplier appears as lambda e on the left-hand side (in the hamilton-8
forms on the right; in schwab-42 with gradient 2e). `RotationIn` selects a formulation for `polhode.sim.runs.simulate`.
"""

from typing import TYPE_CHECKING

from ..lazy_names import lazy_name

if TYPE_CHECKING:
    from .force_matrices import POLYNOMIALS, matrix_B1, matrix_B2, matrix_H, split_force_matrix
    from .formulation import Formulation
    from .load import Load
    from .parameter_accelerations import accelerations
    from .published_ring import PublishedRing
    from .registry import FORMULATIONS
    from .rotation_in import RotationIn
    from .rotation_model import RotationModel
    from .torque_in_parameters import torque_parameters

__all__ = [
    "FORMULATIONS",
    "POLYNOMIALS",
    "Formulation",
    "Load",
    "PublishedRing",
    "RotationIn",
    "RotationModel",
    "accelerations",
    "matrix_B1",
    "matrix_B2",
    "matrix_H",
    "split_force_matrix",
    "torque_parameters",
]

_HOMES = {
    "FORMULATIONS": ".registry",
    "Formulation": ".formulation",
    "Load": ".load",
    "POLYNOMIALS": ".force_matrices",
    "PublishedRing": ".published_ring",
    "RotationIn": ".rotation_in",
    "RotationModel": ".rotation_model",
    "accelerations": ".parameter_accelerations",
    "matrix_B1": ".force_matrices",
    "matrix_B2": ".force_matrices",
    "matrix_H": ".force_matrices",
    "split_force_matrix": ".force_matrices",
    "torque_parameters": ".torque_in_parameters",
}
"""Module of each public name, imported on first access to keep the start-up short."""


def __getattr__(name: str) -> object:
    return lazy_name(__name__, _HOMES, name)


def __dir__() -> list[str]:
    """List the public names, not the modules that define them."""
    return sorted(__all__)
