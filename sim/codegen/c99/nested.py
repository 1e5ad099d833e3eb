"""Functions defined within a kernel, as C functions that take the kernel's variables as arguments.

A Python closure uses the value that a name has at the time of the call, which the arguments reproduce.
"""

import ast
from typing import TYPE_CHECKING, Any

from .values import Value

if TYPE_CHECKING:
    from .scope import Scope


class Nested:
    """A function defined within a kernel, by def or as a lambda with a name.

    tree: the definition, with free names after the function's own arguments. free: the free names that are local
    variables of the surrounding kernel.
    """

    def __init__(self, outer: Any, node: ast.FunctionDef, free: tuple[str, ...], defaults: tuple[Any, ...]) -> None:
        self.outer, self.free, self.__defaults__ = outer, free, defaults
        self.__name__, self.__module__ = node.name, str(getattr(outer, "__module__", ""))
        self.__code__ = outer.__code__
        self.own = tuple(each.arg for each in node.args.args)
        names = [*node.args.args, *(ast.arg(name) for name in free)]
        arguments = ast.arguments(posonlyargs=[], args=names, kwonlyargs=[], kw_defaults=[], defaults=[])
        self.tree = ast.FunctionDef(name=node.name, args=arguments, body=node.body, decorator_list=[], returns=None)
        ast.copy_location(self.tree, node)

    def __call__(self, *arguments: Any) -> Any:
        """Raise an error, since the function exists only in C."""
        raise TypeError(f"{self.__name__!r} exists in C only and cannot be called in Python")


def define(scope: "Scope", node: ast.FunctionDef, source: ast.AST | None = None) -> None:
    """Record a function defined within a kernel, which is translated at its first call.

    source: the lambda from which the definition was derived, if any.
    """
    given = node.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs or node.decorator_list:
        raise scope.refuse(node, "a nested function must have plain positional arguments")
    times = len(scope.definitions.get(node.name, ()))
    times += scope.occurrences[node.name].stores if node.name in scope.assigned else 0
    if node.name in scope.arguments or times > 1:
        raise scope.refuse(
            node, f"{node.name!r} names a function and is also defined elsewhere; use a different name for each"
        )
    if scope.indent > 1:
        raise scope.refuse(node, "a function is defined within a loop or a branch; define it before")
    values = [_constant(scope, each) for each in given.defaults]
    key = scope.kernel, id(source or node)
    if key not in scope.program.nested:
        own = {each.arg for each in given.args} | _stored(node)
        there = [*scope.arguments, *sorted(scope.assigned), *scope.definitions]
        free = tuple(dict.fromkeys(name for name in there if name in _loaded(node) - own and name != node.name))
        scope.program.nested[key] = Nested(scope.kernel, node, free, tuple(values))
    scope.bound[node.name] = _value(scope.program.nested[key])


def named_lambda(name: str, node: ast.Lambda) -> ast.FunctionDef:
    """Return `name = lambda ...` as a definition."""
    body = ast.copy_location(ast.Return(node.body), node.body)
    made = ast.FunctionDef(name=name, args=node.args, body=[body], decorator_list=[], returns=None)
    return ast.copy_location(made, node)


def captured(scope: "Scope", nested: Nested) -> list[Value]:
    """Return the kernel variables that a nested function uses, with their values at the call."""
    from .expressions import expression

    if scope.kernel is not nested.outer:
        raise scope.refuse(None, f"{nested.__name__!r} is called outside the function that defines it")
    return [expression(scope, ast.Name(name, ast.Load())) for name in nested.free]


def _value(nested: Nested) -> Value:
    from .kinds import Bound

    return Value(Bound(nested), known=nested)


def _constant(scope: "Scope", node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError as error:
        raise scope.refuse(node, "a default value of a nested function must be a literal number") from error


def _stored(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def _loaded(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
