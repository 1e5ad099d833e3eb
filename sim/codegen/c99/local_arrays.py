"""Arrays created by a user-defined kernel, stored as rows and tables in the workspace of one call."""

import ast
from typing import Any

import numpy as np

from .complexes import as_complex
from .expressions import as_kind, expression
from .kinds import COMPLEX, INTEGER, REAL, Array, Scalar, Several, common
from .scope import Scope
from .stepped import Stepped
from .stops import STOP
from .tuples import items
from .values import PRODUCT, UNKNOWN, Value, operand

_FILLED = {np.zeros: 0.0, np.empty: 0.0, np.ones: 1.0, np.full: None}
_LIKE = {np.zeros_like: 0.0, np.empty_like: 0.0, np.ones_like: 1.0}
_MADE_OF = (np.array, np.asarray, np.ascontiguousarray)
_KINDS: dict[Any, Scalar] = {
    **dict.fromkeys((float, np.float64, "float64"), REAL),
    **dict.fromkeys((complex, np.complex128, "complex128"), COMPLEX),
}


def local_array(scope: Scope, node: ast.Call) -> Value | None:
    """Return the array created by a call; None if the call does not create an array."""
    if not scope.program.checked or not isinstance(node.func, ast.Attribute | ast.Name):
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr == "copy" and not node.args:
        held = expression(scope, node.func.value)
        return copied(scope, held) if held.is_array else None
    if not _may_be_known(scope, node.func):
        return None
    function = expression(scope, node.func).known
    if function is UNKNOWN or getattr(function, "__hash__", None) is None:
        return None
    if function in _FILLED:
        return _filled(scope, node, _FILLED[function])
    if function in _LIKE:
        like = expression(scope, node.args[0])
        if not isinstance(like.kind, Array):
            raise scope.refuse(node, f"{ast.unparse(node.func)} requires an array")
        made = new_array(scope, like.kind.item, [each() for each in like.extents])
        fill(scope, made, scope.program.number(_LIKE[function]))
        return made
    if function in _MADE_OF and node.args:
        given = expression(scope, node.args[0])
        kind = _kind(scope, node, node.args[1] if len(node.args) > 1 else None)
        if isinstance(given.kind, Several):
            return row_of(scope, node, given, kind)
        if given.is_array:
            return copied(scope, given) if function is np.array else given
        raise scope.refuse(node, "an array must be created from numbers in a list or tuple")
    return None


