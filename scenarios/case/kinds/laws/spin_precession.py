"""Law kind for spin-synchronous pulses."""

from .....controllers import SpinPrecession
from .declared_law import declared_law

KIND = declared_law(
    SpinPrecession,
    doc="Pulses of one thruster in step with the spin, which precess the spin axis to that of the reference.",
    module=__name__,
    keys={"torque": "", "axis": "", "arc": "deg", "deadband": "deg", "lead": ""},
)
