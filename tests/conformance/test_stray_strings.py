"""No string is a statement in a function: it would be the rest of a message with missing parentheses."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BLOCKS = ("body", "orelse", "finalbody")
CLAUSES = ("handlers", "cases")  # of try and match: they hold statements and are none


def stray(tree: ast.AST, *, inside: bool = False) -> Iterator[int]:
    """Yield the lines of strings that are statements of a function but not its docstring, below a statement."""
    inside = inside or isinstance(tree, FUNCTIONS)
    documented = isinstance(tree, (*FUNCTIONS, ast.ClassDef))
    for name in BLOCKS:
        block: Any = getattr(tree, name, ())
        for n, node in enumerate(block):
            if isinstance(node, ast.Expr):
                text = node.value.value if isinstance(node.value, ast.Constant) else node.value
                if inside and isinstance(text, str | ast.JoinedStr) and not (documented and n == 0):
                    yield node.lineno
            else:
                yield from stray(node, inside=inside)
    for name in CLAUSES:
        for node in getattr(tree, name, ()):
            yield from stray(node, inside=inside)


@pytest.mark.parametrize("room", ["package", "tests"])  # the others: test_words.py, which parses them too
def test_no_string_stands_alone_in_a_function(room):
    found = {
        f"{path.relative_to(ROOT)}:{line}"
        for path in (ROOT / room).rglob("*.py")
        if "node_modules" not in path.parts and not path.is_symlink()
        for line in stray(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert not found


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('def f():\n    """Doc."""\n    words = "one "\n    "two"\n    return words\n', [4]),
        ('def f(x):\n    words = "one "\n    f"{x}"\n    return words\n', [3]),
        ('def f():\n    try:\n        g()\n    except E:\n        x = "one "\n        "two"\n', [6]),
        ('def f(x):\n    for i in x:\n        if i:\n            y = "one "\n            "two"\n', [5]),
        ('def f(x):\n    match x:\n        case 1:\n            "two"\n', [4]),
        ('class C:\n    """Doc."""\n    async def f(x):\n        with x:\n            "one"\n', [5]),
        ('def f(x):\n    class C:\n        """Doc."""\n        "two"\n', [4]),
        ('def f():\n    try:\n        g()\n    finally:\n        x = "one "\n        "two"\n', [6]),
        ('def f():\n    return ("one "\n    "two")\n', []),
        ('x = 1\n"""Documentation of x."""\n', []),
    ],
)
def test_rest_of_a_message_is_found(text, lines):
    assert list(stray(ast.parse(text))) == lines
