"""The packages refer to one another in one direction, in strings too: plant <- controllers <- sim <- scenarios."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import polhode

ORDER = ("plant", "controllers", "sim", "scenarios")
ROOT = Path(__file__).parents[2]
TEXTS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def strings_outside_docstrings(tree: ast.AST) -> Iterator[str]:
    docs: set[int] = set()
    for node in ast.walk(tree):  # a node before its parts
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and id(node) not in docs:
                yield node.value
        elif isinstance(node, TEXTS) and node.body and isinstance(node.body[0], ast.Expr):
            docs.add(id(node.body[0].value))


def upward_strings(text: str, package: str) -> list[str]:
    """Return the strings that name a module of a higher package, as `import_module` would take them."""
    above = ORDER[ORDER.index(package) + 1 :]
    module = re.compile(rf"(polhode|\.\.+)?\.?({'|'.join(above)})(\.[a-z_0-9]+)+(:\w+)?") if above else None
    if module is None:
        return []
    return [text for text in strings_outside_docstrings(ast.parse(text)) if module.fullmatch(text)]


@pytest.mark.parametrize("package", ORDER)
def test_package_names_no_module_of_a_higher_one(package):
    named = {
        str(path.relative_to(ROOT)): strings
        for path in sorted((ROOT / package).rglob("*.py"))
        if (strings := upward_strings(path.read_text(encoding="utf-8"), package))
    }
    assert not named, "let polhode.provided name it"


@pytest.mark.parametrize(
    "text",
    ['import_module("polhode.sim.engine.replay").replayed', 'named("sim.results.page")', 'load("polhode.sim.x:y")'],
)
def test_upward_string_is_found(text):
    assert upward_strings(text, "controllers")
    assert not upward_strings(text, "sim")


def test_docstring_may_name_a_higher_package():
    assert not upward_strings('"""See `polhode.sim.runs.simulate`."""', "controllers")
    assert not upward_strings("message = 'simulate it with polhode.sim, which has no such limit'", "controllers")


@pytest.mark.parametrize("service", polhode._PROVIDED)
def test_provided_function_exists(service):
    assert callable(polhode.provided(service))
    module, _ = polhode._PROVIDED[service]
    assert import_module(module).__name__.split(".")[1] in ORDER[1:]
