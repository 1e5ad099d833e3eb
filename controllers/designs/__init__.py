"""Design functions that return a `LinearFeedback` law, each in its own short file.

The functions are also exported by `polhode.controllers`.
"""

from .disturbance_observer import disturbance_observer
from .filters import dipole, filtered, notch, roll_off
from .fixed_structure import state_feedback, state_space_law
from .law_from_system import law_from_system
from .lqg import lqg
from .lqgi import lqgi
from .lqi import lqi
from .mixed_sensitivity import mixed_sensitivity
from .pid import pid
from .pole_placement import pole_placement

__all__ = [
    "dipole",
    "disturbance_observer",
    "filtered",
    "law_from_system",
    "lqg",
    "lqgi",
    "lqi",
    "mixed_sensitivity",
    "notch",
    "pid",
    "pole_placement",
    "roll_off",
    "state_feedback",
    "state_space_law",
]
