"""Registry of law kinds, one line each: the name of the file that defines the kind."""

from typing import TYPE_CHECKING

from ..kinds import Kinds

if TYPE_CHECKING:
    from .kind import LawKind

FILES = (
    "control_system",
    "disturbance_observer",
    "energy_shaping",
    "file",
    "fmu",
    "gain_schedule",
    "lqg",
    "lqgi",
    "lqi",
    "lqr",
    "mixed_sensitivity",
    "on_off",
    "periodic_lqr",
    "pid",
    "pole_placement",
    "process",
    "quaternion_feedback",
    "rate_damping",
    "sliding_mode",
    "spin_precession",
    "state_feedback",
    "state_space",
)

KINDS: "Kinds[LawKind]" = Kinds(__name__, FILES)
