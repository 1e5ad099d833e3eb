"""Registry of element kinds: the file that defines each, one line each."""

from typing import TYPE_CHECKING

from ..kinds import Kinds

if TYPE_CHECKING:
    from .kind import ElementKind

__all__ = ["KINDS"]

FILES = (
    "flexible_arm",
    "flexible_modes",
    "mass_spring_damper",
    "pendulum",
    "ring_damper",
    "viscous_wheel",
    "wheel",
    "wheel_array",
)

KINDS: "Kinds[ElementKind]" = Kinds(__name__, FILES)
