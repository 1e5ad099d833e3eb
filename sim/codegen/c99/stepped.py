"""Non-contiguous parts of arrays: read as a copy, written element by element."""

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace

from .expressions import expression
from .kinds import FLAG, INTEGER, Array
from .scope import Scope
from .stops import STOP
from .values import PRODUCT, SUM, UNARY, Value, operand


@dataclass(frozen=True)
class Stepped:
    """Array index of the element at a loop counter."""

    place: Callable[[str], str]


@dataclass(frozen=True)
class _Axis:
    """First index, count and step along one axis; `count` is empty for a single index."""

    first: str
    count: str
    step: str


def refuse_shared(scope: Scope, node: ast.AST, value: Value) -> None:
    """Refuse to bind a name to a strided part of an array that changes: the name would refer to a copy."""
    if isinstance(value.known, Stepped) and value.roots & scope.learnt.writes:
        raise scope.refuse(
            node, "a slice with a step of an array that changes cannot be assigned to a name; use a copy: .copy()"
        )


def part_with_steps(scope: Scope, node: ast.AST, base: Value, indices: list[ast.expr]) -> Value:
    """Return a strided part of a row or table as a copy that records the indices of its elements."""
    from .local_arrays import new_array

    assert isinstance(base.kind, Array)  # noqa: S101 # checked before
    indices = [*indices, *([ast.Slice()] * (base.kind.dimensions - len(indices)))]
    if len(indices) != base.kind.dimensions:
        raise scope.refuse(node, "an array needs one index for each axis")
    axes = [_axis(scope, base, n, each) for n, each in enumerate(indices)]
    counts = [each.count for each in axes if each.count]
    source = base.code if base.code.isidentifier() else _pointer(scope, base)
    width = "" if base.kind.dimensions == 1 else operand(Value(INTEGER, base.extents[1]()), UNARY)

    def place(at: str) -> str:
        if not width:
            return f"{source}[{axes[0].first} + {at} * {axes[0].step}]"
        row, column = axes
        if row.count and column.count:
            n, k = f"{at} / {column.count}", f"{at} % {column.count}"
        else:
            n, k = at, at
        i = f"{row.first} + {n} * {row.step}" if row.count else row.first
        j = f"{column.first} + {k} * {column.step}" if column.count else column.first
        return f"{source}[({i}) * {width} + {j}]"

    made = new_array(scope, base.kind.item, counts)
    counter = scope.temporary("n")
    scope.write(f"for (integer {counter} = 0; {counter} < {' * '.join(counts)}; {counter}++) {{")
    scope.write(f"    {made.code}[{counter}] = {place(counter)};")
    scope.write("}")
    return replace(made, roots=base.roots, known=Stepped(place))


def transposed(scope: Scope, base: Value) -> Value:
    """Return a.T of a table, as a copy that records its elements' indices; return a row unchanged."""
    from .local_arrays import new_array

    assert isinstance(base.kind, Array)  # noqa: S101 # checked before
    if base.kind.dimensions == 1:
        return base
    rows, columns = (scope.keep(Value(INTEGER, each())).code for each in base.extents)
    source = base.code if base.code.isidentifier() else _pointer(scope, base)

    def place(at: str) -> str:
        return f"{source}[{at} % {rows} * {columns} + {at} / {rows}]"

    made = new_array(scope, base.kind.item, [columns, rows])
    counter = scope.temporary("n")
    scope.write(f"for (integer {counter} = 0; {counter} < {rows} * {columns}; {counter}++) {{")
    scope.write(f"    {made.code}[{counter}] = {place(counter)};")
    scope.write("}")
    return replace(made, roots=base.roots, known=Stepped(place))


def _pointer(scope: Scope, base: Value) -> str:
    """Return a new name for the start of an array."""
    assert isinstance(base.kind, Array)  # noqa: S101 # checked before
    name = scope.temporary("whole")
    type_name = scope.program.type_name(base.kind.item)
    scope.write(f"{type_name} *const {name} = ({type_name} *){operand(base, UNARY)};")
    return name


def _axis(scope: Scope, base: Value, n: int, index: ast.expr) -> _Axis:
    size = base.extents[n]()
    if not isinstance(index, ast.Slice):
        value = _number(scope, index)
        return _Axis(scope.keep(Value(INTEGER, f"polhode_place({STOP}, {value.code}, {size}, {n})")).code, "", "")
    step = scope.program.number(1) if index.step is None else _number(scope, index.step)
    if not isinstance(step.known, int) or step.known == 0:
        step = scope.keep(Value(INTEGER, f"polhode_step({STOP}, {step.code})"))
    by = operand(step, PRODUCT) if step.known != -1 else "(-1)"
    whole = operand(Value(INTEGER, size, SUM), SUM)
    ends: list[str] = []
    for each, up, down in ((index.lower, "0", f"{whole} - 1"), (index.upper, whole, "-1")):
        if each is None:
            ends.append(f"({by} > 0 ? {up} : {down})")
        else:
            ends.append(f"polhode_bound({_number(scope, each).code}, {whole}, {by})")
    first, last = (scope.keep(Value(INTEGER, each)) for each in ends)
    count = scope.keep(Value(INTEGER, f"polhode_count({first.code}, {last.code}, {by})"))
    return _Axis(first.code, count.code, by)


def _number(scope: Scope, node: ast.expr) -> Value:
    value = expression(scope, node)
    if value.kind not in (INTEGER, FLAG) or isinstance(value.known, bool) or value.kind == FLAG:
        raise scope.refuse(node, "an index must be an integer; use int(...)")
    return value
