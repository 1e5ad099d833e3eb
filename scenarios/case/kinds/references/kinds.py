"""Registry of reference kinds: the file that defines each, one line each."""

from typing import TYPE_CHECKING

from ..kinds import Kinds

if TYPE_CHECKING:
    from .kind import ReferenceKind

FILES = (
    "eigenaxis_slew",
    "fixed",
    "nadir",
    "spin",
    "spin_up",
    "sun",
)

KINDS: "Kinds[ReferenceKind]" = Kinds(__name__, FILES, plain="fixed")
