"""Loops of a kernel as C loops: over ranges, tuples and, in a user-defined kernel, any iterable."""

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .assignments import assign, assign_name
from .conditions import condition
from .expressions import as_kind, expression
from .indexing import row_at
from .kinds import FLAG, INTEGER, Array, Kind, Scalar, Several, common
from .literals import number_of
from .scope import Scope
from .stepped import Stepped
from .stops import STOP
from .tuples import items, materialised, tuple_of
from .values import PRODUCT, SUM, Value, operand


def while_(scope: Scope, node: ast.While) -> None:
    """Write a while loop."""
    ended = _begin(scope, node)
    scope.indent += 1
    with scope.aside() as lines:
        test = condition(scope, node.test)
    scope.indent -= 1
    if test.known is True:
        scope.write("for (;;) {")
    elif lines:
        scope.write("for (;;) {")
        scope.lines += lines
        with scope.inner():
            scope.write(f"if (!({test.code})) {{")
            scope.write("    break;")
            scope.write("}")
    else:
        scope.write(f"while ({test.code}) {{")
    with scope.inner():
        _body(scope, node.body)
    scope.write("}")
    _end(scope, node, ended)


def for_(scope: Scope, node: ast.For) -> None:
    """Write a for loop."""
    ended = _begin(scope, node)
    call = node.iter
    if isinstance(call, ast.Call) and _is(scope, call.func, range) and isinstance(node.target, ast.Name):
        _count(scope, node, node.target.id, _bounds(scope, call))
    elif scope.program.checked:
        _each(scope, node)
    elif isinstance(node.target, ast.Name):
        _through(scope, node, node.target.id)
    else:
        raise scope.refuse(
            node, "a loop must have a single loop variable; read other values from arrays inside the loop"
        )
    _end(scope, node, ended)


def break_(scope: Scope, node: ast.Break) -> None:
    """Write a break; in a loop with `else`, first set the flag that records the break."""
    if scope.breaks[-1]:
        scope.write(f"{scope.breaks[-1]} = 1;")
    scope.write("break;")


def _begin(scope: Scope, node: ast.For | ast.While) -> str:
    """Return the flag that records whether a loop with `else` was left by break."""
    flag = ""
    if node.orelse:
        if not scope.program.checked:
            raise scope.refuse(node, "`else` of a loop is not supported; use a flag")
        flag = scope.temporary("left")
        scope.write(f"flag {flag} = 0;")
    scope.breaks.append(flag)
    used = ""
    if scope.program.checked and scope.learnt.takes:
        used = scope.temporary("used")
        scope.write(f"const integer {used} = {STOP}->used;", sets=used)
    scope.rooms.append(used)
    return flag


def _end(scope: Scope, node: ast.For | ast.While, flag: str) -> None:
    scope.breaks.pop()
    scope.rooms.pop()
    if flag:
        scope.write(f"if (!{flag}) {{")
        with scope.inner():
            _block(scope, node.orelse)
        scope.write("}")


def _body(scope: Scope, statements: Sequence[ast.stmt]) -> None:
    """Write a loop's body, which releases the workspace of arrays created in the previous iteration."""
    if scope.rooms[-1] and not _outlives(scope, statements):
        scope.write(f"{STOP}->used = {scope.rooms[-1]};")
    _block(scope, statements)


def _outlives(scope: Scope, statements: Sequence[ast.stmt]) -> bool:
    """Return whether an array created in an iteration is used after it."""
    nodes = [each for statement in statements for each in ast.walk(statement)]
    inside = {id(each) for each in nodes}
    for name in {each.id for each in nodes if isinstance(each, ast.Name)} & scope.assigned:
        local = scope.learnt.locals.get(name)
        if local is not None and isinstance(local.kind, Array):
            within = scope.occurrences[name].declared_by in inside and name not in scope.doubtful
            if not (within or _is_only_read(nodes, name)):
                return True
    return False


def _is_only_read(nodes: Sequence[ast.AST], name: str) -> bool:
    """Return whether nodes never bind a name to a new array, so that `+=` changes the array in place."""
    changed = {id(each.target) for each in nodes if isinstance(each, ast.AugAssign)}
    return not any(
        isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store) and id(each) not in changed
        for each in nodes
    )


