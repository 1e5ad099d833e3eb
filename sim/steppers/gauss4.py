"""Gauss collocation in two stages, of order 4 (Kuntzmann 1961, Butcher 1964)."""

from ..engine.indices import GAUSS
from .gauss_scheme import gauss_tableau
from .stepper import Stepper

__all__ = ["STEPPER"]

A, B, C = gauss_tableau(2)

STEPPER = Stepper(
    name="gauss4",
    words="Gauss collocation of order 4 at fixed steps, implicit: for stiff arms",
    order=4,
    a=A,
    b=B,
    c=C,
    method=GAUSS,
)
