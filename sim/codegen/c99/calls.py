"""Calls: of other kernels, of functions of mathematics, of what compiled code replaces."""

import ast
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....plant.kernels.kernel import KERNELS, complex_table_in, table_in
from .expressions import expression, in_order
from .kinds import COMPLEX, INTEGER, NOTHING, REAL, SIMD_REAL, Array, Bound, Nothing, Pointer, Scalar, common
from .pointer_calls import call_pointer
from .program import Function
from .scope import Scope
from .simd import element_wise, extreme, magnitude
from .sources import source_of
from .tuples import materialised
from .values import PRODUCT, SUM, UNARY, UNKNOWN, Value, operand

__all__ = ["call", "call_of"]

_BOTH = ("sqrt", "sin", "cos", "tan", "exp", "log", "sinh", "cosh", "tanh", "expm1", "log1p", "hypot", "copysign")
_REAL = ("asin", "acos", "atan", "atan2", "asinh", "acosh", "atanh", "fabs", "fmod")
_OF_NUMPY = {
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "arcsinh": "asinh",
    "abs": "fabs",
}

_MATHS: dict[Any, str] = {
    **{getattr(where, name): name for where in (math, np) for name in _BOTH},
    **{getattr(math, name): name for name in _REAL},
    **{getattr(np, theirs): name for theirs, name in _OF_NUMPY.items()},
}

_OF_COMPLEX = frozenset({"sqrt", "sin", "cos", "tan", "exp", "log", "sinh", "cosh", "tanh"})


def call(scope: Scope, node: ast.Call, *, unused: bool = False) -> Value:
    """Return the value of a call; `unused` where it is a statement by itself."""
    if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
        raise scope.refuse(node, "kernels are called with plain positional arguments")
    callee = expression(scope, node.func)
    if isinstance(callee.kind, Pointer):
        call_pointer(scope, callee.kind, callee.code, in_order(scope, node.args))
        return Value(NOTHING, "")
    function = callee.known
    if function is UNKNOWN or not callable(function):
        raise scope.refuse(node, "only functions that are known when the program is written are called")
    arguments = in_order(scope, node.args)
    if function in _BUILT_IN:
        return _BUILT_IN[function](scope, node, arguments)
    if function in _MATHS:
        return _mathematics(scope, node, _MATHS[function], arguments)
    if function in scope.program.replaced:
        return scope.program.replaced[function](scope, arguments)
    plain = source_of(function)
    ours = getattr(plain, "__module__", "").startswith("polhode.")
    if ours and plain not in KERNELS:
        name = getattr(plain, "__name__", repr(plain))
        raise scope.refuse(node, f"it calls {name!r}, which is no kernel; mark that with @kernel")
    return call_of(scope, node, plain, arguments, unused=unused)


def call_of(
    scope: Scope, node: ast.AST | None, kernel: Callable[..., Any], arguments: Sequence[Value], *, unused: bool = False
) -> Value:
    """Return the value of a call of a kernel; one that writes is a line of its own."""
    kinds = [Bound(each.known) if isinstance(each.kind, Bound) else each.kind for each in arguments]
    return called(scope, node, scope.program.function(kernel, kinds), arguments, unused=unused)


def called(
    scope: Scope, node: ast.AST | None, function: Function, arguments: Sequence[Value], *, unused: bool = False
) -> Value:
    """The same of a function that is written."""
    for name, value in zip(function.parameters, arguments, strict=True):
        if name not in function.writes:
            continue
        if value.is_array and isinstance(value.known, np.ndarray):
            raise scope.refuse(node, f"it writes into the constant {value.code}")
        scope.wrote(value.roots)
    text = function.call([materialised(scope, each) for each in arguments])
    if not function.changes:
        if isinstance(function.result, Nothing):
            return Value(function.result, "")
        return Value(function.result, text, reads=True)
    if unused or isinstance(function.result, Nothing):
        scope.write(f"{text};" if isinstance(function.result, Nothing) else f"(void){text};")
        return Value(function.result, "")
    return scope.keep(Value(function.result, text), acts=True)


