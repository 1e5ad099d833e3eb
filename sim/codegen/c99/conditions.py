"""Conditions: comparisons, `and`, `or`, `not` and conditional expressions."""

import ast
import operator
from collections.abc import Callable
from typing import Any

from .complexes import equal_complex
from .expressions import as_kind, expression
from .kinds import COMPLEX, FLAG, INTEGER, REAL, SIMD_MASK, SIMD_REAL, Array, Several, common
from .scope import Scope
from .tuples import materialised
from .values import BIT_OR, BOTH, CONDITIONAL, EITHER, EQUALITY, ORDER, UNARY, Value, operand

_RELATIONS: dict[type[ast.cmpop], tuple[str, int]] = {
    ast.Lt: ("<", ORDER),
    ast.LtE: ("<=", ORDER),
    ast.Gt: (">", ORDER),
    ast.GtE: (">=", ORDER),
    ast.Eq: ("==", EQUALITY),
    ast.NotEq: ("!=", EQUALITY),
}

_KNOWN: dict[type[ast.cmpop], Any] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def condition(scope: Scope, node: ast.expr) -> Value:
    """Return the truth value of an expression as a flag."""
    if isinstance(node, ast.BoolOp):
        return _decided(scope, node)
    return condition_of(scope, node, expression(scope, node))


def condition_of(scope: Scope, node: ast.expr, found: Value) -> Value:
    """Return a value's truth value as a flag; a user-defined kernel may also test numbers, as in Python."""
    if found.kind == SIMD_MASK:
        raise scope.refuse(node, "the runs of a vector may have different truth values here; use select or every")
    if scope.program.checked and found.kind in (INTEGER, REAL):
        zero = scope.program.number(0 if found.kind == INTEGER else 0.0)
        return Value(FLAG, f"{operand(found, EQUALITY + 1)} != {zero.code}", EQUALITY, found.reads)
    if found.kind != FLAG:
        raise scope.refuse(node, "a condition must be a comparison, not a number; write != 0.0")
    return found


def negation(scope: Scope, node: ast.UnaryOp) -> Value:
    """Return the value of `not a`."""
    inner = condition(scope, node.operand)
    if isinstance(inner.known, bool):
        return scope.program.number(not inner.known)
    return Value(FLAG, f"!{operand(inner, UNARY)}", UNARY, inner.reads)


def comparison(scope: Scope, node: ast.Compare) -> Value:
    """Return the value of a comparison, a chained comparison, or a test with `in` for a tuple."""
    if isinstance(node.ops[0], ast.In | ast.NotIn):
        return _among(scope, node)
    from .expressions import in_order

    mark = len(scope.lines)
    if scope.program.checked and len(node.ops) > 1:
        with scope.aside() as lines:
            in_order(scope, node.comparators[1:])
        if lines:
            return _chained(scope, node)
    values = in_order(scope, [node.left, *node.comparators])
    if len(node.ops) > 1 and len(scope.lines) > mark and not scope.program.checked:
        raise scope.refuse(
            node, "a chained comparison contains a call with side effects; assign its result to a name first"
        )
    if len(values) > 2:
        values[1:-1] = [each if each.code.isidentifier() else scope.keep(each) for each in values[1:-1]]
    pieces = [_relation(scope, node, op, a, b) for op, a, b in zip(node.ops, values, values[1:], strict=False)]
    if len(pieces) == 1:
        return pieces[0]
    if any(each.kind == SIMD_MASK for each in pieces):
        raise scope.refuse(node, "comparisons of several runs cannot be chained; join two comparisons by &")
    code = " && ".join(operand(each, EQUALITY) for each in pieces)
    return Value(FLAG, code, BOTH, any(each.reads for each in pieces))


def _chained(scope: Scope, node: ast.Compare) -> Value:
    """Return a chained comparison that evaluates later operands only if the earlier comparisons hold."""
    name = scope.temporary()
    left, right = (scope.keep(expression(scope, each)) for each in (node.left, node.comparators[0]))
    scope.write(f"flag {name} = {_relation(scope, node, node.ops[0], left, right).code};")
    for op, each in zip(node.ops[1:], node.comparators[1:], strict=True):
        scope.write(f"if ({name}) {{")
        scope.indent += 1
        left, right = right, scope.keep(expression(scope, each))
        scope.write(f"{name} = {_relation(scope, node, op, left, right).code};")
    for _ in node.ops[1:]:
        scope.indent -= 1
        scope.write("}")
    return Value(FLAG, name)


def _relation(scope: Scope, node: ast.Compare, op: ast.cmpop, a: Value, b: Value) -> Value:
    if scope.program.checked and (a.is_array or b.is_array) and type(op) in _RELATIONS:
        from .elementwise import element_by_element

        return element_by_element(scope, node, [a, b], lambda pair: _relation(scope, node, op, *pair))
    if type(op) not in _RELATIONS:
        raise scope.refuse(node, f"the comparison {type(op).__name__.lower()!r} is not supported in kernels")
    sign, binds = _RELATIONS[type(op)]
    for each in (a, b):
        if isinstance(each.kind, Array | Several):
            raise scope.refuse(node, "only numbers can be compared")
    if COMPLEX in (a.kind, b.kind) and binds == ORDER:
        raise scope.refuse(node, "complex numbers have no order; compare their real parts")
    if COMPLEX in (a.kind, b.kind):
        return equal_complex(scope.program, a, b, negated=sign == "!=")
    if SIMD_REAL in (a.kind, b.kind):
        from .simd import related

        return related(scope.program, sign, binds, a, b)
    if isinstance(a.known, int) and isinstance(b.known, int):
        return scope.program.number(bool(_KNOWN[type(op)](a.known, b.known)))
    return Value(FLAG, f"{operand(a, binds + 1)} {sign} {operand(b, binds + 1)}", binds, a.reads or b.reads)


