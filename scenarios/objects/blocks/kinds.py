"""Every kind of block that a case can ask for: the file that says what it is, one line each."""

from importlib import import_module

from ...case.schema.block import BlockTable
from .kind import BlockKind

__all__ = ["KINDS", "kind_of"]

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

KINDS: tuple[BlockKind, ...] = tuple(import_module(f".{name}", __package__).KIND for name in FILES)


def kind_of(table: BlockTable) -> BlockKind:
    """Return the kind that a table belongs to.

    Parameters
    ----------
    table : BlockTable
        Of a case.

    Returns
    -------
    BlockKind
        Its kind.
    """
    return next(kind for kind in KINDS if kind.table is type(table))