def _block(scope: Scope, statements: Sequence[ast.stmt]) -> None:
    from .statements import block

    block(scope, statements)


def _is(scope: Scope, node: ast.expr, function: Any) -> bool:
    """Return whether a name refers to a built-in function that the user has not redefined."""
    if not isinstance(node, ast.Name) or node.id != function.__name__:
        return False
    if node.id in scope.arguments or node.id in scope.assigned:
        return False
    return scope.outside(node.id) is function


def _bounds(scope: Scope, call: ast.Call) -> list[Value]:
    if call.keywords:
        raise scope.refuse(call, "range requires one to three integers")
    bounds = [expression(scope, each) for each in call.args]
    allowed = (INTEGER, FLAG) if scope.program.checked else (INTEGER,)
    if any(each.kind not in allowed for each in bounds) or not 1 <= len(bounds) <= 3:
        raise scope.refuse(call, "range requires integers; use int(...)")
    return bounds


def _count(scope: Scope, node: ast.For, name: str, bounds: list[Value]) -> None:
    """Write the C loop for `for name in range(...)`."""
    first, last = (scope.program.number(0), bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
    step = bounds[2].known if len(bounds) == 3 else 1
    known = isinstance(step, int) and step != 0
    if not known and not scope.program.checked:
        raise scope.refuse(node, "the step of a range must be a literal number")
    last = scope.steady(last)
    if not known:
        first, by = scope.keep(first), scope.keep(_step(bounds[2]))
        counter = _counter(scope, name)
        goes_on = f"{by.code} > 0 ? {counter} < {last.code} : {counter} > {last.code}"
        scope.write(f"for (integer {counter} = {first.code}; {goes_on}; {counter} += {by.code}) {{")
    else:
        counter = _counter(scope, name)
        moves = {1: "++", -1: "--"}.get(step, f" += {step}")
        sign = "<" if step > 0 else ">"
        scope.write(f"for (integer {counter} = {first.code}; {counter} {sign} {last.code}; {counter}{moves}) {{")
    _counted(scope, node, name, Value(INTEGER, counter))


def _step(value: Value) -> Value:
    """Return a range's step, checked to be non-zero."""
    return Value(INTEGER, f"polhode_step({STOP}, {value.code})", reads=value.reads)


def _through(scope: Scope, node: ast.For, name: str) -> None:
    """Write the C loop for `for name in (a, b, c)` over known numbers."""
    found = expression(scope, node.iter)
    values: list[Any] = [] if found.parts is None else [part.known for part in found.parts]
    if not values or any(number_of(each) != INTEGER for each in values):
        raise scope.refuse(node, "a loop must be over range(...) or a tuple of known integers")
    held = scope.program.constants(list(values), f"{scope.kernel.__name__}_{name}")
    counter = scope.temporary("at")
    scope.write(f"for (integer {counter} = 0; {counter} < {len(values)}; {counter}++) {{")
    with scope.inner():
        assign_name(scope, name, Value(INTEGER, f"{held}[{counter}]"), node)
        _body(scope, node.body)
    scope.write("}")


def _counter(scope: Scope, name: str) -> str:
    """Return the C counter of a loop: the loop variable itself if it is not used elsewhere."""
    seen = scope.occurrences.get(name)
    return scope.c_name(name) if seen is not None and seen.counts_only else scope.temporary("n")


def _counted(scope: Scope, node: ast.For, name: str, counter: Value) -> None:
    seen = scope.occurrences.get(name)
    with scope.inner():
        scope.local(name, node, INTEGER)
        if seen is None or not seen.counts_only:
            assign_name(scope, name, counter, node)
        _body(scope, node.body)
    scope.write("}")


@dataclass(frozen=True)
class _Items:
    """Iterable of a loop: its number of items, and a function that returns the item at a counter."""

    count: str
    at: Callable[[str], Value]


def _each(scope: Scope, node: ast.For) -> None:
    """Write the C loop for `for target in items`."""
    through = _items(scope, node.iter)
    counter = scope.temporary("at")
    scope.write(f"for (integer {counter} = 0; {counter} < {through.count}; {counter}++) {{")
    with scope.inner():
        assign(scope, node.target, through.at(counter), node)
        _body(scope, node.body)
    scope.write("}")


def _items(scope: Scope, node: ast.expr) -> _Items:
    if isinstance(node, ast.Call):
        for function, write in ((enumerate, _enumerated), (zip, _zipped), (reversed, _reversed), (range, _ranged)):
            if _is(scope, node.func, function):
                return write(scope, node)
    found = expression(scope, node)
    if isinstance(found.kind, Array):
        return _of_array(scope, node, found, found.kind)
    if isinstance(found.kind, Several):
        return _of_tuple(scope, node, found)
    raise scope.refuse(node, "a loop must be over range(...), an array or a tuple")


def _of_array(scope: Scope, node: ast.expr, array: Value, kind: Array) -> _Items:
    if isinstance(array.known, Stepped) and array.roots & scope.learnt.writes:
        raise scope.refuse(node, "a loop is over a slice with a step of an array that changes; use a copy: .copy()")
    count = scope.keep(Value(INTEGER, array.extents[0]())).code
    held = scope.temporary("through")
    scope.write(f"const {scope.program.type_name(kind.item)} *const {held} = {array.code};")
    if kind.dimensions == 1:
        return _Items(count, lambda at: Value(kind.item, f"{held}[{at}]", reads=True))
    columns = scope.keep(Value(INTEGER, array.extents[1]())).code
    table = Value(kind, array.code, array.binds, extents=((lambda: count), (lambda: columns)), roots=array.roots)
    return _Items(count, lambda at: row_at(table, Value(INTEGER, at)))


def _of_tuple(scope: Scope, node: ast.expr, found: Value) -> _Items:
    parts = items(scope, found)
    kind: Kind | None = None
    for each in parts:
        kind = common(kind, each.kind)
        if kind is None:
            raise scope.refuse(node, "the items of a loop have different types; write the loop out")
    if not isinstance(kind, Scalar | Several):
        raise scope.refuse(node, "a loop over a tuple requires numbers, or tuples of numbers")
    texts = [materialised(scope, as_kind(scope, each, kind)).code for each in parts]
    held, size = scope.temporary("items"), len(texts)
    scope.write(f"const {scope.program.type_name(kind)} {held}[{size}] = {{{', '.join(texts)}}};")
    return _Items(str(size), lambda at: Value(kind, f"{held}[{at}]"))


def _plain_call(scope: Scope, node: ast.Call, least: int, most: int) -> None:
    if node.keywords or not least <= len(node.args) <= most:
        raise scope.refuse(node, f"{ast.unparse(node.func)} requires plain positional arguments")


def _enumerated(scope: Scope, node: ast.Call) -> _Items:
    _plain_call(scope, node, 1, 2)
    inner = _items(scope, node.args[0])
    start = scope.keep(expression(scope, node.args[1])) if len(node.args) > 1 else scope.program.number(0)
    if start.kind != INTEGER:
        raise scope.refuse(node, "enumerate must start with an integer")
    number = f" + {start.code}" if start.known != 0 else ""
    return _Items(inner.count, lambda at: tuple_of((Value(INTEGER, f"{at}{number}", SUM), inner.at(at))))


def _zipped(scope: Scope, node: ast.Call) -> _Items:
    _plain_call(scope, node, 1, 8)
    inner = [_items(scope, each) for each in node.args]
    count = inner[0].count
    for each in inner[1:]:
        least = f"{count} < {each.count} ? {count} : {each.count}"
        count = scope.keep(Value(INTEGER, least)).code
    return _Items(count, lambda at: tuple_of(tuple(each.at(at) for each in inner)))


def _reversed(scope: Scope, node: ast.Call) -> _Items:
    _plain_call(scope, node, 1, 1)
    inner = _items(scope, node.args[0])
    return _Items(inner.count, lambda at: inner.at(f"({inner.count} - 1 - {at})"))


def _ranged(scope: Scope, node: ast.Call) -> _Items:
    bounds = _bounds(scope, node)
    first, last = (scope.program.number(0), bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
    step = scope.keep(_step(bounds[2])) if len(bounds) == 3 else scope.program.number(1)
    first = scope.keep(first)
    count = scope.keep(Value(INTEGER, f"polhode_count({first.code}, {last.code}, {step.code})"))
    return _Items(count.code, lambda at: Value(INTEGER, f"{first.code} + {at} * {operand(step, PRODUCT)}", SUM))
