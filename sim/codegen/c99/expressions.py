"""Expressions of a kernel as C expressions, evaluated in Python's order."""

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .complexes import as_complex, part_of
from .kinds import COMPLEX, INTEGER, REAL, SIMD_REAL, Array, Bound, Kind, Record, Scalar, Several
from .literals import number_of
from .program import MEASURES
from .scope import CONSTANT, Scope
from .sources import MISSING
from .stops import STOP, Stop
from .tuples import items, tuple_of
from .values import PRODUCT, UNKNOWN, Value
from .versions import MARK


def expression(scope: Scope, node: ast.expr, *, unused: bool = False) -> Value:
    """Return the value of an expression, and write the lines that must precede it."""
    if isinstance(node, ast.Call):
        from .calls import call

        return call(scope, node, unused=unused)
    write = _expressions().get(type(node))
    if write is None:
        words = type(node).__name__.lower()
        raise scope.refuse(node, f"the expression {words!r} is not supported in kernels")
    return write(scope, node)


@cache
def _expressions() -> dict[type[ast.expr], Callable[[Scope, Any], Value]]:
    """Return the translator of each kind of expression."""
    from . import arithmetic, conditions, indexing

    return {
        ast.Constant: _constant,
        ast.Name: _name,
        ast.Attribute: _attribute,
        ast.Subscript: indexing.subscript,
        ast.Tuple: _tuple,
        ast.List: _list,
        ast.ListComp: _comprehension,
        ast.BinOp: arithmetic.binary,
        ast.UnaryOp: _unary,
        ast.BoolOp: conditions.bool_operation,
        ast.Compare: conditions.comparison,
        ast.IfExp: conditions.choice,
    }


def in_order(scope: Scope, nodes: Sequence[ast.expr]) -> list[Value]:
    """Return values in Python's order of evaluation, storing values that later expressions may change.

    A starred tuple is replaced by its items.
    """
    found: list[Value] = []
    for node in nodes:
        mark = len(scope.lines)
        value = expression(scope, node.value if isinstance(node, ast.Starred) else node)
        if len(scope.lines) > mark:
            added = scope.lines[mark:]
            del scope.lines[mark:]
            found = [scope.keep(each) if each.reads else each for each in found]
            scope.lines += added
        if not isinstance(node, ast.Starred):
            found.append(value)
        elif isinstance(value.kind, Several):
            found += items(scope, value)
        else:
            raise scope.refuse(node, "only a tuple can be starred; write the items out")
    return found


def as_kind(scope: Scope, value: Value, kind: Kind) -> Value:
    """Convert a number or tuple to a wider kind, or a number to a vector, and return the result."""
    if kind == SIMD_REAL:
        from .simd import spread

        return spread(scope.program, value)
    if kind == COMPLEX and value.kind != kind and isinstance(value.kind, Scalar):
        return as_complex(scope.program, value)
    if value.kind == kind or not isinstance(kind, Several):
        return value
    parts = tuple(as_kind(scope, each, wanted) for each, wanted in zip(items(scope, value), kind.items, strict=True))
    return Value(kind, reads=value.reads, parts=parts)


def known_value(scope: Scope, node: ast.AST, value: Any, name: str = "") -> Value:
    """Return, as a value, a Python object that is known at translation time."""
    if number_of(value) is not None:
        _require_64_bits(scope, node, value)
        return scope.program.number(value, name)
    given: type[object] = value.__class__
    if issubclass(given, np.ndarray):
        return _held(scope, value, name)
    if scope.program.checked and given is dict:
        return Value(Bound(_nothing), known=value)
    if scope.program.checked and given is list:
        value = tuple(value)
        given = tuple
    whole: tuple[Any, ...] = value if issubclass(given, tuple) else ()
    if whole and all(number_of(each) is not None for each in whole):
        return replace(tuple_of(tuple(scope.program.number(each) for each in whole)), known=whole)
    if given is ModuleType or hasattr(value, "_fields"):
        return Value(Bound(_nothing), known=value)
    if callable(value):
        return Value(Bound(value), known=value)
    raise scope.refuse(node, f"{name!r} is a {given.__name__}, which cannot be translated to C; use numbers and tuples")


