"""Registry of block kinds, one line each: the file of a kind, or its word and the function that returns the block."""

from typing import TYPE_CHECKING

from ..kinds import Kinds

if TYPE_CHECKING:
    from .kind import BlockKind

__all__ = ["KINDS"]

FILES = (
    "delay = controllers.laws.blocks.nonlinear_blocks:delay",
    "direction_attitude",
    "dropout",
    "fmu",
    "lag",
    "low_pass",
    "noise = controllers.laws.blocks.noise:noise",
    "process",
    "pwpf = controllers.laws.blocks.pwpf:pwpf",
    "quantisation = controllers.laws.blocks.nonlinear_blocks:quantizer",
    "rate-limit = controllers.laws.blocks.nonlinear_blocks:rate_limiter",
    "state_space",
    "transfer_function",
)

KINDS: "Kinds[BlockKind]" = Kinds(__name__, FILES)
