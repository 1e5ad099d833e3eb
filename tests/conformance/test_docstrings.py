"""Docstrings of public names describe arguments, results and errors.

Public are the names in the `__all__` of a package, and the methods of such a class without a leading underscore. A
name that only other modules use needs a docstring; if the docstring describes arguments, they must be the right ones.
"""

from __future__ import annotations

import ast
import builtins
import enum
import inspect
import re
import textwrap
import typing
from collections.abc import Callable, Iterator
from typing import Any

SECTIONS = (
    "Parameters",
    "Attributes",
    "Returns",
    "Yields",
    "Raises",
    "Warns",
    "Notes",
    "References",
    "Examples",
    "See Also",
)
NOT_ERRORS = {"Exit", "SystemExit", "StopIteration"}  # ways to leave, not failures
CALLED_METHODS = ("__call__", "__getitem__")  # the special methods that a user meets as syntax


def sections(doc: str) -> dict[str, list[str]]:
    """The numpydoc sections of a docstring, each as its lines; the text before the first one under ''."""
    found: dict[str, list[str]] = {"": []}
    lines = inspect.cleandoc(doc).splitlines()
    current = ""
    for index, line in enumerate(lines):
        below = lines[index + 1] if index + 1 < len(lines) else ""
        if line in SECTIONS and re.fullmatch(r"-{3,}", below):
            current = line
            found[current] = []
        elif not (current and not found[current] and re.fullmatch(r"-{3,}", line)):
            found[current].append(line)
    return found


def named_in(lines: list[str]) -> set[str]:
    """The names that a Parameters, Attributes or Raises section explains ("x, y : float" explains two)."""
    names: set[str] = set()
    for line in lines:
        if line and not line[0].isspace():
            names |= {name.strip().lstrip("*") for name in line.split(" :")[0].split(",")}
    return names


def arguments(function: Any) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name not in {"self", "cls"}]


