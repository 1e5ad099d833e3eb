"""Registry of external torque kinds, one line each: the name of the file that defines the kind."""

from typing import TYPE_CHECKING

from ..kinds import Kinds

if TYPE_CHECKING:
    from .kind import TorqueKind

FILES = (
    "fmu",
    "leak",
    "process",
    "pulse",
    "table",
    "thrust",
)

KINDS: "Kinds[TorqueKind]" = Kinds(__name__, FILES, plain="pulse", marks={"table": "table"})
