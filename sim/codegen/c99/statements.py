"""Statements of a kernel as statements of C."""

import ast
from collections.abc import Callable, Sequence
from typing import Any

from .assignments import assign, assign_name, augment
from .conditions import condition
from .expressions import as_kind, expression
from .kinds import INTEGER, NOTHING, Scalar, Several, common
from .literals import number_of
from .scope import Scope
from .stopping import assert_, raise_
from .stops import STOP
from .tuples import materialised
from .values import Value

__all__ = ["GIVE_BACK", "block"]

GIVE_BACK = f"{STOP}->used = polhode_used;"
"""The line that gives back the room of the arrays that a function has made."""


def block(scope: Scope, statements: Sequence[ast.stmt]) -> None:
    """Write some statements."""
    for statement in statements:
        write = _STATEMENTS.get(type(statement))
        if write is None:
            words = type(statement).__name__.lower()
            raise scope.refuse(statement, f"a statement of the kind {words!r} is not of the language of kernels")
        write(scope, statement)


def _expression(scope: Scope, node: ast.Expr) -> None:
    if isinstance(node.value, ast.Constant):  # a docstring
        return
    found = expression(scope, node.value, unused=True)
    if found.code and found.reads:
        scope.write(f"(void){found.code};")


def _assign(scope: Scope, node: ast.Assign) -> None:
    value = expression(scope, node.value)
    if len(node.targets) > 1:
        value = scope.keep(value)
    for target in node.targets:
        assign(scope, target, value, node)


def _augment(scope: Scope, node: ast.AugAssign) -> None:
    augment(scope, node)


def _return(scope: Scope, node: ast.Return) -> None:
    if node.value is None:
        kind, code = NOTHING, ""
    else:
        value = expression(scope, _numbers_within(scope, node.value))
        kind = value.kind
        if value.is_array:
            raise scope.refuse(node, "it returns an array; let it write into one that it is given")
        wanted = common(scope.learnt.result, kind)
        if isinstance(kind, Several | Scalar) and wanted is not None:
            value = as_kind(scope, value, wanted)
        value = materialised(scope, value)
        if scope.learnt.takes:  # what is returned may call what takes the room that is given back
            value = scope.keep(value)
        code = " " + value.code
    wider = common(scope.learnt.result, kind)
    if wider is None:
        raise scope.refuse(node, "it returns different kinds of things; return the same number of numbers everywhere")
    scope.learnt.result = wider
    if scope.learnt.takes:
        scope.write(GIVE_BACK)
    scope.write(f"return{code};")


def _numbers_within(scope: Scope, node: ast.expr) -> ast.expr:
    """The list within np.array([...]) that a user's kernel returns: its numbers are a tuple to C."""
    if scope.program.checked and isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        is_list = isinstance(node.args[0], ast.List | ast.Tuple | ast.ListComp)
        if is_list and ast.unparse(node.func) in ("np.array", "numpy.array", "np.asarray"):
            return node.args[0]
    return node


def _if(scope: Scope, node: ast.If) -> None:
    test = condition(scope, node.test)
    if test.known is True or test.known is False:  # decided when the program is written
        block(scope, node.body if test.known else node.orelse)
        return
    scope.write(f"if ({test.code}) {{")
    with scope.inner():
        block(scope, node.body)
    rest = node.orelse
    while len(rest) == 1 and isinstance(rest[0], ast.If):
        with scope.aside() as lines:
            test = condition(scope, rest[0].test)
        if lines or test.known is True or test.known is False:
            break
        scope.write(f"}} else if ({test.code}) {{")
        with scope.inner():
            block(scope, rest[0].body)
        rest = rest[0].orelse
    if rest:
        scope.write("} else {")
        with scope.inner():
            block(scope, rest)
    scope.write("}")


def _while(scope: Scope, node: ast.While) -> None:
    if node.orelse:
        raise scope.refuse(node, "a loop with else; use a flag")
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
        block(scope, node.body)
    scope.write("}")


def _for(scope: Scope, node: ast.For) -> None:
    if node.orelse:
        raise scope.refuse(node, "a loop with else; use a flag")
    if not isinstance(node.target, ast.Name):
        raise scope.refuse(node, "a loop counts one name; take the others from arrays inside it")
    if isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) and node.iter.func.id == "range":
        _count(scope, node, node.target.id, [expression(scope, each) for each in node.iter.args])
    else:
        _through(scope, node, node.target.id)


def _count(scope: Scope, node: ast.For, name: str, bounds: list[Value]) -> None:
    """for name in range(...)."""
    if any(each.kind != INTEGER for each in bounds):
        raise scope.refuse(node, "range takes integers; use int(...)")
    first, last = (scope.program.number(0), bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
    step = bounds[2].known if len(bounds) == 3 else 1
    if not isinstance(step, int) or step == 0:
        raise scope.refuse(node, "the step of a range is a number written out")
    last = scope.steady(last)
    counter = _counter(scope, name)
    moves = {1: "++", -1: "--"}.get(step, f" += {step}")
    sign = "<" if step > 0 else ">"
    scope.write(f"for (integer {counter} = {first.code}; {counter} {sign} {last.code}; {counter}{moves}) {{")
    _body(scope, node, name, Value(INTEGER, counter))


def _through(scope: Scope, node: ast.For, name: str) -> None:
    """for name in (a, b, c), of known numbers."""
    found = expression(scope, node.iter)
    values: list[Any] = [] if found.parts is None else [part.known for part in found.parts]
    if not values or any(number_of(each) != INTEGER for each in values):
        raise scope.refuse(node, "a loop goes through range(...) or a tuple of known integers")
    held = scope.program.constants(list(values), f"{scope.kernel.__name__}_{name}")
    counter = scope.temporary("at")
    scope.write(f"for (integer {counter} = 0; {counter} < {len(values)}; {counter}++) {{")
    _body(scope, node, name, Value(INTEGER, f"{held}[{counter}]"), own=False)


def _counter(scope: Scope, name: str) -> str:
    """What a loop counts in: the name itself where nobody else minds."""
    seen = scope.occurrences.get(name)
    return scope.c_name(name) if seen is not None and seen.counts_only else scope.temporary("n")


def _body(scope: Scope, node: ast.For, name: str, counter: Value, *, own: bool = True) -> None:
    seen = scope.occurrences.get(name)
    with scope.inner():
        scope.local(name, node, INTEGER)
        alone = seen is not None and seen.counts_only
        if alone and not own:
            scope.write(f"const integer {scope.c_name(name)} = {counter.code};", sets=scope.c_name(name))
        elif not alone:
            assign_name(scope, name, counter, node)
        block(scope, node.body)
    scope.write("}")


def _plain(text: str) -> Callable[[Scope, Any], None]:
    def write(scope: Scope, node: Any) -> None:
        scope.write(text)

    return write


def _pass(scope: Scope, node: Any) -> None:
    pass


_STATEMENTS: dict[type[ast.stmt], Callable[[Scope, Any], None]] = {
    ast.Expr: _expression,
    ast.Raise: raise_,
    ast.Assert: assert_,
    ast.Assign: _assign,
    ast.AugAssign: _augment,
    ast.Return: _return,
    ast.If: _if,
    ast.While: _while,
    ast.For: _for,
    ast.Continue: _plain("continue;"),
    ast.Break: _plain("break;"),
    ast.Pass: _pass,
}
