"""Registry of block kinds, one line each: the file of a kind, or its name and function."""

from typing import TYPE_CHECKING

from ..kinds import Kinds

if TYPE_CHECKING:
    from .kind import BlockKind

FILES = (
    "delay = controllers.laws.blocks.nonlinear_blocks:delay",
    "direction_attitude",
    "dropout = controllers.laws.blocks.dropout:dropout",
    "fmu",
    "lag = controllers.laws.blocks.linear_block:lag",
    "low-pass = controllers.laws.blocks.linear_block:low_pass",
    "noise = controllers.laws.blocks.noise:noise",
    "process",
    "pwpf = controllers.laws.blocks.pwpf:pwpf",
    "quantisation = controllers.laws.blocks.nonlinear_blocks:quantizer",
    "rate-limit = controllers.laws.blocks.nonlinear_blocks:rate_limiter",
    "state-space = controllers.laws.blocks.linear_block:state_space",
    "transfer-function = controllers.laws.blocks.linear_block:transfer_function",
)

KINDS: "Kinds[BlockKind]" = Kinds(__name__, FILES)
