"""Python arithmetic in C: true division, the signs of % and //, integer powers as products."""

import ast

from .complexes import combined_complex, negative
from .expressions import as_kind, expression, in_order
from .kinds import COMPLEX, FLAG, INTEGER, REAL, SIMD_MASK, SIMD_REAL, Scalar, common
from .literals import WIDE, literal
from .scope import Scope
from .stops import STOP
from .values import ATOM, BIT_AND, BIT_OR, BIT_XOR, PRODUCT, SHIFT, SUM, UNARY, Value, operand

_PLAIN: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: ("+", SUM),
    ast.Sub: ("-", SUM),
    ast.Mult: ("*", PRODUCT),
}

_BITS: dict[type[ast.operator], tuple[str, int]] = {
    ast.BitAnd: ("&", BIT_AND),
    ast.BitXor: ("^", BIT_XOR),
    ast.BitOr: ("|", BIT_OR),
    ast.LShift: ("<<", SHIFT),
    ast.RShift: (">>", SHIFT),
}

MOST_POWER = 16


def unary(scope: Scope, node: ast.UnaryOp) -> Value:
    """Return the value of -a or +a."""
    inner = expression(scope, node.operand)
    if scope.program.checked and inner.is_array and isinstance(node.op, ast.USub):
        from .array_arithmetic import negative_array

        return negative_array(scope, node, inner, combined)
    if isinstance(node.op, ast.Invert) and inner.kind == INTEGER and scope.program.checked:
        return Value(INTEGER, f"~{operand(inner, UNARY)}", UNARY, inner.reads)
    if not isinstance(inner.kind, Scalar) or not isinstance(node.op, ast.USub | ast.UAdd):
        raise scope.refuse(node, "only numbers have a sign")
    if isinstance(node.op, ast.UAdd):
        return inner
    if isinstance(inner.known, int | float) and inner.known:
        return scope.program.number(-inner.known)
    if inner.kind in (INTEGER, FLAG) and scope.program.checked:
        return _checked(scope, ast.Sub(), scope.program.number(0), inner)
    if inner.kind == COMPLEX:
        return negative(scope.program, inner)
    code = operand(inner, UNARY)
    return Value(inner.kind, f"-({code})" if code.startswith("-") else f"-{code}", UNARY, inner.reads)


def binary(scope: Scope, node: ast.BinOp) -> Value:
    """Return the value of a binary operation, a op b."""
    a, b = in_order(scope, [node.left, node.right])
    return combined(scope, node, node.op, a, b)


def combined(scope: Scope, node: ast.AST, op: ast.operator, a: Value, b: Value) -> Value:
    """Return the result of an operator on two values."""
    if scope.program.checked and (a.is_array or b.is_array):
        from .array_arithmetic import arrays_combined

        return arrays_combined(scope, node, op, a, b, combined)
    kind = _common_scalar(scope, node, op, a, b)
    if kind == SIMD_REAL and type(op) in (*_PLAIN, ast.Div):
        a, b = as_kind(scope, a, kind), as_kind(scope, b, kind)
    if kind == COMPLEX:
        found = combined_complex(scope.program, op, a, b)
        if found is not None:
            return found
    if scope.program.checked and kind == INTEGER and type(op) in _CHECKED:
        _refuse_sum_of_flags(scope, node, op, a, b)
        return _checked(scope, op, a, b)
    if type(op) in _PLAIN:
        return _plain(scope, op, a, b, kind)
    if type(op) in _BITS:
        return _bits(scope, node, op, a, b, kind)
    if isinstance(op, ast.Div):
        return _quotient(scope, a, b, kind)
    if isinstance(op, ast.Mod | ast.FloorDiv) and kind not in (COMPLEX, SIMD_REAL):
        return _whole_quotient(scope, op, a, b, kind)
    if isinstance(op, ast.Pow):
        return _power(scope, node, a, b, kind)
    raise scope.refuse(node, f"the operator {type(op).__name__.lower()!r} is not supported in kernels")


