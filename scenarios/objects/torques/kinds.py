"""Every kind of torque from outside that a case can ask for: the file that says what it is, one line each."""

from typing import TYPE_CHECKING

from ..kinds import Kinds

if TYPE_CHECKING:
    from .kind import TorqueKind

__all__ = ["KINDS"]

FILES = (
    "fmu",
    "process",
    "pulse",
)

KINDS: "Kinds[TorqueKind]" = Kinds(__name__, FILES, plain="pulse")
