"""Calls of other kernels, and of functions that compiled code replaces."""

import ast
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from ....plant.kernels.kernel import KERNELS
from .built_in import BUILT_IN, MATHEMATICS, OF_ARRAYS, built_in, mathematics, method_call, of_numbers
from .elementwise import element_by_element
from .expressions import expression, in_order, known_value
from .kinds import (
    NOTHING,
    Array,
    Bound,
    Nothing,
    Pointer,
)
from .local_arrays import local_array
from .nested import Nested, captured
from .pointer_calls import call_pointer
from .program import Function
from .scope import Scope
from .sources import parameters_of, source_of
from .stepped import Stepped
from .stops import STOP
from .tuples import materialised
from .values import UNKNOWN, Value


def call(scope: Scope, node: ast.Call, *, unused: bool = False) -> Value:
    """Return the value of a call. unused: whether the call is a statement whose value is discarded."""
    starred = any(isinstance(each, ast.Starred) for each in node.args)
    if (starred and node.keywords) or any(each.arg is None for each in node.keywords):
        raise scope.refuse(node, "a kernel must be called with plain positional arguments")
    made = local_array(scope, node)
    if made is not None:
        return made
    if scope.program.checked and _is_not_finite(scope, node):
        return scope.program.number(float(ast.literal_eval(node.args[0])))
    made = method_call(scope, node)
    if made is not None:
        return made
    callee = expression(scope, node.func)
    if isinstance(callee.kind, Pointer):
        call_pointer(scope, callee.kind, callee.code, in_order(scope, node.args))
        return Value(NOTHING, "")
    function = callee.known
    if isinstance(function, Nested):
        return _of_nested(scope, node, function, unused=unused)
    return _of_function(scope, node, function, unused=unused)


def _of_function(scope: Scope, node: ast.Call, function: Any, *, unused: bool) -> Value:
    """Return the value of a call of a Python function that is known by name: built in, mathematical or a kernel."""
    if function is UNKNOWN or not callable(function) or getattr(function, "__hash__", None) is None:
        raise scope.refuse(node, "a kernel can call only functions that are known at translation time")
    plain = source_of(function)
    arguments = in_order(scope, [*node.args, *(each.value for each in node.keywords)])
    if node.keywords:
        arguments = _by_name(scope, node, plain, arguments)
    if scope.program.checked and function in OF_ARRAYS and any(each.is_array for each in arguments):
        return element_by_element(scope, node, arguments, lambda numbers: of_numbers(scope, node, function, numbers))
    if function in BUILT_IN:
        return built_in(scope, node, function, arguments)
    if function in MATHEMATICS:
        return mathematics(scope, node, MATHEMATICS[function], arguments)
    if function in scope.program.replaced:
        return scope.program.replaced[function](scope, arguments)
    kernel = _callable_kernel(scope, node, plain)
    arguments += _defaults(scope, node, kernel, len(arguments))
    return call_of(scope, node, kernel, arguments, unused=unused)


def _callable_kernel(scope: Scope, node: ast.Call, plain: Any) -> FunctionType:
    """Return a function that can be translated; refuse library functions and polhode ones without @kernel."""
    module = str(getattr(plain, "__module__", ""))
    if module.startswith("polhode.") and plain not in KERNELS:
        name = getattr(plain, "__name__", repr(plain))
        raise scope.refuse(node, f"it calls {name!r}, which is not a kernel; decorate that function with @kernel")
    if not isinstance(plain, FunctionType) or module.split(".", maxsplit=1)[0] in ("numpy", "scipy"):
        raise scope.refuse(node, f"{ast.unparse(node.func)} does not exist in C; write it out, or use math")
    return plain


def _of_nested(scope: Scope, node: ast.Call, nested: Nested, *, unused: bool) -> Value:
    """Return the value of a call of a function that is defined within a kernel."""
    arguments = in_order(scope, [*node.args, *(each.value for each in node.keywords)])
    if node.keywords:
        arguments = _by_name(scope, node, nested, arguments)
    arguments += _defaults(scope, node, nested, len(arguments))
    if len(arguments) != len(nested.own):
        raise scope.refuse(
            node, f"{nested.__name__!r} takes {len(nested.own)} arguments, but {len(arguments)} were passed"
        )
    return call_of(scope, node, nested, [*arguments, *captured(scope, nested)], unused=unused)


