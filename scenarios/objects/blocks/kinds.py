"""Registry of block kinds: the file that defines each, one line each."""

from typing import TYPE_CHECKING

from ..kinds import Kinds

if TYPE_CHECKING:
    from .kind import BlockKind

__all__ = ["KINDS"]

FILES = (
    "delay",
    "direction_attitude",
    "dropout",
    "fmu",
    "lag",
    "low_pass",
    "noise",
    "process",
    "quantisation",
    "rate_limit",
    "state_space",
    "transfer_function",
)

KINDS: "Kinds[BlockKind]" = Kinds(__name__, FILES)
