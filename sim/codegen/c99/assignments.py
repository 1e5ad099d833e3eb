"""Assignments to names, to array elements, and to several targets."""

import ast
from dataclasses import replace

from .arithmetic import combined
from .expressions import as_kind, expression
from .indexing import element
from .kinds import COMPLEX, FLAG, INTEGER, REAL, Array, Bound, Scalar, Several, common
from .local_arrays import copied, count_of, fill, row_of
from .program import MEASURES
from .scope import Scope
from .stepped import Stepped, refuse_shared
from .stops import STOP
from .tuples import items, materialised, tuple_of
from .values import UNKNOWN, Value

_AUGMENTED: dict[type[ast.operator], str] = {ast.Add: "+=", ast.Sub: "-=", ast.Mult: "*=", ast.Div: "/="}


def assign(scope: Scope, target: ast.expr, value: Value, statement: ast.stmt) -> None:
    """Write the assignment target = value."""
    if isinstance(target, ast.Name):
        assign_name(scope, target.id, value, statement)
    elif isinstance(target, ast.Subscript):
        _store(scope, target, value)
    elif isinstance(target, ast.Tuple) and not any(isinstance(each, ast.Starred) for each in target.elts):
        _unpack(scope, target, value, statement)
    else:
        raise scope.refuse(target, "only names and array elements can be assigned to")


def assign_name(scope: Scope, name: str, value: Value, statement: ast.stmt) -> None:
    """Write the assignment name = value; write nothing if the name is never read."""
    if isinstance(value.kind, Bound):
        if value.known is UNKNOWN:
            raise scope.refuse(statement, f"{name!r} would refer to a function that is not known at compile time")
        scope.bound[name] = value
        return
    if isinstance(value.kind, Array):
        _view(scope, name, value, statement)
        return
    kept = scope.arguments.get(name)
    if kept is not None and not isinstance(kept, Scalar | Several):
        raise scope.refuse(
            statement, f"the argument {name!r} is an array and cannot be reassigned; use a different name"
        )
    if kept is not None and scope.learnt.locals.get(name) is None:
        scope.local(name, statement, kept)
    mine = scope.local(name, statement, value.kind)
    assert mine.kind is not None  # noqa: S101 # it was just widened
    value = as_kind(scope, value, mine.kind)
    if isinstance(mine.kind, Several) or mine.kind == COMPLEX:
        value = materialised(scope, value)
    declared = name not in scope.arguments and _declares(scope, name, statement)
    kind = f"{scope.program.type_name(mine.kind)} " if declared else ""
    if declared and _is_set_once(scope, name):
        kind = f"const {kind}"
    scope.write(f"{kind}{scope.c_name(name)} = {value.code};", sets=scope.c_name(name))
    _has_value(scope, name)


def _is_set_once(scope: Scope, name: str) -> bool:
    return scope.occurrences[name].stores == 1 and not scope.occurrences[name].counted


def _has_value(scope: Scope, name: str) -> None:
    """Record at run time that a name has a value, if the generated code checks this."""
    if name in scope.doubtful:
        scope.write(f"{scope.c_name(name)}_set = 1;", sets=f"{scope.c_name(name)}_set")


def _declares(scope: Scope, name: str, statement: ast.stmt) -> bool:
    seen = scope.occurrences.get(name)
    return seen is not None and name not in scope.doubtful and seen.declared_by == id(statement)


def _view(scope: Scope, name: str, value: Value, statement: ast.stmt) -> None:
    """Declare a name for an array or part of an array."""
    if name in scope.arguments:
        raise scope.refuse(
            statement, f"{name!r} would refer to a different array within a loop or branch; use two names"
        )
    refuse_shared(scope, statement, value)
    mine = scope.local(name, statement, value.kind)
    mine.roots |= value.roots - {name}
    if name in scope.learnt.writes:
        scope.wrote(mine.roots)
        for root in mine.roots:
            if root in scope.learnt.locals:
                scope.wrote(scope.learnt.locals[root].roots)
    assert isinstance(mine.kind, Array)  # noqa: S101 # a row or a table
    called, declared = scope.c_name(name), _declares(scope, name, statement)
    constant = "" if name in scope.learnt.writes else "const "
    kind = f"{constant}{scope.program.type_name(mine.kind.item)} *" if declared else ""
    scope.write(f"{kind}{called} = {value.code};", sets=called)
    for n in sorted(mine.extents):
        word = ("const integer " if _is_set_once(scope, name) else "integer ") if declared else ""
        size = f"{called}_{MEASURES[mine.kind.dimensions][n]}"
        scope.write(f"{word}{size} = {value.extents[n]()};", sets=size)
    _has_value(scope, name)


