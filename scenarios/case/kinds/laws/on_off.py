"""Law kind for on-off thrusters."""

from .....controllers import OnOffThrusters
from .declared_law import declared_law

KIND = declared_law(
    OnOffThrusters,
    doc="Thrusters that are on or off about each axis, with a deadband and hysteresis.",
    module=__name__,
    keys={"torque": "", "deadband": "deg", "lead": "", "hysteresis": "deg"},
)
