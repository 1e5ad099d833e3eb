"""Gauss collocation in two stages, of order 4 (Kuntzmann 1961, Butcher 1964)."""

from math import sqrt

from .stepper import Stepper

__all__ = ["STEPPER"]

D = sqrt(3.0) / 6.0

STEPPER = Stepper(
    name="gauss4",
    words="Gauss collocation of order 4 at fixed steps, implicit: for stiff arms",
    order=4,
    a=((1 / 4, 1 / 4 - D), (1 / 4 + D, 1 / 4)),
    b=(1 / 2, 1 / 2),
    c=(1 / 2 - D, 1 / 2 + D),
)
