"""The syntax tree of a kernel, and the objects to which its names refer."""

import ast
import builtins
import linecache
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

from .nested import Nested
from .refusal import refuse

MISSING = object()


def source_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the plain Python function (`py_func`) behind the wrapper of a just-in-time compiler."""
    return getattr(function, "py_func", function)


def tree_of(kernel: Callable[..., Any]) -> ast.FunctionDef:
    """Return a kernel's definition; a lambda is returned as a function definition with a return statement.

    Raises NotTranslatedError when the kernel is not a plain function with a source, or its file has changed since the
    kernel was loaded.
    """
    if isinstance(kernel, Nested):
        return kernel.tree
    return _tree_of(kernel, getattr(kernel, "__code__", None))


@cache
def _tree_of(kernel: Callable[..., Any], code: CodeType | None) -> ast.FunctionDef:
    """Return the definition of a kernel for given code, since autoreload may replace a function's code."""
    tree = _definition(kernel)
    if tree is None:
        if code is None or not _text_of(code.co_filename):
            why = "its source cannot be read (it was defined at a prompt or by exec); define it in a file or notebook"
        else:
            why = "its file was changed after its import, so that source and function differ; import it again"
        raise refuse(kernel, None, why)
    given = tree.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs:
        raise refuse(kernel, tree, "a kernel must have plain positional arguments, not *, ** or /; name them")
    return tree


def _text_of(file: str) -> str:
    """Return the current text of a file; for a file of polhode, the text as first read."""
    if not file.startswith(_ROOMS):
        linecache.checkcache(file)
    return "".join(linecache.getlines(file))


_ROOMS = str(Path(__file__).resolve().parents[3])


@lru_cache(maxsize=1024)
def _definitions(text: str) -> dict[tuple[str, int], list[ast.FunctionDef | ast.Lambda]]:
    """Return every function defined in a text, by name and first line (that of its first decorator)."""
    found: dict[tuple[str, int], list[ast.FunctionDef | ast.Lambda]] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            line = min(each.lineno for each in (node, *node.decorator_list))
            found.setdefault((node.name, line), []).append(node)
        elif isinstance(node, ast.Lambda):
            found.setdefault(("<lambda>", node.lineno), []).append(node)
    return found


@lru_cache(maxsize=1024)
def _codes(text: str, file: str) -> dict[tuple[str, int], list[CodeType]]:
    """Return the code of every function in a text, breadth first as in `_definitions`."""
    found: dict[tuple[str, int], list[CodeType]] = {}

    def walk(code: CodeType) -> Iterator[CodeType]:
        for each in code.co_consts:
            if isinstance(each, CodeType):
                yield each
                yield from walk(each)

    for each in walk(compile(text, file, "exec", dont_inherit=True)):
        found.setdefault((each.co_name, each.co_firstlineno), []).append(each)
    return found


def _definition(kernel: Callable[..., Any]) -> ast.FunctionDef | None:
    code = getattr(kernel, "__code__", None)
    if code is None:
        return None
    file, key = code.co_filename, (code.co_name, code.co_firstlineno)
    try:
        text = _text_of(file)
        nodes = _definitions(text).get(key, [])
        ours = str(kernel.__module__).startswith("polhode.") and len(nodes) == 1
        if nodes and not ours:
            rewritten = type(kernel.__globals__.get("__loader__")).__module__.startswith("_pytest")
            codes = _codes(text, file).get(key, [])
            nodes = [node for node in nodes if _is_of(node, code, codes, rewritten=rewritten)]
    except (SyntaxError, ValueError):
        return None
    if nodes and isinstance(nodes[0], ast.Lambda):
        nodes = _narrowest([node for node in nodes if isinstance(node, ast.Lambda)], code)
    if not nodes:
        return None
    node = nodes[0]
    return node if isinstance(node, ast.FunctionDef) else _named(node)


def _is_of(node: ast.FunctionDef | ast.Lambda, code: CodeType, codes: list[CodeType], *, rewritten: bool) -> bool:
    """Return whether a definition matches given code, since the file may have changed after the code was loaded.

    rewritten: whether pytest has rewritten the assert statements of the module.
    """
    if rewritten and any(isinstance(each, ast.Assert) for each in ast.walk(node)):
        return True
    return any(_same(each, code) for each in codes)


def _narrowest(nodes: list[ast.Lambda], code: CodeType) -> list[ast.FunctionDef | ast.Lambda]:
    """Return the lambda that contains the columns of given code, out of several that start on one line."""
    places = [(line, column) for line, _, column, end in code.co_positions() if line and column is not None and end]
    if not places:  # Python was started without column information
        return [nodes[0]] if len({ast.dump(each) for each in nodes}) == 1 else []

    def size(node: ast.Lambda) -> tuple[int, int]:
        return (node.body.end_lineno or 0) - node.body.lineno, (node.body.end_col_offset or 0) - node.body.col_offset

    within: list[ast.FunctionDef | ast.Lambda] = []
    for node in sorted(nodes, key=size):
        first = (node.body.lineno, node.body.col_offset)
        last = (node.body.end_lineno or 0, node.body.end_col_offset or 0)
        if all(first <= place <= last for place in places):
            within.append(node)
    return within[:1]


def _same(first: CodeType, second: CodeType) -> bool:
    inner = [[each for each in code.co_consts if isinstance(each, CodeType)] for code in (first, second)]
    return (
        first.co_code == second.co_code
        and first.co_names == second.co_names
        and first.co_varnames == second.co_varnames
        and first.co_freevars == second.co_freevars
        and repr([each for each in first.co_consts if not isinstance(each, CodeType)])
        == repr([each for each in second.co_consts if not isinstance(each, CodeType)])
        and len(inner[0]) == len(inner[1])
        and all(_same(mine, theirs) for mine, theirs in zip(*inner, strict=True))
    )


def _named(node: ast.Lambda) -> ast.FunctionDef:
    """Return a lambda as a function definition."""
    body = ast.copy_location(ast.Return(node.body), node.body)
    made = ast.FunctionDef(name="<lambda>", args=node.args, body=[body], decorator_list=[], returns=None)
    return ast.copy_location(made, node)


def parameters_of(kernel: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of a kernel's arguments."""
    if isinstance(kernel, Nested):
        return kernel.own
    return tuple(each.arg for each in tree_of(kernel).args.args)


def value_of(kernel: Callable[..., Any], name: str) -> Any:
    """Return the object behind a non-local name; MISSING if the name is unknown."""
    if isinstance(kernel, Nested):
        return value_of(kernel.outer, name)
    code = kernel.__code__
    if name in code.co_freevars and kernel.__closure__ is not None:
        return kernel.__closure__[code.co_freevars.index(name)].cell_contents
    found = kernel.__globals__.get(name, MISSING)
    return getattr(builtins, name, MISSING) if found is MISSING else found