def _store(scope: Scope, target: ast.Subscript, value: Value) -> None:
    mark = len(scope.lines)
    place = element(scope, target)
    if scope.program.checked and isinstance(place.kind, Array):
        _store_all(scope, target, place, value)
        return
    if scope.program.checked and not place.roots:
        raise scope.refuse(target, "a tuple or list cannot be changed; make it an array: np.array([...])")
    if len(scope.lines) > mark and value.reads:
        added = scope.lines[mark:]
        del scope.lines[mark:]
        value = scope.keep(value)
        scope.lines += added
    if not isinstance(place.kind, Scalar) or not isinstance(value.kind, Scalar):
        raise scope.refuse(target, "an array element takes a single number; write a loop")
    if common(place.kind, value.kind) != place.kind:
        raise scope.refuse(target, f"a {value.kind.name} cannot be stored in an array of {place.kind.name}s")
    scope.wrote(place.roots)
    scope.write(f"{place.code} = {as_kind(scope, value, place.kind).code};")


def _store_all(scope: Scope, target: ast.expr, place: Value, value: Value) -> None:
    """Write row[a:b] = value, or assign to a row of a table; the value has equal length or is a scalar."""
    assert isinstance(place.kind, Array)  # noqa: S101 # checked before
    scope.wrote(place.roots)
    if isinstance(value.kind, Several):
        value = row_of(scope, target, value)
    if isinstance(value.kind, Scalar):
        if common(place.kind.item, value.kind) != place.kind.item:
            raise scope.refuse(target, f"a {value.kind.name} cannot be stored in an array of {place.kind.item.name}s")
        fill(scope, place, value)
        return
    if not isinstance(value.kind, Array) or value.kind.dimensions != place.kind.dimensions:
        raise scope.refuse(target, "the value has a different number of dimensions")
    if common(place.kind.item, value.kind.item) != place.kind.item:
        raise scope.refuse(target, f"{value.kind.item.name}s cannot be stored in an array of {place.kind.item.name}s")
    for mine, theirs in zip(place.extents, value.extents, strict=True):
        scope.write(f"polhode_fit({STOP}, {theirs()}, {mine()});")
    held = copied(scope, value)  # source and destination may share memory
    assert isinstance(held.kind, Array)  # noqa: S101 # a copy of one
    counter = scope.temporary("n")
    number = as_kind(scope, Value(held.kind.item, f"{held.code}[{counter}]"), place.kind.item)
    target_place = place.known.place(counter) if isinstance(place.known, Stepped) else f"({place.code})[{counter}]"
    scope.write(f"for (integer {counter} = 0; {counter} < {count_of(place)}; {counter}++) {{")
    scope.write(f"    {target_place} = {number.code};")
    scope.write("}")


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _unpack(scope: Scope, target: ast.Tuple, value: Value, statement: ast.stmt) -> None:
    """Write a, b = c, d; values that an earlier assignment could change are stored beforehand."""
    if scope.program.checked and value.kind in (Array(REAL, 1), Array(COMPLEX, 1)):
        value = _numbers_of(scope, value, len(target.elts))
    if not isinstance(value.kind, Several):
        raise scope.refuse(target, "only tuples can be unpacked")
    if value.known == "shape":
        parts = tuple(replace(value, kind=kind, code=extent(), extents=(), known=UNKNOWN)
                      for kind, extent in zip(value.kind.items, value.extents, strict=True))  # fmt: skip
    else:
        parts = items(scope, value)
    if len(parts) != len(target.elts):
        raise scope.refuse(target, f"{len(parts)} values for {len(target.elts)} names")
    if value.parts is not None and any(part.reads for part in parts[1:]) and _meet(scope, target, parts):
        parts = tuple(scope.keep(part) if part.reads else part for part in parts)
    for each, part in zip(target.elts, parts, strict=True):
        if isinstance(each, ast.Name) and each.id == "_":
            continue
        assign(scope, each, part, statement)


