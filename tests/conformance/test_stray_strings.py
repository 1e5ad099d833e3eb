"""No string is a statement in a function: it would be the rest of a message with missing parentheses."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def stray(text: str) -> list[int]:
    """Lines of strings that are statements of a function but not its docstring."""
    found: set[int] = set()
    for function in (each for each in ast.walk(ast.parse(text)) if isinstance(each, FUNCTIONS)):
        docstrings = {
            id(node.body[0])
            for node in ast.walk(function)
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and isinstance(node.body[0], ast.Expr)
        }
        found |= {
            node.lineno
            for node in ast.walk(function)
            if isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant | ast.JoinedStr)
            and isinstance(getattr(node.value, "value", ""), str)
            and id(node) not in docstrings
        }
    return sorted(found)


@pytest.mark.parametrize("room", ["plant", "controllers", "sim", "scenarios", "package", "tests"])
def test_no_string_stands_alone_in_a_function(room):
    found = {
        f"{path.relative_to(ROOT)}:{line}"
        for path in (ROOT / room).rglob("*.py")
        if "node_modules" not in path.parts and not path.is_symlink()
        for line in stray(path.read_text(encoding="utf-8"))
    }
    assert not found


def test_rest_of_a_message_is_found():
    assert stray('def f():\n    """Doc."""\n    words = "one "\n    "two"\n    return words\n') == [4]
    assert stray('def f(x):\n    words = "one "\n    f"{x}"\n    return words\n') == [3]