def _held(scope: Scope, values: NDArray[Any], name: str) -> Value:
    """Return, as a C constant, an array that is known at translation time."""
    called = scope.program.constants(values, name)
    kind = number_of(values.ravel()[0].item())
    assert kind is not None  # noqa: S101 # constants() has checked it
    extents = tuple((lambda text=str(size): text) for size in values.shape)
    roots = frozenset({f"{CONSTANT}{name or called}"})
    return Value(Array(kind, values.ndim), called, extents=extents, known=values, roots=roots)


def _nothing() -> None:
    """Raise the error for a module used as a value."""


def _constant(scope: Scope, node: ast.Constant) -> Value:
    if number_of(node.value) is None:
        raise scope.refuse(node, f"{node.value!r} is not a number")
    _require_64_bits(scope, node, node.value)
    return scope.program.number(node.value)


def _require_64_bits(scope: Scope, node: ast.AST, value: Any) -> None:
    if scope.of_user and number_of(value) == INTEGER and not -(2**63) <= int(value) < 2**63:
        raise scope.refuse(node, f"the integer {value} needs more than 64 bits; write it as a float")


def _name(scope: Scope, node: ast.Name) -> Value:
    name = node.id
    if name in scope.bound:
        return scope.bound[name]
    if name in scope.arguments:
        return _argument(scope, name, scope.arguments[name])
    if name in scope.assigned:
        mine = scope.learnt.locals.get(name)
        if mine is None or mine.kind is None:
            raise scope.refuse(node, f"{name!r} is used before it has a value")
        if isinstance(mine.kind, Array):
            return _after_check(scope, name, scope.array(name, mine.kind, mine.roots, local=True))
        return _after_check(scope, name, Value(mine.kind, scope.c_name(name), reads=True))
    found = scope.outside(name)
    if found is MISSING:
        raise scope.refuse(node, f"{name!r} is not known")
    return known_value(scope, node, found, name)


def _after_check(scope: Scope, name: str, value: Value) -> Value:
    """Return a local name, preceded by a check if it may lack a value at this point."""
    if name not in scope.doubtful:
        return value
    words = f"cannot access local variable {name.partition(MARK)[0]!r} where it is not associated with a value"
    code = scope.program.stop(Stop("UnboundLocalError", ((words,),)))
    check = f"polhode_known({STOP}, {value.code}_set, {code})"
    if value.is_array:  # the array's sizes are used too
        scope.write(f"{check};")
        return value
    return replace(value, code=f"({check}, {value.code})")


def _argument(scope: Scope, name: str, kind: Kind) -> Value:
    if isinstance(kind, Bound):
        return Value(kind, known=kind.function)
    if isinstance(kind, Array):
        return scope.array(name, kind, frozenset(), local=False)
    if name in scope.assigned:
        wider = scope.learnt.locals[name].kind if name in scope.learnt.locals else kind
        return Value(wider or kind, scope.c_name(name), reads=True)
    return Value(kind, scope.c_name(name), roots=frozenset({name}))


def _attribute(scope: Scope, node: ast.Attribute) -> Value:
    base = expression(scope, node.value)
    if isinstance(base.kind, Record):
        return _field(scope, node, base, base.kind)
    if isinstance(base.kind, Array) and node.attr in ("size", "shape"):
        return _sizes(scope, node, base)
    if isinstance(base.kind, Array) and node.attr == "T" and scope.program.checked:
        from .stepped import transposed

        return transposed(scope, base)
    if isinstance(base.kind, Array) and node.attr == "ndim":
        return scope.program.number(base.kind.dimensions)
    if node.attr in ("real", "imag") and base.kind == COMPLEX:
        return part_of(base, node.attr)
    if node.attr == "real":
        return base
    if node.attr == "imag":
        return scope.program.number(0.0)
    if base.known is UNKNOWN or not hasattr(base.known, node.attr):
        raise scope.refuse(node, f"the attribute {node.attr!r} is not supported in kernels")
    name, holder, attribute = ast.unparse(node), base.known, node.attr
    found = getattr(holder, attribute)
    if not ast.unparse(node).startswith(("math.", "np.", "numpy.")):
        scope.program.known_names.note(lambda: getattr(holder, attribute), found)
    return known_value(scope, node, found, "" if name.startswith(("math.", "np.")) else name)


