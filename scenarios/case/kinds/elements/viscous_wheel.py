"""Element kind for a damper wheel."""

from .....plant import Wheel
from .declared import kind_of

KIND = kind_of(
    "viscous-wheel",
    Wheel,
    module=__name__,
    keys=dict.fromkeys(("axis", "inertia", "friction", "relative_rate"), ""),
    required=("friction",),
    doc="Damper wheel: a rotor with viscous friction about its axis.",
)
