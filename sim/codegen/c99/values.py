"""A piece of an expression on its way to C."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .kinds import INTEGER, Array, Kind

__all__ = ["ATOM", "CONDITIONAL", "UNARY", "UNKNOWN", "Value", "operand"]

# how tightly operators of C bind
ATOM = 15
UNARY = 14
PRODUCT = 13
SUM = 12
SHIFT = 11
ORDER = 10
EQUALITY = 9
BIT_AND = 8
BIT_XOR = 7
BIT_OR = 6
BOTH = 5
EITHER = 4
CONDITIONAL = 3

UNKNOWN = object()


@dataclass(frozen=True, eq=False)
class Value:
    """An expression of C and what is known of it.

    code: its text; of a tuple that is still in pieces these are `parts`. binds: how tightly. reads: whether a later
    call could change it. extents: of an array, its sizes as functions that return their text (whoever asks needs them).
    roots: the names of what an array is part of. known: the Python object, where it is known.
    """

    kind: Kind
    code: str = ""
    binds: int = ATOM
    reads: bool = False
    extents: tuple[Callable[[], str], ...] = ()
    roots: frozenset[str] = frozenset()
    known: Any = UNKNOWN
    parts: "tuple[Value, ...] | None" = field(default=None)

    @property
    def is_array(self) -> bool:
        """Whether it is a row or a table."""
        return isinstance(self.kind, Array)


def operand(value: Value, binds: int) -> str:
    """Return the text of a value where something binds it so tightly."""
    return value.code if value.binds >= binds else f"({value.code})"


def integer(code: str, binds: int = ATOM) -> Value:
    """Return an integer that nothing changes."""
    return Value(INTEGER, code, binds)
