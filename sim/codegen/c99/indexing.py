"""Indexing of arrays and tuples: elements, rows of tables, slices of rows, items of tuples."""

import ast
from dataclasses import replace
from typing import Any, cast

from .expressions import expression, in_order, known_value
from .kinds import INTEGER, Array, Several
from .literals import number_of
from .scope import Scope
from .stepped import part_with_steps
from .stops import STOP
from .tuples import item, items, materialised
from .values import ATOM, PRODUCT, SUM, Value, operand


def _integer(scope: Scope, node: ast.AST, value: Value) -> Value:
    if value.kind != INTEGER:
        raise scope.refuse(node, "an index must be an integer; use int(...)")
    if isinstance(value.known, int) and value.known < 0 and not scope.program.checked:
        raise scope.refuse(node, "negative indices are not supported; use the size")
    return value


def subscript(scope: Scope, node: ast.Subscript) -> Value:
    """Return the value at an index of an array, a tuple or an array's shape."""
    if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
        shape = expression(scope, node.value)
        if shape.known == "shape" and isinstance(node.slice, ast.Constant):
            return Value(INTEGER, shape.extents[int(str(node.slice.value))]())
    return element(scope, node)


def element(scope: Scope, node: ast.Subscript) -> Value:
    """Return the value at an index: a number, a row of a table, a part of a row, or an item of a tuple."""
    base = expression(scope, node.value)
    if base.known.__class__ is dict and isinstance(node.slice, ast.Constant) and node.slice.value in base.known:
        return known_value(scope, node, base.known[node.slice.value], ast.unparse(node))
    if isinstance(base.kind, Several):
        return _piece(scope, node, base)
    if not isinstance(base.kind, Array):
        raise scope.refuse(node, "only arrays and tuples can be indexed")
    if scope.program.checked and _has_steps(node.slice, base.kind.dimensions):
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return part_with_steps(scope, node, base, indices)
    if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) != base.kind.dimensions:
        raise scope.refuse(node, "an array needs one index for each axis")
    if isinstance(node.slice, ast.Slice):
        return _part(scope, node, base, node.slice)
    if base.kind.dimensions == 1:
        n = _integer(scope, node, expression(scope, node.slice))
        return Value(
            base.kind.item, f"{operand(base, ATOM)}[{_place(scope, base, n, 0).code}]", reads=True, roots=base.roots
        )
    if not isinstance(node.slice, ast.Tuple):
        n = _integer(scope, node, expression(scope, node.slice))
        return _row(base, _place(scope, base, n, 0))
    first, second = node.slice.elts
    if isinstance(second, ast.Slice):
        n = _place(scope, base, _integer(scope, node, expression(scope, first)), 0)
        return _part(scope, node, _row(base, n), second)
    i, k = (_integer(scope, node, each) for each in in_order(scope, [first, second]))
    i, k = _place(scope, base, i, 0), _place(scope, base, k, 1)
    code = f"{operand(i, PRODUCT)} * {base.extents[1]()} + {operand(k, PRODUCT)}"
    return Value(base.kind.item, f"{operand(base, ATOM)}[{code}]", reads=True, roots=base.roots)


def _has_steps(index: ast.expr, dimensions: int) -> bool:
    """Return whether an index selects numbers that are not contiguous: a[::2], a[:, 1], a[1:3, 0:2]."""
    if isinstance(index, ast.Slice):
        return index.step is not None
    if not isinstance(index, ast.Tuple) or dimensions == 1:
        return False
    *ahead, last = index.elts
    return any(isinstance(each, ast.Slice) for each in ahead) or (isinstance(last, ast.Slice) and last.step is not None)


def _place(scope: Scope, base: Value, n: Value, axis: int) -> Value:
    """Return an index as written; in a checked program, test it and count negative indices from the end."""
    if not scope.program.checked:
        return n
    return Value(INTEGER, f"polhode_place({STOP}, {n.code}, {base.extents[axis]()}, {axis})", reads=n.reads)


