"""Array arithmetic in a user-defined kernel: elementwise as in NumPy, and products of rows and tables."""

import ast
from collections.abc import Callable

from .complexes import as_complex
from .kinds import COMPLEX, INTEGER, REAL, Array, Scalar, Several, common
from .local_arrays import count_of, new_array, row_of
from .scope import Scope
from .stops import STOP
from .values import UNARY, UNKNOWN, Value, operand

Combine = Callable[[Scope, ast.AST, ast.operator, Value, Value], Value]

_EACH = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.Mod, ast.FloorDiv)


def arrays_combined(scope: Scope, node: ast.AST, op: ast.operator, a: Value, b: Value, combine: Combine) -> Value:
    """Return the result of an operator if one or both values are arrays; `combine` operates on scalars."""
    a, b = (row_of(scope, node, each) if isinstance(each.kind, Several) else each for each in (a, b))
    if isinstance(op, ast.MatMult):
        return dot(scope, node, a, b, combine)
    if not isinstance(op, _EACH):
        raise scope.refuse(
            node, f"the operator {type(op).__name__.lower()!r} is not supported for arrays; write a loop"
        )
    if isinstance(op, ast.Pow) and b.known == 2.0:  # as in numpy
        b = scope.program.number(2)
    a, b = (each if each.is_array or not isinstance(each.known, type(UNKNOWN)) else scope.keep(each) for each in (a, b))
    first = a if a.is_array else b
    item = _item(scope, node, a, b)
    _require_same_extents(scope, node, a, b)
    made = new_array(scope, item, [each() for each in first.extents])
    with _loop(scope, count_of(first)) as at:
        if isinstance(op, ast.Pow) and a.is_array and b.known == 0.5 and item == REAL:  # as in numpy
            found = Value(REAL, f"sqrt({_at(a, at).code})")
        else:
            found = combine(scope, node, op, _at(a, at), _at(b, at))
        found = as_complex(scope.program, found) if item == COMPLEX else found
        scope.write(f"{made.code}[{at}] = {found.code};")
    return made


def _require_same_extents(scope: Scope, node: ast.AST, a: Value, b: Value) -> None:
    """Write the checks that two arrays have the same extents; a scalar combines with any array."""
    if a.is_array and b.is_array:
        if len(a.extents) != len(b.extents):
            raise scope.refuse(node, "a row and a table cannot be combined elementwise; write a loop")
        for mine, theirs in zip(a.extents, b.extents, strict=True):
            scope.write(f"polhode_fit({STOP}, {mine()}, {theirs()});")


def negative_array(scope: Scope, node: ast.AST, array: Value, combine: Combine) -> Value:
    """Return -array."""
    return arrays_combined(scope, node, ast.Mult(), array, scope.program.number(-1.0), combine)


def dot(scope: Scope, node: ast.AST, a: Value, b: Value, combine: Combine) -> Value:
    """Return the product of two rows, which is a number, or of a table and a row, which is a row."""
    if not scope.program.checked:
        raise scope.refuse(node, "arithmetic is supported for single numbers only; write a loop")
    a, b = (row_of(scope, node, each) if isinstance(each.kind, Several) else each for each in (a, b))
    if not isinstance(a.kind, Array) or not isinstance(b.kind, Array) or b.kind.dimensions != 1:
        raise scope.refuse(node, "@ multiplies two rows, or a table and a row; write a loop")
    item = _item(scope, node, a, b)
    scope.write(f"polhode_fit({STOP}, {a.extents[-1]()}, {b.extents[0]()});")
    if a.kind.dimensions == 1:
        return Value(item, _sum_of_products(scope, node, a, b, "", item, combine))
    made = new_array(scope, item, [a.extents[0]()])
    with _loop(scope, a.extents[0]()) as row:
        columns = operand(Value(INTEGER, a.extents[1]()), UNARY)
        total = _sum_of_products(scope, node, a, b, f"{row} * {columns} + ", item, combine)
        scope.write(f"{made.code}[{row}] = {total};")
    return made


