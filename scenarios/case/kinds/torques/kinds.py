"""Registry of external torque kinds: the file that defines each, one line each."""

from typing import TYPE_CHECKING

from ..kinds import Kinds

if TYPE_CHECKING:
    from .kind import TorqueKind

FILES = (
    "fmu",
    "process",
    "pulse",
    "table",
)

KINDS: "Kinds[TorqueKind]" = Kinds(__name__, FILES, plain="pulse", marks={"table": "table"})