def row_at(table: Value, n: Value) -> Value:
    """Return a row of a table at a valid index."""
    return _row(table, n)


def _row(base: Value, n: Value) -> Value:
    assert isinstance(base.kind, Array)  # noqa: S101 # checked before
    code = base.code if n.known == 0 else f"{operand(base, SUM)} + {operand(n, PRODUCT)} * {base.extents[1]()}"
    return Value(Array(base.kind.item, 1), code, ATOM if n.known == 0 else SUM, n.reads, (base.extents[1],), base.roots)


def _part(scope: Scope, node: ast.AST, base: Value, part: ast.Slice) -> Value:
    """Return row[a:b], or rows of a table, as a view of the same memory."""
    if part.step is not None:
        raise scope.refuse(node, "a slice of a row cannot have a step")
    first = scope.program.number(0) if part.lower is None else _integer(scope, node, expression(scope, part.lower))
    last = None if part.upper is None else _integer(scope, node, expression(scope, part.upper))
    if scope.program.checked:
        return _clipped(scope, base, first, last)

    def size() -> str:
        end = base.extents[0]() if last is None else operand(last, SUM)
        return end if first.known == 0 else f"{end} - {operand(first, PRODUCT)}"

    reads = first.reads or (last is not None and last.reads)
    extents = (size, *base.extents[1:])
    if first.known == 0:
        return Value(base.kind, base.code, base.binds, reads, extents, base.roots)
    by = f" * {base.extents[1]()}" if len(base.extents) == 2 else ""
    ahead = f"{operand(first, PRODUCT)}{by}" if by else operand(first, SUM)
    return Value(base.kind, f"{operand(base, SUM)} + {ahead}", SUM, reads, extents, base.roots)


def _clipped(scope: Scope, base: Value, first: Value, last: Value | None) -> Value:
    """Return a slice of a row by Python's rules for negative indices and for indices out of range."""
    if first.known == 0 and last is None:
        return base
    whole = base.extents[0]()
    start = scope.keep(Value(INTEGER, f"polhode_clipped({first.code}, {whole})")) if first.known != 0 else first
    end = whole if last is None else scope.keep(Value(INTEGER, f"polhode_clipped({last.code}, {whole})")).code
    size = scope.keep(Value(INTEGER, f"polhode_span({start.code}, {end})"))
    by = f" * {base.extents[1]()}" if len(base.extents) == 2 else ""
    code = base.code if first.known == 0 else f"{operand(base, SUM)} + {start.code}{by}"
    binds = base.binds if first.known == 0 else SUM
    return Value(base.kind, code, binds, False, ((lambda: size.code), *base.extents[1:]), base.roots)


def _piece(scope: Scope, node: ast.Subscript, base: Value) -> Value:
    n = expression(scope, node.slice)
    count = len(base.kind.items) if isinstance(base.kind, Several) else 0
    if isinstance(n.known, int):
        if not -count <= n.known < count:
            raise scope.refuse(node, f"index {n.known} of a tuple of {count}")
        return items(scope, base)[n.known]
    if scope.program.checked:
        n = Value(INTEGER, f"polhode_place({STOP}, {_integer(scope, node, n).code}, {count}, 0)", reads=n.reads)
    if isinstance(base.known, tuple):
        whole = cast("tuple[Any, ...]", base.known)
        held = scope.program.constants(list(whole), ast.unparse(node.value))
        kind = number_of(whole[0])
        assert kind is not None  # noqa: S101 # a tuple of numbers
        return Value(kind, f"{held}[{_integer(scope, node, n).code}]")
    assert isinstance(base.kind, Several)  # noqa: S101 # checked before
    if not base.kind.alike:
        raise scope.refuse(node, "a tuple with items of different types needs a literal index")
    whole = base if base.code.isidentifier() else scope.keep(replace(base, code=materialised(scope, base).code))
    return item(replace(whole, parts=None), _integer(scope, node, n).code)
