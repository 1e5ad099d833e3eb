"""A translated expression."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .kinds import INTEGER, Array, Kind

# precedence of C operators
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
    """A C expression and the properties known at translation time.

    code: C text; replaced by `parts` for a tuple of separate items. binds: precedence of the expression. reads: whether
    a later call could change the value. extents: sizes of an array, as functions that return the text of a size and
    mark it as needed. roots: names of the arrays that contain the value. known: the Python object, if known at
    translation time.
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
        """True if the value is an array (a row or a table)."""
        return isinstance(self.kind, Array)


def operand(value: Value, binds: int) -> str:
    """Return a value's C text as an operand, in parentheses if the operator's precedence requires them."""
    return value.code if value.binds >= binds else f"({value.code})"


def integer(code: str, binds: int = ATOM) -> Value:
    """Return a constant integer."""
    return Value(INTEGER, code, binds)
