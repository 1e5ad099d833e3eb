"""`raise` and `assert` of a user-defined kernel: translation of the message and of the numbers in it."""

import ast
from typing import Any, cast

from .conditions import condition
from .expressions import expression
from .kinds import FLAG, INTEGER, REAL
from .scope import Scope
from .stops import MOST_NUMBERS, STOP, Number, Stop
from .values import UNARY, UNKNOWN, operand

_KINDS = {FLAG: "flag", INTEGER: "integer", REAL: "real"}


class _Notes:
    """The numbers in the message of one exception."""

    def __init__(self, scope: Scope) -> None:
        self.scope, self.count = scope, 0

    def number(self, node: ast.expr, conversion: str = "", spec: str = "") -> "str | Number":
        """Record the value of an expression; a value known at translation time becomes part of the message."""
        value = expression(self.scope, node)
        if value.kind not in _KINDS:
            raise self.scope.refuse(node, "the arguments of an exception must be strings and single numbers")
        if self.count == MOST_NUMBERS:
            raise self.scope.refuse(node, f"the message contains more than {MOST_NUMBERS} numbers")
        self.scope.write(f"{STOP}->numbers[{self.count}] = (double){operand(value, UNARY)};")
        self.count += 1
        return Number(self.count - 1, _KINDS[cast("Any", value.kind)], conversion, spec)

    def argument(self, node: ast.expr) -> tuple["str | Number", ...]:
        """Return one argument of the exception, split into its parts."""
        if isinstance(node, ast.JoinedStr):
            return tuple(piece for each in node.values for piece in self._piece(each))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _is_text(self.scope, node.left):
            return self.argument(node.left) + self.argument(node.right)
        text = _text(self.scope, node)
        return (self.number(node),) if text is None else (text,)

    def _piece(self, node: ast.expr) -> tuple["str | Number", ...]:
        if isinstance(node, ast.Constant):
            return (str(node.value),)
        assert isinstance(node, ast.FormattedValue)  # noqa: S101 # the parts of a JoinedStr
        spec = ""
        if isinstance(node.format_spec, ast.JoinedStr):
            if not all(isinstance(each, ast.Constant) for each in node.format_spec.values):
                raise self.scope.refuse(node, "the format of a number must be a literal")
            spec = "".join(str(cast("ast.Constant", each).value) for each in node.format_spec.values)
        conversion = chr(node.conversion) if node.conversion >= 0 else ""
        text = _text(self.scope, node.value)
        if text is not None:
            return (format(repr(text) if conversion in ("r", "a") else text, spec),)
        return (self.number(node.value, conversion, spec),)


def _is_text(scope: Scope, node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or _text(scope, node) is not None or (
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _is_text(scope, node.left)
    )  # fmt: skip


def _text(scope: Scope, node: ast.expr) -> str | None:
    """Return the text of a literal or a global name; None for anything else."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name) and node.id not in scope.assigned and node.id not in scope.arguments:
        found = scope.outside(node.id)
        return found if isinstance(found, str) else None
    return None


def raise_(scope: Scope, node: ast.Raise) -> None:
    """Write a `raise` of an exception class, or of an exception created from strings and numbers."""
    if not scope.program.checked:
        raise scope.refuse(node, "the statement 'raise' is not supported in kernels")
    if node.exc is None or (node.cause is not None and not _is_none(node.cause)):
        raise scope.refuse(node, "raise accepts an exception without a cause")
    called = node.exc if isinstance(node.exc, ast.Call) else None
    function = expression(scope, called.func if called else node.exc).known
    if function is UNKNOWN or not (isinstance(function, type) and issubclass(function, Exception)):
        raise scope.refuse(node, "raise accepts the name of an exception class")
    if called and (called.keywords or any(isinstance(each, ast.Starred) for each in called.args)):
        raise scope.refuse(node, "an exception must have plain positional arguments")
    _stop(scope, function.__name__, called.args if called else [])


def _stop(scope: Scope, name: str, arguments: list[ast.expr]) -> None:
    notes = _Notes(scope)
    stop = Stop(name, tuple(notes.argument(each) for each in arguments))
    scope.write(f"polhode_leave({STOP}, {scope.program.stop(stop)});")


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def assert_(scope: Scope, node: ast.Assert) -> None:
    """Write an `assert`, which stops with an AssertionError if its condition does not hold."""
    if not scope.program.checked:
        raise scope.refuse(node, "the statement 'assert' is not supported in kernels")
    scope.write(f"if (!({condition(scope, node.test).code})) {{")
    with scope.inner():
        _stop(scope, "AssertionError", [node.msg] if node.msg is not None else [])
    scope.write("}")
