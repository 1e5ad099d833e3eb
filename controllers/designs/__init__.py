"""Designs that end in a `LinearFeedback` law: each one short file.

Offered by `polhode.controllers` too.
"""

from .filters import filtered, notch, roll_off
from .fly_system import fly_system
from .lqg import lqg
from .lqi import lqi
from .mixed_sensitivity import mixed_sensitivity
from .pid import pid
from .pole_placement import pole_placement

__all__ = [
    "filtered",
    "fly_system",
    "lqg",
    "lqi",
    "mixed_sensitivity",
    "notch",
    "pid",
    "pole_placement",
    "roll_off",
]
