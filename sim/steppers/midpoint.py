"""The implicit midpoint rule: Gauss collocation in one stage, of order 2."""

from ..engine.indices import GAUSS
from .gauss_scheme import gauss_tableau
from .stepper import Stepper

__all__ = ["STEPPER"]

A, B, C = gauss_tableau(1)

STEPPER = Stepper(
    name="midpoint",
    words="the implicit midpoint rule at fixed steps, of order 2",
    order=2,
    a=A,
    b=B,
    c=C,
    method=GAUSS,
)
