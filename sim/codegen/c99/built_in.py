"""Calls of built-in functions, of math and numpy, and of array methods."""

import ast
import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from ....plant.kernels.kernel import complex_table_in, table_in
from .arithmetic import combined
from .array_arithmetic import cross, dot, norm
from .complexes import as_complex, complex_function
from .complexes import called as called_complex
from .conditions import condition_of
from .elementwise import extreme_of, quantified, total_of
from .expressions import expression, in_order
from .kinds import (
    COMPLEX,
    FLAG,
    INTEGER,
    REAL,
    SIMD_REAL,
    Array,
    Scalar,
    Several,
    common,
)
from .local_arrays import reduced, row_of
from .refusal import NotTranslatedError
from .scope import Scope
from .simd import element_wise, extreme, magnitude
from .stops import STOP
from .tuples import items, tuple_of
from .values import BOTH, PRODUCT, SUM, UNARY, Value, operand

_BOTH = ("sqrt", "sin", "cos", "tan", "exp", "log", "sinh", "cosh", "tanh", "expm1", "log1p", "hypot", "copysign")


_REAL = (
    *("asin", "acos", "atan", "atan2", "asinh", "acosh", "atanh", "fabs", "fmod"),
    *("log2", "log10", "pow", "erf", "erfc", "lgamma"),
)


_OF_NUMPY = {
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "arcsinh": "asinh",
    "fabs": "fabs",
    "fmod": "fmod",
    "exp2": "exp2",
    "log2": "log2",
    "log10": "log10",
    "cbrt": "cbrt",
    "rint": "rint",
    "trunc": "trunc",
    "fmin": "fmin",
    "fmax": "fmax",
}


_OF_TWO = frozenset({"atan2", "fmod", "hypot", "copysign", "pow", "fmin", "fmax"})


MATHEMATICS: dict[Any, str] = {
    **{getattr(where, name): name for where in (math, np) for name in _BOTH},
    **{getattr(math, name): name for name in _REAL},
    **{getattr(np, theirs): name for theirs, name in _OF_NUMPY.items()},
    math.gamma: "tgamma",
}


def of_numbers(scope: Scope, node: ast.Call, function: Any, numbers: list[Value]) -> Value:
    """Return the value of a `math` or `numpy` function applied to scalar arguments."""
    if function in BUILT_IN:
        return built_in(scope, node, function, numbers)
    return mathematics(scope, node, MATHEMATICS[function], numbers)


def built_in(scope: Scope, node: ast.Call, function: Any, arguments: list[Value]) -> Value:
    """Return the value of a function of `BUILT_IN`."""
    try:
        return BUILT_IN[function](scope, node, arguments)
    except (ValueError, IndexError) as error:
        if isinstance(error, NotTranslatedError):
            raise
        raise scope.refuse(
            node, f"{ast.unparse(node.func)} with {len(arguments)} arguments cannot be translated to C"
        ) from error


def mathematics(scope: Scope, node: ast.Call, name: str, arguments: list[Value]) -> Value:
    """Return the value of a function of the C library for scalar arguments; name: its name in C."""
    if any(not isinstance(each.kind, Scalar) for each in arguments):
        raise scope.refuse(node, f"{name} accepts single numbers only")
    if name == "log" and len(arguments) == 2:
        first, base = (mathematics(scope, node, "log", [each]) for each in arguments)
        return Value(REAL, f"({first.code} / {base.code})", reads=first.reads or base.reads)
    if len(arguments) != (2 if name in _OF_TWO else 1):
        raise scope.refuse(node, f"{name} with {len(arguments)} arguments cannot be translated to C")
    reads = any(each.reads for each in arguments)
    if any(each.kind == SIMD_REAL for each in arguments):
        return element_wise(scope, node, name, arguments)
    if any(each.kind == COMPLEX for each in arguments):
        return complex_function(scope, node, name, arguments)
    texts = ", ".join(each.code for each in arguments)
    return Value(REAL, f"{scope.program.suffixed(name)}({texts})", reads=reads)


