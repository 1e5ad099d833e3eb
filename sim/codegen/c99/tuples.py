"""Tuples as structs by value."""

from dataclasses import replace

from .kinds import Kind, Several
from .scope import Scope
from .values import ATOM, Value

__all__ = ["item", "items", "materialised", "tuple_of"]


def tuple_of(parts: tuple[Value, ...]) -> Value:
    """Return a tuple in pieces."""
    return Value(Several(tuple(each.kind for each in parts)), reads=any(each.reads for each in parts), parts=parts)


def items(scope: Scope, value: Value) -> tuple[Value, ...]:
    """Return the pieces of a tuple; one that is a call is put into a name first."""
    if value.parts is not None:
        return value.parts
    kind = value.kind
    assert isinstance(kind, Several)  # noqa: S101 # asked before
    held = value if value.code.isidentifier() else scope.keep(value)
    return tuple(item(held, n) for n in range(len(kind.items)))


def item(value: Value, n: int | str) -> Value:
    """Return one piece of a struct, by its place or, where all are alike, by an expression."""
    assert isinstance(value.kind, Several)  # noqa: S101 # asked before
    if value.kind.alike:
        return Value(value.kind.items[0], f"{value.code}.a[{n}]", reads=value.reads)
    return Value(value.kind.items[int(n)], f"{value.code}.f{n}", reads=value.reads)


def materialised(scope: Scope, value: Value) -> Value:
    """Return a value with its text: a tuple in pieces as a struct."""
    if value.parts is None or value.code:
        return value
    return replace(value, code=literal_of(scope, value, value.kind), binds=ATOM)


def literal_of(scope: Scope, value: Value, kind: Kind) -> str:
    """The struct of a tuple in pieces: a compound literal, which C++ writes without parentheses."""
    name = scope.program.type_name(kind)
    if value.parts is None or not isinstance(kind, Several):
        raise TypeError("a tuple in pieces is asked for")
    inner = ", ".join(materialised(scope, part).code for part in value.parts)
    return f"made_of({name}){{{{{inner}}}}}" if kind.alike else f"made_of({name}){{{inner}}}"
