"""Derive block kinds from functions that declare the quantities of a block."""

from collections.abc import Callable, Mapping
from typing import Any

from .....controllers import Block
from ...schema.block import BlockTable
from ..declared_keys import DeclaredKeys, summary_of
from .kind import BlockKind
from .kinds import KINDS

RETURN = "Return a block that "


def kind_of(word: str, function: Callable[..., Block], *, module: str = __name__) -> BlockKind:
    """Return the kind of a block.

    word: value of the key `kind`; function: function that returns the block, called with the declared quantities and
    `reads`, `writes`, `width`, `sample`, `offset`, `delay` and `name`; module: name of the module that the table
    becomes part of.
    """
    keys = DeclaredKeys(function)
    doc = f"Block that {summary_of(function).removeprefix(RETURN)}"

    def make(table: Any, common: Mapping[str, Any]) -> Block:
        with keys.located():
            return function(**keys.values(table), **common)

    return BlockKind(table=keys.table(word, BlockTable, noun="block", module=module, doc=doc), make=make)


def __getattr__(name: str) -> type[Any]:
    """Return the table of a kind by name, so that pickled cases find it."""
    return KINDS.table_named(name)