def raised_by(function: Any) -> Iterator[str]:
    """Names of the exceptions in the raise statements of the function itself."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return  # generated code
    body = tree.body[0]
    if not isinstance(body, ast.FunctionDef):
        return
    todo: list[ast.AST] = list(body.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            continue
        if isinstance(node, ast.Raise) and node.exc is not None:
            raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            name = raised.attr if isinstance(raised, ast.Attribute) else getattr(raised, "id", "")
            if name and name[0].isupper() and name not in NOT_ERRORS:
                yield name
        todo.extend(ast.iter_child_nodes(node))


def is_explained(raised: str, explained: set[str], function: Any) -> bool:
    """Whether the Raises section names the exception or one of its base classes."""
    known = {**vars(builtins), **getattr(inspect.unwrap(function), "__globals__", {})}
    error = known.get(raised)
    names = {base.__name__ for base in error.__mro__} if inspect.isclass(error) else {raised}
    return bool((names - {"Exception", "BaseException", "object"}) & explained)


def complaints_about_errors(function: Any, parts: dict[str, list[str]]) -> list[str]:
    explained = named_in(parts.get("Raises", []))
    raised = sorted(set(raised_by(function)))
    return [f"raises {name}: not in Raises" for name in raised if not is_explained(name, explained, function)]


def complaints_about_function(function: Any, *, doc: str, method: bool) -> list[str]:
    found: list[str] = []
    parts = sections(doc)
    explained = named_in(parts.get("Parameters", []))
    names = arguments(function)
    found += [f"argument {name!r} is not in Parameters" for name in names if name not in explained]
    found += [f"Parameters explains {name!r}, which is no argument" for name in sorted(explained - set(names))]
    returned = inspect.signature(function).return_annotation
    returns_nothing = returned in {None, "None", "NoReturn", typing.NoReturn, "Never"}
    says_so_in_one_line = method and not names  # "The eigenvalues, rad/s." is enough for x.eigenvalues()
    if not (returns_nothing or says_so_in_one_line or "Returns" in parts or "Yields" in parts):
        found.append("no Returns section")
    return found + complaints_about_errors(function, parts)


def own_methods(cls: type) -> Iterator[tuple[str, Any, bool]]:
    """(name, function, is a property) of each public attribute that the class itself defines."""
    for name, member in vars(cls).items():
        if name.startswith("_") and name not in CALLED_METHODS:
            continue
        if isinstance(member, property):
            yield name, member.fget, True
        elif isinstance(member, staticmethod | classmethod):
            yield name, member.__func__, False
        elif inspect.isfunction(member):
            yield name, member, False
        elif type(member).__name__ == "cached_property":
            yield name, member.func, True


def complaints_about_class(cls: type, *, doc: str) -> list[str]:
    found: list[str] = []
    parts = sections(doc)
    explained = named_in(parts.get("Parameters", []) + parts.get("Attributes", []))
    fields = getattr(cls, "model_fields", None)
    if fields is not None:  # pydantic: the description goes into the JSON Schema
        explained |= {"kind"}  # the word that selects the table
        bare = [name for name, field in fields.items() if not field.description and name not in explained]
        found += [f"field {name!r} has no description" for name in bare]
    elif not (issubclass(cls, BaseException | enum.Enum) or getattr(cls, "_is_protocol", False)):
        bare = [name for name in arguments(cls) if name not in explained]
        found += [f"argument {name!r} is in neither Parameters nor Attributes" for name in bare]
        for name in {"__init__", "__post_init__"} & set(vars(cls)):
            found += complaints_about_errors(vars(cls)[name], parts)
    for name, function, is_property in own_methods(cls):
        text = inspect.getdoc(getattr(cls, name, None)) or ""
        if not text.strip():
            found.append(f"{name} has no docstring")
        elif not is_property:
            found += [f"{name}: {what}" for what in complaints_about_function(function, doc=text, method=True)]
    return found


def complaints_about_module(module: Any) -> list[str]:
    found = [] if (module.__doc__ or "").strip() else ["no docstring"]
    names = list(getattr(module, "__all__", ()))  # ruff keeps it sorted
    found += ["a name stands twice in __all__"] if len(set(names)) < len(names) else []
    return found + [f"__all__ names {name!r}, which is not there" for name in names if not hasattr(module, name)]


def complaints_about_public(public: Any) -> list[str]:
    doc = public.__doc__ or ""
    if not doc.strip():
        return ["no docstring"]
    if doc.startswith(f"{public.__name__}("):
        return ["no docstring (dataclass made this one: the signature)"]
    parts = sections(doc)
    explained = named_in(parts["Parameters"]) if "Parameters" in parts else None
    if inspect.isfunction(public) and explained is not None and explained != set(arguments(public)):
        return [f"Parameters explains {sorted(explained)}, the arguments are {arguments(public)}"]
    return []


def complaints_about_offered(offered: Any) -> list[str]:
    doc = offered.__doc__ or ""
    if inspect.isclass(offered):
        return complaints_about_class(offered, doc=doc)
    return complaints_about_function(offered, doc=doc, method=False)


def of_all(things: dict[str, Any], complaints: Callable[[Any], list[str]]) -> str:
    return "\n".join(f"{name}: {what}" for name, thing in things.items() for what in complaints(thing))


def test_modules(modules: dict[str, Any]) -> None:
    assert not of_all(modules, complaints_about_module)


def test_publics(publics: dict[str, Any]) -> None:
    assert publics
    assert not of_all(publics, complaints_about_public)


def test_offereds(offereds: dict[str, Any]) -> None:
    assert offereds
    assert not of_all(offereds, complaints_about_offered)


# --- tests of the checks themselves


def _undocumented(x: float, *, y: float) -> float:
    """Something.

    Parameters
    ----------
    x, z : float
        Two.
    """
    if y < 0:
        raise ValueError("y")
    return x


def test_docstring_check_reports_bad_function() -> None:
    assert complaints_about_function(_undocumented, doc=str(_undocumented.__doc__), method=False) == [
        "argument 'y' is not in Parameters",
        "Parameters explains 'z', which is no argument",
        "no Returns section",
        "raises ValueError: not in Raises",
    ]


def test_docstring_sections_are_parsed() -> None:
    for name in SECTIONS:
        doc = f"Text.\n\n{name}\n{'-' * len(name)}\nx : float\n    A number.\n"
        assert sections(doc)[name][0] == "x : float"