def _field(scope: Scope, node: ast.Attribute, base: Value, kind: Record) -> Value:
    from ...engine.loop_arrays import kinds_of

    kinds = kinds_of(kind.made_of)
    if node.attr not in kinds:
        raise scope.refuse(node, f"{kind.made_of.__name__} has no field {node.attr!r}")
    number, dimensions = kinds[node.attr]
    scope.program.field(kind.made_of, node.attr, None)
    from .names import free_name

    called = f"{base.code}->{free_name(node.attr)}"

    def extent(n: int) -> Callable[[], str]:
        def read() -> str:
            scope.program.field(kind.made_of, node.attr, n)
            return f"{called}_{MEASURES[dimensions][n]}"

        return read

    item_kind = INTEGER if number is np.int64 else REAL
    return Value(Array(item_kind, dimensions), called, extents=tuple(extent(n) for n in range(dimensions)))


def _sizes(scope: Scope, node: ast.Attribute, base: Value) -> Value:
    """Return the .size or .shape of an array, and mark this extent as needed."""
    whole_numbers = [Value(INTEGER, "", parts=None)] * len(base.extents)
    if node.attr == "size" and len(base.extents) == 1:
        return Value(INTEGER, base.extents[0]())
    if node.attr == "size":
        return Value(INTEGER, f"{base.extents[0]()} * {base.extents[1]()}", PRODUCT)
    return Value(Several((INTEGER,) * len(whole_numbers)), extents=base.extents, known="shape")


def _tuple(scope: Scope, node: ast.Tuple) -> Value:
    return tuple_of(tuple(in_order(scope, node.elts)))


MOST_ITEMS = 64


def _list(scope: Scope, node: ast.List) -> Value:
    """Return a list of a user-defined kernel as a tuple, since nothing writes to it."""
    if not scope.program.checked or not node.elts:
        raise scope.refuse(node, "the expression 'list' is not supported in kernels")
    return tuple_of(tuple(in_order(scope, node.elts)))


def _comprehension(scope: Scope, node: ast.ListComp) -> Value:
    """Return a list comprehension over numbers known at translation time, expanded item by item."""
    only = node.generators[0]
    if not scope.program.checked:
        raise scope.refuse(node, "the expression 'listcomp' is not supported in kernels")
    if len(node.generators) > 1 or only.ifs or not isinstance(only.target, ast.Name):
        raise scope.refuse(node, "a list comprehension must have one loop over one name, without if; write a loop")
    if not isinstance(only.iter, ast.Call):
        return _for_each(scope, node, only.target.id, items_of(scope, node, only.iter))
    else:
        call = only.iter
        bounds = [expression(scope, each) for each in call.args]
        known = [each.known for each in bounds]
        if not _is_range(scope, call) or not all(isinstance(each, int) for each in known):
            raise scope.refuse(node, "a list comprehension must loop over range(...) of literal numbers; write a loop")
        values = list(range(*known))
    if not 1 <= len(values) <= MOST_ITEMS or any(number_of(each) is None for each in values):
        raise scope.refuse(node, f"a list comprehension must loop over 1 to {MOST_ITEMS} known numbers; write a loop")
    return _for_each(scope, node, only.target.id, [scope.program.number(value) for value in values])


def _for_each(scope: Scope, node: ast.ListComp, name: str, values: Sequence[Value]) -> Value:
    """Return the items of a list comprehension, with its name bound to each value in turn."""
    if not 1 <= len(values) <= MOST_ITEMS or any(not isinstance(each.kind, Scalar) for each in values):
        raise scope.refuse(node, f"a list comprehension must loop over 1 to {MOST_ITEMS} numbers; write a loop")
    kept = scope.bound.get(name)
    found: list[Value] = []
    for value in [scope.keep(each) if each.reads else each for each in values]:
        scope.bound[name] = value
        found.append(scope.keep(expression(scope, node.elt)))
    scope.bound.pop(name)
    if kept is not None:
        scope.bound[name] = kept
    return tuple_of(tuple(found))


def items_of(scope: Scope, node: ast.AST, given: ast.expr) -> tuple[Value, ...]:
    """Return the items of a tuple or list expression."""
    found = expression(scope, given)
    if not isinstance(found.kind, Several):
        raise scope.refuse(node, "a loop must be over range(...) or a tuple of known numbers")
    return items(scope, found)


def _is_range(scope: Scope, node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and expression(scope, node.func).known is range


def _unary(scope: Scope, node: ast.UnaryOp) -> Value:
    from . import arithmetic, conditions

    if isinstance(node.op, ast.Not):
        return conditions.negation(scope, node)
    return arithmetic.unary(scope, node)
