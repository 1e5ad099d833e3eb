"""Registry of potential kinds: the file that defines each, one line each."""

from typing import TYPE_CHECKING

from ..kinds import Kinds

if TYPE_CHECKING:
    from .kind import PotentialKind

__all__ = ["KINDS"]

FILES = (
    "gravity_gradient",
    "guided_spring",
    "spring",
    "uniform_gravity",
)

KINDS: "Kinds[PotentialKind]" = Kinds(__name__, FILES)
