"""The syntax tree of a kernel, and what the names in it stand for."""

import ast
import builtins
import linecache
from collections.abc import Callable
from functools import cache
from typing import Any

from .refusal import refuse

__all__ = ["parameters_of", "source_of", "tree_of", "value_of"]

MISSING = object()


def source_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the plain Python function behind one that numba has compiled."""
    return getattr(function, "py_func", function)


@cache
def tree_of(kernel: Callable[..., Any]) -> ast.FunctionDef:
    """Return the definition of a kernel. Raises NotTranslatedError when it is no plain function with a source."""
    tree = _definition(kernel)
    if tree is None:
        raise refuse(kernel, None, "its source cannot be read; define it with def, in a file")
    given = tree.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.defaults or given.posonlyargs:
        raise refuse(kernel, tree, "kernels take plain positional arguments, without defaults")
    return tree


@cache
def _definitions(file: str) -> dict[tuple[str, int], ast.FunctionDef]:
    """Every function defined in a file, by its name and the line it begins in, decorators included."""
    nodes = ast.walk(ast.parse("".join(linecache.getlines(file))))
    found = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    return {(node.name, min(each.lineno for each in (node, *node.decorator_list))): node for node in found}


def _definition(kernel: Callable[..., Any]) -> ast.FunctionDef | None:
    code = getattr(kernel, "__code__", None)
    if code is None:
        return None
    try:
        return _definitions(code.co_filename).get((code.co_name, code.co_firstlineno))
    except SyntaxError:
        return None


def parameters_of(kernel: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of its arguments."""
    return tuple(each.arg for each in tree_of(kernel).args.args)


def value_of(kernel: Callable[..., Any], name: str) -> Any:
    """Return what a name that is no local one stands for; MISSING where it is not known."""
    code = kernel.__code__
    if name in code.co_freevars and kernel.__closure__ is not None:
        return kernel.__closure__[code.co_freevars.index(name)].cell_contents
    found = kernel.__globals__.get(name, MISSING)
    return getattr(builtins, name, MISSING) if found is MISSING else found
