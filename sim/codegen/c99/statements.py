"""Statements of a kernel as statements of C."""

import ast
from collections.abc import Callable, Sequence
from typing import Any

from .assignments import assign, augment
from .conditions import condition
from .expressions import as_kind, expression
from .kinds import COMPLEX, NOTHING, Array, Scalar, Several, common
from .local_arrays import count_of
from .loops import break_, for_, while_
from .nested import define, named_lambda
from .scope import CONSTANT, Scope
from .stopping import assert_, raise_
from .stops import STOP
from .tuples import materialised
from .values import Value

GIVE_BACK = f"{STOP}->used = polhode_used;"
"""C line that releases the workspace of arrays created by a function."""


def block(scope: Scope, statements: Sequence[ast.stmt]) -> None:
    """Write the C statements for a block of Python statements."""
    for statement in statements:
        write = _STATEMENTS.get(type(statement))
        if write is None:
            words = type(statement).__name__.lower()
            raise scope.refuse(statement, f"the statement {words!r} is not supported in kernels")
        write(scope, statement)


def _expression(scope: Scope, node: ast.Expr) -> None:
    if isinstance(node.value, ast.Constant):  # a docstring
        return
    found = expression(scope, node.value, unused=True)
    if found.code and found.reads:
        scope.write(f"(void)({found.code});")


def _assign(scope: Scope, node: ast.Assign) -> None:
    if scope.program.checked and isinstance(node.value, ast.Lambda) and len(node.targets) == 1:
        name = node.targets[0]
        if not isinstance(name, ast.Name):
            raise scope.refuse(node, "a lambda must be assigned to one name")
        define(scope, named_lambda(name.id, node.value), node.value)
        return
    value = expression(scope, node.value)
    if len(node.targets) > 1:
        value = scope.keep(value)
    for target in node.targets:
        assign(scope, target, value, node)


def _annotated(scope: Scope, node: ast.AnnAssign) -> None:
    if not scope.program.checked or not node.simple or node.value is None:
        raise scope.refuse(node, "a name is annotated without a value; remove the line")
    assign(scope, node.target, expression(scope, node.value), node)


def _augment(scope: Scope, node: ast.AugAssign) -> None:
    augment(scope, node)


def _return(scope: Scope, node: ast.Return) -> None:
    if node.value is None:
        kind, code = NOTHING, ""
    else:
        value = expression(scope, _numbers_within(scope, node.value))
        kind = value.kind
        if value.is_array and scope.program.checked:
            _return_array(scope, node, value)
            return
        if value.is_array:
            raise scope.refuse(node, "it returns an array; write the result to an array argument")
        wanted = common(scope.learnt.result, kind)
        if isinstance(kind, Several | Scalar) and wanted is not None:
            value = as_kind(scope, value, wanted)
        value = materialised(scope, value)
        if scope.learnt.takes:  # the returned expression may contain a call that takes the released workspace
            value = scope.keep(value)
        code = " " + value.code
    wider = common(scope.learnt.result, kind)
    if wider is None:
        raise scope.refuse(node, "its return statements have different types; return equally many numbers everywhere")
    scope.learnt.result = wider
    if scope.learnt.takes:
        scope.write(GIVE_BACK)
    scope.write(f"return{code};")


def _return_array(scope: Scope, node: ast.Return, value: Value) -> None:
    """Write the return of an array that the function created, which moves to the start of the workspace."""
    kind = value.kind
    assert isinstance(kind, Array)  # noqa: S101 # checked before
    if any(name in scope.arguments or name.startswith(CONSTANT) for name in _all_roots(scope, value.roots)):
        raise scope.refuse(node, "it returns a slice of an argument; return a copy: .copy()")
    if common(scope.learnt.result, kind) is None:
        raise scope.refuse(node, "its return statements have different types; return equally many numbers everywhere")
    scope.learnt.result, scope.learnt.takes = kind, True
    wide = "2 * " if kind.item == COMPLEX else ""
    for n, each in enumerate(value.extents):
        scope.write(f"{STOP}->sizes[{n}] = {each()};")
    type_name = scope.program.type_name(kind.item)
    count = f"{wide}{count_of(value)}"
    scope.write(f"return ({type_name} *)polhode_give({STOP}, polhode_used, (const real *)({value.code}), {count});")


def _all_roots(scope: Scope, roots: frozenset[str]) -> set[str]:
    """Return the arrays that contain an array, innermost first."""
    found, waiting = set[str](), list(roots)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            if name in scope.learnt.locals:
                waiting += scope.learnt.locals[name].roots
    return found


def _numbers_within(scope: Scope, node: ast.expr) -> ast.expr:
    """Return the list in a returned np.array([...]) of a user-defined kernel, which becomes a tuple in C."""
    if scope.program.is_root(scope.kernel) and isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        is_list = isinstance(node.args[0], ast.List | ast.Tuple | ast.ListComp)
        if is_list and ast.unparse(node.func) in ("np.array", "numpy.array", "np.asarray"):
            return node.args[0]
    return node


def _if(scope: Scope, node: ast.If) -> None:
    test = condition(scope, node.test)
    if test.known is True or test.known is False:  # decided at translation time
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


def _plain(text: str) -> Callable[[Scope, Any], None]:
    def write(scope: Scope, node: Any) -> None:
        scope.write(text)

    return write


def _define(scope: Scope, node: ast.FunctionDef) -> None:
    if not scope.program.checked:
        raise scope.refuse(node, "the statement 'functiondef' is not supported in kernels")
    define(scope, node)


def _pass(scope: Scope, node: Any) -> None:
    pass


_STATEMENTS: dict[type[ast.stmt], Callable[[Scope, Any], None]] = {
    ast.Expr: _expression,
    ast.FunctionDef: _define,
    ast.Raise: raise_,
    ast.Assert: assert_,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augment,
    ast.Return: _return,
    ast.If: _if,
    ast.While: while_,
    ast.For: for_,
    ast.Continue: _plain("continue;"),
    ast.Break: break_,
    ast.Pass: _pass,
}
