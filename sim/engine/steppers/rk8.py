"""Order-8 formula of dop853 at fixed steps (Prince & Dormand 1981; Hairer, Norsett & Wanner 1993)."""

from .dop853 import STEPPER as DOP
from .stepper import Stepper

STEPPER = Stepper(
    name="rk8", words="Runge-Kutta of order 8 at fixed steps, the formula of dop853", order=8, a=DOP.a, b=DOP.b, c=DOP.c
)