def _sum_of_products(
    scope: Scope, node: ast.AST, a: Value, b: Value, ahead: str, item: Scalar, combine: Combine
) -> str:
    """Write the dot product of a row with the elements of `a` that start at an index; return its name."""
    total = scope.temporary("total")
    zero = scope.program.number(0.0)
    start = as_complex(scope.program, zero) if item == COMPLEX else zero
    scope.write(f"{scope.program.type_name(item)} {total} = {start.code};")
    with _loop(scope, b.extents[0]()) as at:
        product = combine(scope, node, ast.Mult(), _at(a, f"{ahead}{at}"), _at(b, at))
        scope.write(f"{total} = {combine(scope, node, ast.Add(), Value(item, total), product).code};")
    return total


def norm(scope: Scope, node: ast.AST, array: Value, combine: Combine) -> Value:
    """Return the Euclidean norm of a row of real numbers."""
    found = dot(scope, node, array, array, combine)
    if found.kind != REAL:
        raise scope.refuse(node, "np.linalg.norm accepts a row of real numbers only; write np.sqrt(c @ c)")
    return Value(REAL, f"{scope.program.suffixed('sqrt')}({found.code})")


def cross(scope: Scope, node: ast.AST, a: Value, b: Value, combine: Combine) -> Value:
    """Return the cross product of two rows of three."""
    if not scope.program.checked:
        raise scope.refuse(node, "arithmetic is supported for single numbers only; write a loop")
    a, b = (row_of(scope, node, each) if isinstance(each.kind, Several) else each for each in (a, b))
    if not a.is_array or not b.is_array or len(a.extents) != 1 or len(b.extents) != 1:
        raise scope.refuse(node, "np.cross accepts two rows of three numbers only")
    item = _item(scope, node, a, b)
    for each in (a, b):
        scope.write(f"polhode_fit({STOP}, {each.extents[0]()}, 3);")
    made = new_array(scope, item, ["3"])
    for k, i, j in ((0, "1", "2"), (1, "2", "0"), (2, "0", "1")):
        first, second = (combine(scope, node, ast.Mult(), _at(a, m), _at(b, n)) for m, n in ((i, j), (j, i)))
        found = combine(scope, node, ast.Sub(), first, second)
        scope.write(f"{made.code}[{k}] = {(as_complex(scope.program, found) if item == COMPLEX else found).code};")
    return made


def _item(scope: Scope, node: ast.AST, a: Value, b: Value) -> Scalar:
    kinds = [each.kind.item if isinstance(each.kind, Array) else each.kind for each in (a, b)]
    if any(not isinstance(each, Scalar) for each in kinds):
        raise scope.refuse(node, "arrays can be combined with arrays and numbers only")
    found = common(kinds[0], kinds[1])
    if all(isinstance(each.kind, Array) and each.kind.item == INTEGER for each in (a, b) if each.is_array):
        raise scope.refuse(node, "arithmetic is not supported for arrays of integers; use arrays of floats")
    return COMPLEX if found == COMPLEX else REAL


def _at(value: Value, place: str) -> Value:
    if not isinstance(value.kind, Array):
        return value
    return Value(value.kind.item, f"({value.code})[{place}]", reads=True)


class _loop:  # noqa: N801 # a context manager
    """Context manager that encloses the lines written inside it in a C loop over a number of elements."""

    def __init__(self, scope: Scope, count: str) -> None:
        self.scope, self.count = scope, count

    def __enter__(self) -> str:
        """Open the loop, and return its counter."""
        name = self.scope.temporary("n")
        self.scope.write(f"for (integer {name} = 0; {name} < {self.count}; {name}++) {{")
        self.scope.indent += 1
        return name

    def __exit__(self, *_: object) -> None:
        """Close the loop."""
        self.scope.indent -= 1
        self.scope.write("}")