def _numbers_of(scope: Scope, row: Value, count: int) -> Value:
    """Return the elements of a row for unpacking."""
    assert isinstance(row.kind, Array)  # noqa: S101 # checked before
    scope.write(f"polhode_fit({STOP}, {row.extents[0]()}, {count});")
    item = row.kind.item
    return tuple_of(tuple(scope.keep(Value(item, f"({row.code})[{n}]", reads=True)) for n in range(count)))


def _meet(scope: Scope, target: ast.Tuple, parts: tuple[Value, ...]) -> bool:
    """Return whether a value may depend on a target that is assigned earlier in the same statement."""
    import re

    for n, each in enumerate(target.elts[:-1]):
        later = [part for part in parts[n + 1 :] if part.reads]
        texts = " ".join(_texts(part) for part in later)
        if isinstance(each, ast.Subscript):
            if "[" in texts:
                return True
        elif any(re.search(rf"\b{scope.c_name(name)}\b", texts) for name in _names(each)):
            return True
    return False


def _texts(part: Value) -> str:
    return part.code if part.parts is None else " ".join(_texts(each) for each in part.parts)


def augment(scope: Scope, node: ast.AugAssign) -> None:
    """Write the augmented assignment target op= value."""
    value = expression(scope, node.value) if _quiet(scope, node) else None
    if value is None:  # evaluating the value has side effects, so the target is read first
        target = _loaded(node.target)
        before = expression(scope, target)
        if before.is_array:
            _augment_all(scope, node, before, expression(scope, node.value))
            return
        before = scope.keep(before)
        assign(scope, node.target, combined(scope, node, node.op, before, expression(scope, node.value)), node)
        return
    if isinstance(node.target, ast.Name):
        name = node.target.id
        here = expression(scope, _loaded(node.target))
        if here.is_array:
            _augment_all(scope, node, here, value)
            return
        result = combined(scope, node, node.op, here, value)
        same = type(node.op) in _AUGMENTED and result.kind == here.kind and here.kind in _plain_kinds(scope)
        kind = scope.local(name, node, result.kind).kind
        assert kind is not None  # noqa: S101 # it was just widened
        result = as_kind(scope, result, kind)
        sign = _AUGMENTED[type(node.op)] if same else "="
        added = as_kind(scope, value, here.kind) if same else result
        scope.write(f"{scope.c_name(name)} {sign} {added.code};", sets=scope.c_name(name))
        return
    if not isinstance(node.target, ast.Subscript):
        raise scope.refuse(node, "only names and array elements can be assigned to")
    place = element(scope, node.target)
    if place.is_array:
        _augment_all(scope, node, place, value)
        return
    if scope.program.checked and not place.roots:
        raise scope.refuse(node, "a tuple or list cannot be changed; make it an array: np.array([...])")
    result = combined(scope, node, node.op, place, value)
    if not isinstance(place.kind, Scalar) or result.kind != place.kind:
        raise scope.refuse(node, "the added value cannot be stored in the array")
    scope.wrote(place.roots)
    if type(node.op) in _AUGMENTED and place.kind in _plain_kinds(scope):
        scope.write(f"{place.code} {_AUGMENTED[type(node.op)]} {as_kind(scope, value, place.kind).code};")
    else:
        scope.write(f"{place.code} = {result.code};")


def _augment_all(scope: Scope, node: ast.AugAssign, place: Value, value: Value) -> None:
    """Write row op= value, which changes the elements of the row in place."""
    if not scope.program.checked:
        raise scope.refuse(node, "an array cannot be changed in place here; write a loop")
    _store_all(scope, node.target, place, combined(scope, node, node.op, place, value))


def _plain_kinds(scope: Scope) -> tuple[Scalar, ...]:
    """Return the kinds of numbers that C adds with its + operator."""
    return (REAL,) if scope.program.checked else (REAL, INTEGER, FLAG)


def _loaded(target: ast.expr) -> ast.expr:
    """Return an assignment target as an expression that reads it."""
    text = ast.unparse(target)
    made = ast.parse(text, mode="eval").body
    return ast.copy_location(made, target)


def _quiet(scope: Scope, node: ast.AugAssign) -> bool:
    """Return whether evaluating the right-hand side of an augmented assignment has no side effects."""
    with scope.aside() as lines:
        expression(scope, node.value)
    return not lines