def _may_be_known(scope: Scope, node: ast.expr) -> bool:
    """Return whether an expression is a global name or an attribute of one."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id not in scope.assigned and node.id not in scope.arguments


def _kind(scope: Scope, node: ast.Call, given: ast.expr | None) -> Scalar | None:
    for each in node.keywords:
        if each.arg != "dtype":
            raise scope.refuse(node, f"{each.arg}= is not supported when an array is created; omit it")
        given = each.value
    if given is None:
        return None
    if isinstance(given, ast.Constant):
        found: Any = given.value
    else:
        found = expression(scope, given).known
    if not isinstance(found, type | str) or found not in _KINDS:
        raise scope.refuse(node, "arrays in a kernel must be of type float or complex")
    return _KINDS[found]


def _filled(scope: Scope, node: ast.Call, number: float | None) -> Value:
    sizes = list(node.args[:1])
    if not sizes:
        raise scope.refuse(node, "the size of an array must be the first argument")
    rest = node.args[1:]
    value: Value | None = None
    if number is None:
        if not rest:
            raise scope.refuse(node, "np.full requires a size and a number")
        value, rest = expression(scope, rest[0]), rest[1:]
    kind = _kind(scope, node, rest[0] if rest else None)
    given = expression(scope, sizes[0])
    extents = items(scope, given) if isinstance(given.kind, Several) else (given,)
    if not 1 <= len(extents) <= 2 or any(each.kind != INTEGER for each in extents):
        raise scope.refuse(node, "an array needs one or two sizes, which must be integers")
    if value is not None and not isinstance(value.kind, Scalar):
        raise scope.refuse(node, "np.full requires a single number")
    item = kind or (COMPLEX if value is not None and value.kind == COMPLEX else REAL)
    made = new_array(scope, item, [scope.keep(each).code for each in extents])
    fill(scope, made, value or scope.program.number(number or 0.0))
    return made


def new_array(scope: Scope, item: Scalar, sizes: list[str]) -> Value:
    """Return a new array with uninitialised elements.

    sizes: C names or numbers, one per dimension.
    """
    name = scope.temporary("made")
    scope.learnt.takes = True
    type_name = scope.program.type_name(item)
    count = " * ".join(f"({each})" for each in sizes)
    wide = "2 * " if item == COMPLEX else ""
    for each in sizes:
        scope.write(f"polhode_part({STOP}, 0, {each}, 65536);")
    scope.write(f"{type_name} *{name} = ({type_name} *)polhode_take({STOP}, {wide}{count});")
    extents = tuple((lambda text=each: text) for each in sizes)
    return Value(Array(item, len(sizes)), name, extents=extents)


def fill(scope: Scope, array: Value, number: Value) -> None:
    """Write the assignment of one number to all elements of an array."""
    assert isinstance(array.kind, Array)  # noqa: S101 # checked by the callers
    held = scope.keep(as_kind(scope, number, array.kind.item))
    counter = scope.temporary("n")
    scope.write(f"for (integer {counter} = 0; {counter} < {count_of(array)}; {counter}++) {{")
    place = array.known.place(counter) if isinstance(array.known, Stepped) else f"({array.code})[{counter}]"
    scope.write(f"    {place} = {held.code};")
    scope.write("}")


def count_of(array: Value) -> str:
    """Return the number of elements of an array."""
    return " * ".join(operand(Value(INTEGER, each()), PRODUCT) for each in array.extents)


def copied(scope: Scope, array: Value) -> Value:
    """Return a new array with a copy of an array's elements."""
    assert isinstance(array.kind, Array)  # noqa: S101 # checked by the callers
    made = new_array(scope, array.kind.item if array.kind.item != INTEGER else REAL, [each() for each in array.extents])
    counter = scope.temporary("n")
    scope.write(f"for (integer {counter} = 0; {counter} < {count_of(array)}; {counter}++) {{")
    scope.write(f"    {made.code}[{counter}] = ({array.code})[{counter}];")
    scope.write("}")
    return made


def row_of(scope: Scope, node: ast.AST, several: Value, kind: Scalar | None = None) -> Value:
    """Return a list or tuple as an array: numbers give a row, rows give a table."""
    parts = items(scope, several)
    rows = [items(scope, each) if isinstance(each.kind, Several) else (each,) for each in parts]
    is_table = any(isinstance(each.kind, Several) for each in parts)
    if len({len(each) for each in rows}) > 1 or (is_table and any(isinstance(each.kind, Scalar) for each in parts)):
        raise scope.refuse(node, "the rows of a table must have equal lengths")
    numbers = [number for row in rows for number in row]
    if any(not isinstance(each.kind, Scalar) for each in numbers):
        raise scope.refuse(node, "an array must be created from numbers in a list or tuple")
    found = kind
    for each in numbers:
        found = common(found, each.kind) if kind is None else kind  # pyright: ignore[reportAssignmentType] # of scalars
    item = COMPLEX if found == COMPLEX else REAL
    held = [scope.keep(as_kind(scope, each, item)) for each in numbers]
    made = new_array(scope, item, [str(len(parts)), *([str(len(rows[0]))] if is_table else [])])
    for n, each in enumerate(held):
        scope.write(f"{made.code}[{n}] = {each.code};")
    return made


def reduced(scope: Scope, node: ast.AST, name: str, array: Value) -> Value:
    """Return the sum of an array."""
    assert isinstance(array.kind, Array)  # noqa: S101 # checked by the callers
    item = array.kind.item
    if item not in (REAL, COMPLEX):
        raise scope.refuse(node, f"the {name} accepts real or complex numbers only")
    total, counter = scope.temporary("total"), scope.temporary("n")
    zero = scope.program.number(0.0)
    start = as_complex(scope.program, zero) if item == COMPLEX else zero
    scope.write(f"{scope.program.type_name(item)} {total} = {start.code};")
    scope.write(f"for (integer {counter} = 0; {counter} < {count_of(array)}; {counter}++) {{")
    there = f"({array.code})[{counter}]"
    if item == COMPLEX:
        scope.write(f"    {total} = {scope.program.helper('complex_sum')}({total}, {there});")
    else:
        scope.write(f"    {total} += {there};")
    scope.write("}")
    return Value(item, total)