def _is_not_finite(scope: Scope, node: ast.Call) -> bool:
    """Return whether a call is the literal float("nan") or float("inf")."""
    if not isinstance(node.func, ast.Name) or node.func.id != "float" or len(node.args) != 1:
        return False
    given = node.args[0]
    if not isinstance(given, ast.Constant) or not isinstance(given.value, str):
        return False
    return scope.outside("float") is float and given.value.strip().lower().lstrip("+-") in ("nan", "inf", "infinity")


def _by_name(scope: Scope, node: ast.Call, plain: Any, values: list[Value]) -> list[Value]:
    """Return the arguments of a call in positional order, including keyword arguments and defaults."""
    if not isinstance(plain, FunctionType | Nested):
        raise scope.refuse(node, f"{ast.unparse(node.func)} takes plain positional arguments here; write it out")
    names, count = parameters_of(plain), len(node.args)
    given = dict(zip([each.arg for each in node.keywords], values[count:], strict=True))
    missing = [name for name in given if name not in names[count:]]
    if missing:
        raise scope.refuse(node, f"{ast.unparse(node.func)} has no argument {missing[0]!r}")
    held = plain.__defaults__ or ()
    own = dict(zip(names[len(names) - len(held) :], held, strict=True))
    found = list(values[:count])
    for name in names[count:]:
        if name in given:
            found.append(given[name])
        elif name in own:
            found.append(known_value(scope, node, own[name], ""))
        else:
            raise scope.refuse(node, f"{ast.unparse(node.func)} needs the argument {name!r}")
    scope.program.known_names.note(lambda: plain.__defaults__ or (), held)
    return found


def _defaults(scope: Scope, node: ast.Call, plain: "FunctionType | Nested", count: int) -> list[Value]:
    """Return the default values of omitted arguments."""
    held, names = plain.__defaults__ or (), parameters_of(plain)
    scope.program.known_names.note(lambda: plain.__defaults__ or (), held)
    missing = len(names) - count
    if missing <= 0 or missing > len(held):
        return []
    return [known_value(scope, node, value, "") for value in held[-missing:]]


def call_of(
    scope: Scope, node: ast.AST | None, kernel: Callable[..., Any], arguments: Sequence[Value], *, unused: bool = False
) -> Value:
    """Return the value of a kernel call; a kernel that writes to arguments is called on a separate line."""
    kinds = [Bound(each.known) if isinstance(each.kind, Bound) else each.kind for each in arguments]
    return called(scope, node, scope.program.function(kernel, kinds), arguments, unused=unused)


def called(
    scope: Scope, node: ast.AST | None, function: Function, arguments: Sequence[Value], *, unused: bool = False
) -> Value:
    """Return the value of a call of a translated function."""
    for name, value in zip(function.parameters, arguments, strict=True):
        if name not in function.writes:
            continue
        if isinstance(value.known, Stepped):
            raise scope.refuse(node, "it writes to a slice with a step; pass a copy: .copy()")
        scope.wrote(value.roots)
    text = function.call([materialised(scope, each) for each in arguments])
    if isinstance(function.result, Array):
        return _returned_array(scope, function.result, text)
    if not function.changes:
        if isinstance(function.result, Nothing):
            return Value(function.result, "")
        return Value(function.result, text, reads=True)
    if unused or isinstance(function.result, Nothing):
        scope.write(f"{text};" if isinstance(function.result, Nothing) else f"(void){text};")
        return Value(function.result, "")
    return scope.keep(Value(function.result, text), acts=True)


def _returned_array(scope: Scope, kind: Array, text: str) -> Value:
    """Return the array that a call left at the end of the workspace; the stop argument holds its sizes."""
    name = scope.temporary("returned")
    scope.learnt.takes = True
    scope.write(f"{scope.program.type_name(kind.item)} *const {name} = {text};")
    for n in range(kind.dimensions):
        scope.write(f"const integer {name}_{n} = {STOP}->sizes[{n}];")
    return Value(kind, name, extents=tuple((lambda n=n: f"{name}_{n}") for n in range(kind.dimensions)))
