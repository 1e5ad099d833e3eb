"""Gauss collocation in three stages, of order 6 (Kuntzmann 1961, Butcher 1964)."""

from math import sqrt

from .stepper import Stepper

D = sqrt(15.0)

STEPPER = Stepper(
    name="gauss6",
    words="Gauss collocation of order 6 at fixed steps, implicit: energy and momentum do not drift",
    order=6,
    a=(
        (5 / 36, 2 / 9 - D / 15, 5 / 36 - D / 30),
        (5 / 36 + D / 24, 2 / 9, 5 / 36 - D / 24),
        (5 / 36 + D / 30, 2 / 9 + D / 15, 5 / 36),
    ),
    b=(5 / 18, 4 / 9, 5 / 18),
    c=(1 / 2 - D / 10, 1 / 2, 1 / 2 + D / 10),
)
