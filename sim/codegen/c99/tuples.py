"""Tuples as C structs that are passed by value."""

from dataclasses import replace

from .kinds import Kind, Several
from .scope import Scope
from .values import ATOM, Value


def tuple_of(parts: tuple[Value, ...]) -> Value:
    """Return a tuple that is represented by its separate items."""
    return Value(Several(tuple(each.kind for each in parts)), reads=any(each.reads for each in parts), parts=parts)


def items(scope: Scope, value: Value) -> tuple[Value, ...]:
    """Return the items of a tuple; if the tuple is the result of a call, it is first stored under a name."""
    if value.parts is not None:
        return value.parts
    kind = value.kind
    assert isinstance(kind, Several)  # noqa: S101 # checked before
    held = value if value.code.isidentifier() else scope.keep(value)
    return tuple(item(held, n) for n in range(len(kind.items)))


def item(value: Value, n: int | str) -> Value:
    """Return an item of a struct by constant index or, if all items have the same kind, by expression."""
    assert isinstance(value.kind, Several)  # noqa: S101 # checked before
    if value.kind.alike:
        return Value(value.kind.items[0], f"{value.code}.a[{n}]", reads=value.reads)
    return Value(value.kind.items[int(n)], f"{value.code}.f{n}", reads=value.reads)


def materialised(scope: Scope, value: Value) -> Value:
    """Return a value with its C text; a tuple of separate items becomes a struct."""
    if value.parts is None or value.code:
        return value
    return replace(value, code=literal_of(scope, value, value.kind), binds=ATOM)


def literal_of(scope: Scope, value: Value, kind: Kind) -> str:
    """Return a tuple of items as a compound literal of its struct, which C++ writes without parentheses."""
    name = scope.program.type_name(kind)
    if value.parts is None or not isinstance(kind, Several):
        raise TypeError("the items of the tuple are not known")
    inner = ", ".join(materialised(scope, part).code for part in value.parts)
    return f"made_of({name}){{{{{inner}}}}}" if kind.alike else f"made_of({name}){{{inner}}}"
