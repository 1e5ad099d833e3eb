"""Array functions in a user-defined kernel: elementwise functions, and reductions to one number."""

import ast
from collections.abc import Callable, Sequence

from .kinds import COMPLEX, FLAG, INTEGER, REAL, Array, Several
from .local_arrays import count_of, new_array, row_of
from .scope import Scope
from .stops import STOP
from .values import UNARY, Value, operand


def element_by_element(
    scope: Scope, node: ast.AST, arguments: Sequence[Value], write: Callable[[list[Value]], Value]
) -> Value:
    """Return the array that a function gives when applied elementwise to arrays; scalars are broadcast.

    write: write(numbers) -> the value of the function.
    """
    given = [row_of(scope, node, each) if isinstance(each.kind, Several) else each for each in arguments]
    given = [each if each.is_array else scope.keep(each) for each in given]
    first = next(each for each in given if each.is_array)
    for each in given:
        if not each.is_array or each is first:
            continue
        if len(each.extents) != len(first.extents):
            raise scope.refuse(node, "a row and a table cannot be combined elementwise; write a loop")
        for mine, theirs in zip(first.extents, each.extents, strict=True):
            scope.write(f"polhode_fit({STOP}, {mine()}, {theirs()});")

    def at(place: str) -> list[Value]:
        return [
            Value(each.kind.item, f"({each.code})[{place}]", reads=True) if isinstance(each.kind, Array) else each
            for each in given
        ]

    with scope.aside():
        item = write(at("0")).kind
    if item not in (REAL, COMPLEX, FLAG):
        raise scope.refuse(node, "the result would be an array of integers, which kernels do not support; write a loop")
    made = new_array(scope, item, [each() for each in first.extents])  # pyright: ignore[reportArgumentType] # a scalar
    counter = scope.temporary("n")
    scope.write(f"for (integer {counter} = 0; {counter} < {count_of(first)}; {counter}++) {{")
    with scope.inner():
        found = write(at(counter))
        scope.write(f"{made.code}[{counter}] = {found.code};")
    scope.write("}")
    return made


def extreme_of(scope: Scope, node: ast.AST, array: Value, helper: str) -> Value:
    """Return the maximum or minimum of an array, computed by a prelude function."""
    kind = array.kind
    if not isinstance(kind, Array) or kind.item != REAL:
        raise scope.refuse(node, "max and min of an array accept real numbers only")
    count = scope.keep(Value(INTEGER, count_of(array)))
    scope.write(f"polhode_some({STOP}, {count.code});")
    name, counter = scope.temporary("extreme"), scope.temporary("n")
    scope.write(f"real {name} = ({array.code})[0];")
    scope.write(f"for (integer {counter} = 1; {counter} < {count.code}; {counter}++) {{")
    scope.write(f"    {name} = {scope.program.helper(helper)}({name}, ({array.code})[{counter}]);")
    scope.write("}")
    return Value(REAL, name)


def total_of(scope: Scope, node: ast.AST, array: Value) -> Value:
    """Return np.sum of an array, with its elements added in NumPy's order."""
    kind = array.kind
    if not isinstance(kind, Array) or kind.item != REAL:
        raise scope.refuse(node, "np.sum accepts real numbers only here; write a loop")
    return Value(REAL, f"(0.0 + polhode_total({array.code}, {count_of(array)}))", reads=True)


def quantified(scope: Scope, node: ast.AST, array: Value, *, every: bool) -> Value:
    """Return np.all or np.any of an array."""
    kind = array.kind
    if not isinstance(kind, Array) or kind.item not in (REAL, FLAG):
        raise scope.refuse(node, "np.all and np.any accept truth values or real numbers only")
    name, counter = scope.temporary("holds"), scope.temporary("n")
    scope.write(f"flag {name} = {int(every)};")
    scope.write(f"for (integer {counter} = 0; {counter} < {count_of(array)}; {counter}++) {{")
    test = f"{operand(Value(kind.item, f'({array.code})[{counter}]'), UNARY)} != 0"
    scope.write(f"    {name} = {name} {'&&' if every else '||'} {test};")
    scope.write("}")
    return Value(FLAG, name)
