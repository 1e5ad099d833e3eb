"""Registry of reference kinds, one line each: the name of the file that defines the kind."""

from typing import TYPE_CHECKING

from ..kinds import Kinds

if TYPE_CHECKING:
    from .kind import ReferenceKind

FILES = (
    "eigenaxis_slew",
    "fixed",
    "keep_out_slew",
    "nadir",
    "spin",
    "spin_up",
    "sun",
    "time_optimal_slew",
)

KINDS: "Kinds[ReferenceKind]" = Kinds(__name__, FILES, plain="fixed")