def _among(scope: Scope, node: ast.Compare) -> Value:
    left, many = expression(scope, node.left), expression(scope, node.comparators[0])
    if len(node.ops) > 1 or many.parts is None:
        raise scope.refuse(node, "`in` requires a literal tuple")
    left = left if left.code.isidentifier() else scope.keep(left)
    inside, op = isinstance(node.ops[0], ast.In), ast.Eq() if isinstance(node.ops[0], ast.In) else ast.NotEq()
    pieces = [_relation(scope, node, op, left, part) for part in many.parts]
    code = (" || " if inside else " && ").join(operand(each, EQUALITY) for each in pieces)
    return Value(FLAG, code, EITHER if inside else BOTH, left.reads)


def bool_operation(scope: Scope, node: ast.BoolOp) -> Value:
    """Return the value of `and` or `or`: a flag or, in a user-defined kernel, the operand that decides."""
    if not scope.program.checked:
        return _decided(scope, node)
    with scope.aside():
        kinds = [expression(scope, each).kind for each in node.values]
    if all(kind == FLAG for kind in kinds):
        return _decided(scope, node)
    kind = kinds[0]
    for each in kinds[1:]:
        kind = common(kind, each)
    if kind not in (INTEGER, REAL):
        raise scope.refuse(node, "`and` and `or` accept truth values and real numbers only")
    both, name = isinstance(node.op, ast.And), scope.temporary()
    first = expression(scope, node.values[0])
    scope.write(f"{scope.program.type_name(kind)} {name} = {as_kind(scope, first, kind).code};")
    for each in node.values[1:]:
        scope.write(f"if ({name} {'!=' if both else '=='} 0) {{")
        with scope.inner():
            scope.write(f"{name} = {as_kind(scope, expression(scope, each), kind).code};")
        scope.write("}")
    return Value(kind, name)


def _decided(scope: Scope, node: ast.BoolOp) -> Value:
    """Return the value of `and` or `or` as a flag; later operands are evaluated only if needed."""
    both = isinstance(node.op, ast.And)
    sign, binds = ("&&", BOTH) if both else ("||", EITHER)
    found = condition(scope, node.values[0])
    for each in node.values[1:]:
        scope.indent += 1
        with scope.aside() as lines:
            after = condition(scope, each)
        scope.indent -= 1
        if isinstance(found.known, bool):
            if found.known is not both:  # decided by known values
                return found
            scope.lines += [line[4:] for line in lines]
            found = after
            continue
        if not lines:
            left = found.code if found.binds == binds else operand(found, BIT_OR)  # parentheses for `and` next to `or`
            code = f"{left} {sign} {operand(after, BIT_OR)}"
            found = Value(FLAG, code, binds, found.reads or after.reads)
            continue
        name = scope.temporary()
        scope.write(f"flag {name} = {found.code};")
        scope.write(f"if ({name if both else '!' + name}) {{")
        scope.lines += lines
        with scope.inner():
            scope.write(f"{name} = {after.code};")
        scope.write("}")
        found = Value(FLAG, name)
    return found


def choice(scope: Scope, node: ast.IfExp) -> Value:
    """Return the value of `a if c else b`."""
    test = condition(scope, node.test)
    if isinstance(test.known, bool):
        return expression(scope, node.body if test.known else node.orelse)
    sides: list[Value] = []
    written: list[list[str]] = []
    scope.indent += 1
    for each in (node.body, node.orelse):
        with scope.aside() as lines:
            sides.append(expression(scope, each))
        written.append(lines)
    scope.indent -= 1
    if sides[0].is_array and sides[0].kind == sides[1].kind and not any(written):
        return _either(scope, test, sides[0], sides[1])
    kind = common(sides[0].kind, sides[1].kind)
    if kind is None or isinstance(kind, Array):
        raise scope.refuse(node, "the two values of a conditional expression have different types")
    sides = [as_kind(scope, each, kind) for each in sides]
    if isinstance(kind, Several) or kind == COMPLEX:
        sides = [materialised(scope, each) for each in sides]
    if not any(written):
        tested, then, other = operand(test, BOTH), operand(sides[0], BOTH), operand(sides[1], CONDITIONAL)
        code = f"{tested} ? {then} : {other}"
        return Value(kind, code, CONDITIONAL, test.reads or sides[0].reads or sides[1].reads)
    name = scope.temporary()
    scope.write(f"{scope.program.type_name(kind)} {name};")
    scope.write(f"if ({test.code}) {{")
    for lines, side, after in zip(written, sides, ("} else {", "}"), strict=True):
        scope.lines += lines
        with scope.inner():
            scope.write(f"{name} = {side.code};")
        scope.write(after)
    return Value(kind, name)


def _either(scope: Scope, test: Value, a: Value, b: Value) -> Value:
    """Return one of two arrays, selected by a test."""
    test = test if test.code.isidentifier() else scope.keep(test)

    def either(n: int) -> Callable[[], str]:
        return lambda: f"({test.code} ? {a.extents[n]()} : {b.extents[n]()})"

    code = f"{test.code} ? {operand(a, CONDITIONAL + 1)} : {operand(b, CONDITIONAL)}"
    extents = tuple(either(n) for n in range(len(a.extents)))
    return Value(a.kind, code, CONDITIONAL, False, extents, a.roots | b.roots)