def _common_scalar(scope: Scope, node: ast.AST, op: ast.operator, a: Value, b: Value) -> Scalar:
    """Return the kind in which an operator combines two scalars; a truth value counts as an integer."""
    if not isinstance(a.kind, Scalar) or not isinstance(b.kind, Scalar):
        raise scope.refuse(node, "arithmetic is supported for single numbers only; write a loop")
    kind = common(a.kind, b.kind)
    if not isinstance(kind, Scalar) or (kind == SIMD_MASK and not isinstance(op, ast.BitAnd | ast.BitOr)):
        raise scope.refuse(node, "comparisons of several runs can be joined by & and | only")
    return INTEGER if kind == FLAG else kind


def _refuse_sum_of_flags(scope: Scope, node: ast.AST, op: ast.operator, a: Value, b: Value) -> None:
    both = isinstance(op, ast.Add) and a.kind == b.kind == FLAG
    if both and not (a.known in (True, False) and b.known in (True, False)):
        raise scope.refuse(node, "the sum of two truth values is 1 or 2, as numpy or Python has it; write int(...)")


def _plain(scope: Scope, op: ast.operator, a: Value, b: Value, kind: Scalar) -> Value:
    sign, binds = _PLAIN[type(op)]
    reads = a.reads or b.reads
    if sign == "*" and kind == INTEGER and _large(scope, a, b):
        return Value(kind, f"{scope.program.helper('wrapped_product')}({a.code}, {b.code})", reads=reads)
    return Value(kind, f"{operand(a, binds)} {sign} {operand(b, binds + 1)}", binds, reads)


def _bits(scope: Scope, node: ast.AST, op: ast.operator, a: Value, b: Value, kind: Scalar) -> Value:
    if kind not in (INTEGER, SIMD_MASK):
        raise scope.refuse(node, "bit operations are supported for integers only")
    scope.program.wide = True
    sign, binds = _BITS[type(op)]
    return Value(kind, f"{operand(a, UNARY)} {sign} {operand(b, UNARY)}", binds, a.reads or b.reads)


def _quotient(scope: Scope, a: Value, b: Value, kind: Scalar) -> Value:
    reads = a.reads or b.reads
    of_numpy = FLAG in (a.kind, b.kind) and not (isinstance(a.known, bool) or isinstance(b.known, bool))
    if kind == INTEGER and scope.of_user and not of_numpy:
        return Value(REAL, f"polhode_ratio({STOP}, {a.code}, {b.code})", reads=reads)
    over = f"(real){operand(a, UNARY)}" if kind == INTEGER else operand(a, PRODUCT)
    return Value(REAL if kind == INTEGER else kind, f"{over} / {operand(b, UNARY)}", PRODUCT, reads)


def _whole_quotient(scope: Scope, op: ast.operator, a: Value, b: Value, kind: Scalar) -> Value:
    """Return the floored quotient, or the remainder with the sign of the divisor."""
    reads = a.reads or b.reads
    word = "modulo" if isinstance(op, ast.Mod) else "quotient"
    if word == "quotient" and kind == REAL and scope.of_user:
        scope.program.helper("quotient_real")
        return Value(kind, f"{scope.program.helper('quotient_or_limit')}({a.code}, {b.code})", reads=reads)
    return Value(kind, f"{scope.program.helper(f'{word}_{kind.name}')}({a.code}, {b.code})", reads=reads)


_CHECKED: dict[type[ast.operator], str] = {
    ast.Add: "polhode_sum({a}, {b})",
    ast.Sub: "polhode_difference({a}, {b})",
    ast.Mult: "polhode_product({a}, {b})",
    ast.Mod: "polhode_modulo(polhode_stop, {a}, {b})",
    ast.FloorDiv: "polhode_quotient(polhode_stop, {a}, {b})",
    ast.LShift: "(integer)((unsigned long long){a} << polhode_bits(polhode_stop, {b}))",
    ast.RShift: "{a} >> polhode_bits(polhode_stop, {b})",
}
"""Operations on 64-bit integers that wrap as in NumPy, and stop if Python would raise an exception."""


_BOUNDED: dict[type[ast.operator], str] = {
    **_CHECKED,
    ast.Add: "polhode_bounded_sum(polhode_stop, {a}, {b})",
    ast.Sub: "polhode_bounded_difference(polhode_stop, {a}, {b})",
    ast.Mult: "polhode_bounded_product(polhode_stop, {a}, {b})",
    ast.LShift: "polhode_shifted(polhode_stop, {a}, {b})",
    ast.RShift: "polhode_shifted_down(polhode_stop, {a}, {b})",
}
"""Integer operations of user-defined kernels, which stop if the result would exceed 64 bits."""