def _absolute(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
    (value,) = arguments
    if value.kind == SIMD_REAL:
        return magnitude(scope.program, value)
    if value.kind == COMPLEX:
        return complex_function(scope, node, "size", arguments)
    if value.kind == REAL:
        return Value(REAL, f"{scope.program.suffixed('fabs')}({value.code})", reads=value.reads)
    if not isinstance(value.kind, Scalar):
        raise scope.refuse(node, "abs() accepts numbers only")
    if scope.program.checked:
        return Value(INTEGER, f"polhode_size({STOP}, {value.code})", reads=value.reads)
    return Value(INTEGER, f"{scope.program.helper('size_of_integer')}({value.code})", reads=value.reads)


def _each(scope: Scope, arguments: list[Value]) -> list[Value]:
    """Return the arguments, or the items of a single tuple argument."""
    if len(arguments) == 1 and isinstance(arguments[0].kind, Several):
        return list(items(scope, arguments[0]))
    return arguments


def _extreme(word: str) -> Callable[[Scope, ast.Call, list[Value]], Value]:
    def write(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
        if scope.program.checked and len(arguments) == 1 and arguments[0].kind == Array(REAL, 1):
            return extreme_of(scope, node, arguments[0], f"{word}_real")
        if len(arguments) == 1 and not isinstance(arguments[0].kind, Several):
            raise scope.refuse(node, "min and max accept numbers, a tuple or a row")
        found, *others = _each(scope, arguments)
        for each in others:
            kind = common(found.kind, each.kind)
            if kind == SIMD_REAL:
                found = extreme(scope.program, word, found, each)
                continue
            if kind not in (INTEGER, REAL, FLAG) or (kind == FLAG and not scope.program.checked):
                raise scope.refuse(node, "min and max accept real numbers or integers only")
            helper = scope.program.helper(f"{word}_{'real' if kind == REAL else 'integer'}")
            found = Value(kind, f"{helper}({found.code}, {each.code})", reads=found.reads or each.reads)
        return found

    return write


def _to_integer(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
    (value,) = arguments
    if value.kind in (COMPLEX, SIMD_REAL) or not isinstance(value.kind, Scalar):
        raise scope.refuse(node, "int() accepts real numbers only")
    if value.kind == INTEGER:
        return value
    if isinstance(value.known, float):
        return scope.program.number(int(value.known))
    return _whole(scope, value)


def _whole(scope: Scope, value: Value) -> Value:
    """Return a real number truncated to an integer."""
    if scope.program.checked and value.kind == REAL:
        return Value(INTEGER, f"polhode_whole({STOP}, {value.code})", reads=value.reads)
    return Value(INTEGER, f"(integer){operand(value, UNARY)}", UNARY, value.reads)


def _quantified_items(*, every: bool) -> Callable[[Scope, ast.Call, list[Value]], Value]:
    """Return the translator of all() or any() applied to a tuple or list."""

    def write(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
        (value,) = arguments
        if value.is_array:
            return quantified(scope, node, value, every=every)
        if not isinstance(value.kind, Several):
            raise scope.refuse(node, "all() and any() accept tuples and arrays only")
        tests = [operand(condition_of(scope, node, each), UNARY) for each in items(scope, value)]
        return Value(FLAG, f"({(' && ' if every else ' || ').join(tests)})", reads=value.reads)

    return write


def _to_real(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
    (value,) = arguments
    if value.kind in (COMPLEX, SIMD_REAL) or not isinstance(value.kind, Scalar):
        raise scope.refuse(node, "float() accepts real numbers only")
    return value if value.kind == REAL else Value(REAL, f"(real){operand(value, UNARY)}", UNARY, value.reads)


def _to_complex(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
    if len(arguments) == 1:
        return as_complex(scope.program, arguments[0])
    real, imaginary = arguments
    if COMPLEX in (real.kind, imaginary.kind):
        raise scope.refuse(node, "the parts of a complex number must be real")
    return called_complex(scope.program, "complex_of", real, imaginary)


def _rounded(word: str) -> Callable[[Scope, ast.Call, list[Value]], Value]:
    def write(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
        (value,) = arguments
        if value.kind == INTEGER:
            return value
        if value.kind == SIMD_REAL:
            found = element_wise(scope, node, word, arguments)
            return Value(SIMD_REAL, f"{found.code} + 0.0", SUM, found.reads)  # an integer has no -0
        return _whole(scope, Value(REAL, f"{scope.program.suffixed(word)}({value.code})", reads=value.reads))

    return write


def _table(item: Scalar) -> Callable[[Scope, ast.Call, list[Value]], Value]:
    """Return the translator of table_in, which views part of a row as a table."""

    def write(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
        row, start, rows, columns = arguments
        rows, columns = scope.steady(rows), scope.steady(columns)
        if scope.program.checked:
            count = f"{'2 * ' * (item == COMPLEX)}{operand(rows, PRODUCT)} * {operand(columns, PRODUCT)}"
            code = f"polhode_part({STOP}, {start.code}, {count}, {row.extents[0]()})"
            start = Value(INTEGER, code, reads=start.reads)
        code = row.code if start.known == 0 else f"{operand(row, SUM)} + {operand(start, SUM)}"
        binds = row.binds if start.known == 0 else SUM
        kind = row.kind if isinstance(row.kind, Array) else Array(REAL, 1)
        number = kind.item
        if item == COMPLEX:
            code, binds, number = f"({scope.program.type_name(COMPLEX)} *)({code})", UNARY, COMPLEX
        extents = ((lambda: rows.code), (lambda: columns.code))
        return Value(Array(number, 2), code, binds, start.reads, extents, row.roots)

    return write


def _length(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
    (value,) = arguments
    if isinstance(value.kind, Several):
        return scope.program.number(len(value.kind.items))
    if not value.is_array:
        raise scope.refuse(node, "len() accepts arrays and tuples only")
    return Value(INTEGER, value.extents[0]())


def _total(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
    (value,) = arguments
    if value.is_array:
        if not scope.program.checked or value.kind == Array(COMPLEX, 1):
            return reduced(scope, node, "sum", value)
        if isinstance(node.func, ast.Attribute):
            return total_of(scope, node, value)
        if value.kind != Array(REAL, 1):
            raise scope.refuse(node, "sum() accepts numbers only; use np.sum")
        return reduced(scope, node, "sum", value)
    if not isinstance(value.kind, Several):
        raise scope.refuse(node, "sum() accepts arrays and tuples only")
    if scope.program.checked and not isinstance(node.func, ast.Attribute):  # like the built-in sum(), not numpy's
        found = scope.program.number(0)
        for each in items(scope, value):
            found = combined(scope, node, ast.Add(), found, each)
        return found
    found, *others = items(scope, value)
    for each in others:
        found = combined(scope, node, ast.Add(), found, each)
    return found


def _classified(name: str) -> Callable[[Scope, ast.Call, list[Value]], Value]:
    """Return the translator of isnan, isinf or isfinite."""

    def write(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
        (value,) = arguments
        if value.kind not in (REAL, INTEGER):
            raise scope.refuse(node, f"{name} accepts real numbers only")
        return Value(FLAG, f"({name}((real){operand(value, UNARY)}) != 0)", reads=value.reads)

    return write


def _helped(name: str, count: int) -> Callable[[Scope, ast.Call, list[Value]], Value]:
    """Return the translator of a prelude function with real arguments and result."""

    def write(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
        if len(arguments) != count or any(each.kind not in (FLAG, INTEGER, REAL) for each in arguments):
            raise scope.refuse(node, f"{ast.unparse(node.func)} takes {count} real numbers")
        texts = ", ".join(each.code for each in arguments)
        return Value(REAL, f"{scope.program.helper(name)}({texts})", reads=any(each.reads for each in arguments))

    return write


def _times(factor: float) -> Callable[[Scope, ast.Call, list[Value]], Value]:
    def write(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
        (value,) = arguments
        return combined(scope, node, ast.Mult(), value, scope.program.number(factor))

    return write


def _operated(op: ast.operator) -> Callable[[Scope, ast.Call, list[Value]], Value]:
    def write(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
        a, b = arguments
        return combined(scope, node, op, a, b)

    return write


def _square(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
    (value,) = arguments
    held = scope.keep(value)
    return combined(scope, node, ast.Mult(), held, held)


def _choose(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
    """Return np.where of scalars."""
    test, yes, no = arguments
    kind = common(yes.kind, no.kind)
    if kind not in (INTEGER, REAL):
        raise scope.refuse(node, "np.where accepts single real numbers only; write a loop")
    test = condition_of(scope, node, test)
    code = f"({operand(test, BOTH)} ? {operand(yes, BOTH)} : {operand(no, BOTH)})"
    return Value(kind, code, reads=test.reads or yes.reads or no.reads)


def _clip(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
    value, low, high = arguments
    inner = _helped("larger_of", 2)(scope, node, [value, low])
    return _helped("smaller_of", 2)(scope, node, [inner, high])


def _of_rows(product: Callable[..., Value]) -> Callable[[Scope, ast.Call, list[Value]], Value]:
    """Return the translator of a product of two arrays."""

    def write(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
        a, b = arguments
        return product(scope, node, a, b, combined)

    return write


def _norm(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
    (row,) = arguments
    return norm(scope, node, row, combined)


def _numpy_extreme(helper: str) -> Callable[[Scope, ast.Call, list[Value]], Value]:
    def write(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
        (value,) = arguments
        return extreme_of(scope, node, row_of(scope, node, value) if isinstance(value.kind, Several) else value, helper)

    return write


def _mean(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
    (value,) = arguments
    if value.kind != Array(REAL, 1):
        raise scope.refuse(node, "np.mean accepts a row of real numbers only")
    total = total_of(scope, node, value)
    return combined(scope, node, ast.Div(), total, Value(REAL, f"(real)({value.extents[0]()})", UNARY))


def _quantified(*, every: bool) -> Callable[[Scope, ast.Call, list[Value]], Value]:
    def write(scope: Scope, node: ast.Call, arguments: list[Value]) -> Value:
        (value,) = arguments
        return quantified(scope, node, value, every=every)

    return write


def method_call(scope: Scope, node: ast.Call) -> Value | None:
    """Return the value of an array method, such as y.sum() or y.dot(z); None for any other call."""
    if not scope.program.checked or not isinstance(node.func, ast.Attribute) or node.func.attr not in _METHODS:
        return None
    root = node.func.value
    while isinstance(root, ast.Attribute | ast.Subscript):
        root = root.value
    own = {*scope.arguments, *scope.assigned}
    if isinstance(root, ast.Name) and root.id not in own and isinstance(scope.outside(root.id), ModuleType):
        return None
    held = expression(scope, node.func.value)
    if not held.is_array or node.keywords:
        return None
    return built_in(scope, node, _METHODS[node.func.attr], [held, *in_order(scope, node.args)])


_METHODS = {
    "sum": np.sum,
    "max": np.max,
    "min": np.min,
    "mean": np.mean,
    "dot": np.dot,
    "any": np.any,
    "all": np.all,
}


BUILT_IN: dict[Any, Callable[[Scope, ast.Call, list[Value]], Value]] = {
    abs: _absolute,
    np.abs: _absolute,
    min: _extreme("least"),
    max: _extreme("most"),
    int: _to_integer,
    np.int64: _to_integer,
    float: _to_real,
    np.float64: _to_real,
    complex: _to_complex,
    np.complex128: _to_complex,
    bool: lambda scope, node, found: condition_of(scope, node, *found),
    len: _length,
    all: _quantified_items(every=True),
    any: _quantified_items(every=False),
    np.round: lambda scope, node, found: mathematics(scope, node, "rint", found),
    np.dot: _of_rows(dot),
    np.cross: _of_rows(cross),
    np.linalg.norm: _norm,
    np.sum: _total,
    sum: _total,
    pow: _operated(ast.Pow()),
    np.power: _operated(ast.Pow()),
    np.mod: _operated(ast.Mod()),
    np.square: _square,
    divmod: lambda scope, node, found: tuple_of(
        tuple(_operated(op)(scope, node, [scope.keep(each) for each in found]) for op in (ast.FloorDiv(), ast.Mod()))
    ),
    round: _rounded("rint"),
    math.trunc: _rounded("trunc"),
    math.floor: _rounded("floor"),
    math.ceil: _rounded("ceil"),
    np.floor: lambda scope, node, found: mathematics(scope, node, "floor", found),
    np.ceil: lambda scope, node, found: mathematics(scope, node, "ceil", found),
    math.isnan: _classified("isnan"),
    np.isnan: _classified("isnan"),
    math.isinf: _classified("isinf"),
    np.isinf: _classified("isinf"),
    math.isfinite: _classified("isfinite"),
    np.isfinite: _classified("isfinite"),
    math.degrees: _times(180.0 / math.pi),
    np.degrees: _times(180.0 / math.pi),
    np.rad2deg: _times(180.0 / math.pi),
    math.radians: _times(math.pi / 180.0),
    np.radians: _times(math.pi / 180.0),
    np.deg2rad: _times(math.pi / 180.0),
    np.max: _numpy_extreme("larger_of"),
    np.min: _numpy_extreme("smaller_of"),
    np.mean: _mean,
    np.any: _quantified(every=False),
    np.all: _quantified(every=True),
    np.sign: _helped("sign_of", 1),
    np.minimum: _helped("smaller_of", 2),
    np.maximum: _helped("larger_of", 2),
    np.where: _choose,
    np.clip: _clip,
    table_in: _table(REAL),
    complex_table_in: _table(COMPLEX),
}


OF_ARRAYS = frozenset(
    {
        *(each for each in MATHEMATICS if isinstance(each, np.ufunc)),
        *(each for each in BUILT_IN if isinstance(each, np.ufunc)),
        *(np.where, np.clip, abs),
    }
)
"""Functions that NumPy applies elementwise."""
