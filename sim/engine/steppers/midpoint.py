"""The implicit midpoint rule: Gauss collocation in one stage, of order 2."""

from .stepper import Stepper

STEPPER = Stepper(
    name="midpoint",
    words="the implicit midpoint rule at fixed steps, of order 2",
    order=2,
    a=((1 / 2,),),
    b=(1,),
    c=(1 / 2,),
)