def _checked(scope: Scope, op: ast.operator, a: Value, b: Value) -> Value:
    if isinstance(op, ast.Add | ast.Sub | ast.Mult) and isinstance(a.known, int) and isinstance(b.known, int):
        found = {ast.Add: a.known + b.known, ast.Sub: a.known - b.known, ast.Mult: a.known * b.known}[type(op)]
        if abs(found) < WIDE:
            return literal(found)
    bits = isinstance(op, ast.LShift | ast.RShift)
    texts = {"a": operand(a, UNARY) if bits else a.code, "b": b.code}
    form = (_BOUNDED if scope.of_user else _CHECKED)[type(op)]
    return Value(INTEGER, form.format(**texts), SHIFT if bits else ATOM, a.reads or b.reads)


def _large(scope: Scope, a: Value, b: Value) -> bool:
    """Return whether a product of integers may need more than 63 bits: one factor is a large literal."""
    return any(isinstance(each.known, int) and abs(each.known) >= WIDE // 2 for each in (a, b))


def _power(scope: Scope, node: ast.AST, a: Value, b: Value, kind: Scalar) -> Value:
    """Return a power: an integer exponent is expanded into products, any other exponent calls pow."""
    if kind == INTEGER and scope.of_user:
        whole = isinstance(b.known, int) and b.known >= 0
        form = "polhode_power" if whole else "polhode_real_power"
        return Value(INTEGER if whole else REAL, f"{form}({STOP}, {a.code}, {b.code})", reads=a.reads or b.reads)
    if isinstance(b.known, int) and not isinstance(b.known, bool):
        return _whole_power(scope, node, a, b, kind, b.known)
    if kind in (COMPLEX, SIMD_REAL):
        raise scope.refuse(node, f"a {kind.name} supports integer exponents only")
    if b.known == 0.5 and scope.of_user:
        return Value(REAL, f"{scope.program.helper('root_of')}({a.code})", reads=a.reads)
    if b.known == 0.5:  # sqrt is rounded correctly; the pow of a C library may be wrong in the last place
        return Value(REAL, f"{scope.program.suffixed('sqrt')}({a.code})", reads=a.reads)
    return Value(REAL, f"{scope.program.suffixed('pow')}({a.code}, {b.code})", reads=a.reads or b.reads)


def _whole_power(scope: Scope, node: ast.AST, a: Value, b: Value, kind: Scalar, exponent: int) -> Value:
    if scope.program.checked and kind != COMPLEX and abs(exponent) > MOST_POWER:
        return Value(REAL, f"pow({a.code}, {b.code})", reads=a.reads)
    if abs(exponent) > MOST_POWER or (exponent < 0 and kind == INTEGER):
        raise scope.refuse(node, f"the power {exponent} is not multiplied out; use a real exponent")
    return _product(scope, a if a.code.isidentifier() else scope.keep(a), exponent)


def _product(scope: Scope, base: Value, power: int) -> Value:
    """Return base^power by repeated squaring."""
    left, square, found = abs(power), base.code, ""

    def times(first: str, second: str) -> str:
        pair = (Value(base.kind, first, PRODUCT), Value(base.kind, second))
        product = combined_complex(scope.program, ast.Mult(), *pair) if base.kind == COMPLEX else None
        return f"{first} * {second}" if product is None else product.code

    while left:
        if left & 1:
            found = times(found, square) if found else square
        left >>= 1
        if left:
            if square == base.code and left == 1 and not found:
                found, left = times(square, square), 0
            elif left:
                square = scope.keep(Value(base.kind, times(square, square), PRODUCT)).code
    if not found:
        return scope.program.number(1 if base.kind == INTEGER else 1.0)
    if power < 0:
        whole, one = Value(base.kind, found, PRODUCT, base.reads), scope.program.number(1.0)
        if base.kind == COMPLEX:
            return combined_complex(scope.program, ast.Div(), one, whole) or whole
        one = as_kind(scope, one, base.kind)
        return Value(base.kind, f"{one.code} / ({found})", PRODUCT, base.reads)
    return Value(base.kind, found, PRODUCT, base.reads)