def _mathematics(scope: Scope, node: ast.Call, name: str, arguments: list[Value]) -> Value:
    if any(not isinstance(each.kind, Scalar) for each in arguments):
        raise scope.refuse(node, f"{name} is of single numbers")
    reads = any(each.reads for each in arguments)
    if any(each.kind == SIMD_REAL for each in arguments):
        return element_wise(scope, node, name, arguments)
    if any(each.kind == COMPLEX for each in arguments):
        if name not in _OF_COMPLEX:
            raise scope.refuse(node, f"{name} is of real numbers")
        return Value(COMPLEX, f"{scope.program.suffixed('c' + name)}({arguments[0].code})", reads=reads)
    texts = ", ".join(each.code for each in arguments)
    return Value(REAL, f"{scope.program.suffixed(name)}({texts})", reads=reads)


def _absolute(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
    (value,) = arguments
    if value.kind == SIMD_REAL:
        return magnitude(scope.program, value)
    if value.kind == COMPLEX:
        return Value(REAL, f"{scope.program.suffixed('cabs')}({value.code})", reads=value.reads)
    if value.kind == REAL:
        return Value(REAL, f"{scope.program.suffixed('fabs')}({value.code})", reads=value.reads)
    return Value(INTEGER, f"{scope.program.helper('size_of_integer')}({value.code})", reads=value.reads)


def _extreme(word: str) -> Callable[[Scope, ast.Call, list[Value]], Value]:
    def write(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
        found = arguments[0]
        for each in arguments[1:]:
            kind = common(found.kind, each.kind)
            if kind == SIMD_REAL:
                found = extreme(scope.program, word, found, each)
                continue
            if kind not in (INTEGER, REAL):
                raise scope.refuse(node, "min and max are of real numbers or of integers")
            helper = scope.program.helper(f"{word}_{'real' if kind == REAL else 'integer'}")
            found = Value(kind, f"{helper}({found.code}, {each.code})", reads=found.reads or each.reads)
        return found

    return write


def _to_integer(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
    (value,) = arguments
    if value.kind in (COMPLEX, SIMD_REAL) or not isinstance(value.kind, Scalar):
        raise scope.refuse(node, "int() is of real numbers")
    if value.kind == INTEGER:
        return value
    if isinstance(value.known, float):
        return scope.program.number(int(value.known))
    return Value(INTEGER, f"(integer){operand(value, UNARY)}", UNARY, value.reads)


def _to_real(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
    (value,) = arguments
    if value.kind in (COMPLEX, SIMD_REAL) or not isinstance(value.kind, Scalar):
        raise scope.refuse(node, "float() is of real numbers")
    return value if value.kind == REAL else Value(REAL, f"(real){operand(value, UNARY)}", UNARY, value.reads)


def _to_complex(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
    real, imaginary = arguments if len(arguments) == 2 else (arguments[0], scope.program.number(0.0))
    code = f"{operand(real, SUM)} + {operand(imaginary, PRODUCT)} * I"
    return Value(COMPLEX, code, SUM, real.reads or imaginary.reads)


def _rounded(word: str) -> Callable[[Scope, ast.Call, list[Value]], Value]:
    def write(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
        (value,) = arguments
        if value.kind == INTEGER:
            return value
        code = f"(integer){scope.program.suffixed(word)}({value.code})"
        return Value(INTEGER, code, UNARY, value.reads)

    return write


def _table(item: Scalar) -> Callable[[Scope, ast.Call, list[Value]], Value]:
    """table_in: part of a row seen as a table."""

    def write(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
        row, start, rows, columns = arguments
        rows, columns = scope.steady(rows), scope.steady(columns)
        code = row.code if start.known == 0 else f"{operand(row, SUM)} + {operand(start, SUM)}"
        binds = row.binds if start.known == 0 else SUM
        kind = row.kind if isinstance(row.kind, Array) else Array(REAL, 1)
        number = kind.item
        if item == COMPLEX:
            code, binds, number = f"({scope.program.type_name(COMPLEX)} *)({code})", UNARY, COMPLEX
        extents = ((lambda: rows.code), (lambda: columns.code))
        return Value(Array(number, 2), code, binds, start.reads, extents, row.roots)

    return write


_BUILT_IN: dict[Any, Callable[[Scope, ast.Call, list[Value]], Value]] = {
    abs: _absolute,
    min: _extreme("least"),
    max: _extreme("most"),
    int: _to_integer,
    float: _to_real,
    complex: _to_complex,
    math.floor: _rounded("floor"),
    math.ceil: _rounded("ceil"),
    np.floor: lambda scope, node, found: _mathematics(scope, node, "floor", found),
    np.ceil: lambda scope, node, found: _mathematics(scope, node, "ceil", found),
    table_in: _table(REAL),
    complex_table_in: _table(COMPLEX),
}
