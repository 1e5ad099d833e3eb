"""Complex numbers as pairs of reals, with explicit operations, independent of the compiler.

Products and quotients of two complex numbers are computed as in CPython, and functions as in Python's module cmath. If
one operand is real, the operation applies to both parts of the complex operand, as in C99 (Annex G).
"""

import ast

from .kinds import COMPLEX, FLAG, REAL, Scalar
from .program import Program
from .scope import Scope
from .values import ATOM, UNARY, Value, operand

_BOTH: dict[type[ast.operator], str] = {
    ast.Add: "complex_sum",
    ast.Sub: "complex_difference",
    ast.Mult: "complex_product",
    ast.Div: "complex_quotient",
}

_WITH_REAL: dict[type[ast.operator], str] = {
    ast.Add: "complex_shifted",
    ast.Mult: "complex_scaled",
    ast.Div: "complex_over",
}
"""Operators that accept a real right operand; sum and product also accept a real left operand."""

_PARTS = {"real": "re", "imag": "im"}


def as_complex(program: Program, value: Value) -> Value:
    """Return a number as a complex number."""
    if value.kind == COMPLEX:
        return value
    assert isinstance(value.kind, Scalar)  # noqa: S101 # checked before
    return called(program, "complex_of", value, program.number(0.0))


def called(program: Program, name: str, *values: Value, kind: Scalar = COMPLEX) -> Value:
    """Return the value of a prelude function."""
    program.type_name(COMPLEX)
    texts = ", ".join(each.code for each in values)
    return Value(kind, f"{program.helper(name)}({texts})", reads=any(each.reads for each in values))


def negative(program: Program, value: Value) -> Value:
    """Return -z."""
    return called(program, "complex_negative", value)


def part_of(value: Value, which: str) -> Value:
    """Return the real or imaginary part of a complex number: `which` is "real" or "imag"."""
    return Value(REAL, f"{operand(value, ATOM)}.{_PARTS[which]}", reads=value.reads)


def combined_complex(program: Program, op: ast.operator, a: Value, b: Value) -> Value | None:
    """Return a op b for numbers of which one is complex; None if the operator is not one of + - * /."""
    if type(op) not in _BOTH:
        return None
    if a.kind == COMPLEX and b.kind != COMPLEX:
        if isinstance(op, ast.Sub):
            return called(program, "complex_lowered", a, b)
        return called(program, _WITH_REAL[type(op)], a, b)
    if a.kind != COMPLEX:
        if isinstance(op, ast.Sub):
            return called(program, "complex_below", a, b)
        if isinstance(op, ast.Div):
            return called(program, "complex_quotient", as_complex(program, a), b)
        return called(program, _WITH_REAL[type(op)], b, a)
    return called(program, _BOTH[type(op)], a, b)


def equal_complex(program: Program, a: Value, b: Value, *, negated: bool) -> Value:
    """Return an equality test, or if `negated` an inequality test, of two numbers of which one is complex."""
    same = called(program, "complex_equal", as_complex(program, a), as_complex(program, b), kind=FLAG)
    return Value(FLAG, f"!{same.code}", UNARY, same.reads) if negated else same


def complex_function(scope: Scope, node: ast.AST, name: str, values: list[Value]) -> Value:
    """Return a mathematical function of a complex number. Raises NotTranslatedError if C lacks it."""
    from .prelude import PRELUDE

    whole = f"complex_{name}"
    if whole not in PRELUDE or len(values) != 1:
        raise scope.refuse(node, f"{name} accepts real numbers only")
    return called(scope.program, whole, *values, kind=REAL if name == "size" else COMPLEX)
