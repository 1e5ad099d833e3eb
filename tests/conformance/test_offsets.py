"""Parameters are read by name: no kernel uses literal offsets into p or q.

Allowed are 0 to 3, the components of a vector behind a name (`q[AT.lead + 2]`) and of Euler parameters; and sums of
dimensions that a kernel has read. The state x and the inputs of laws, y and r, have one order everywhere (`SEEN`,
`REFERENCE`) and are not checked here.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("plant", "controllers", "sim")
LARGEST = 3


def bare_offsets(source: str) -> list[str]:
    """Subscripts of p and q in kernels with a literal offset above three."""
    found: list[str] = []
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef) or "kernel" not in map(_name, function.decorator_list):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in {"p", "q"}:
                numbers = [part.value for part in _terms(node.slice) if isinstance(part, ast.Constant)]
                if any(isinstance(number, int) and number > LARGEST for number in numbers):
                    found.append(f"{function.name}: {ast.unparse(node)}")
    return found


def _name(decorator: ast.expr) -> str:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return called.id if isinstance(called, ast.Name) else ""


def _terms(place: ast.expr) -> list[ast.expr]:
    """The terms of a sum."""
    if isinstance(place, ast.BinOp) and isinstance(place.op, ast.Add):
        return [*_terms(place.left), *_terms(place.right)]
    return [place]


@pytest.mark.parametrize("room", ROOMS)
def test_no_kernel_counts(room):
    files = [file for file in sorted((ROOT / room).rglob("*.py")) if "@kernel" in file.read_text(encoding="utf-8")]
    assert len(files) > 5
    found = {str(file): bare_offsets(file.read_text(encoding="utf-8")) for file in files}
    assert not {name: offsets for name, offsets in found.items() if offsets}


def test_bare_offsets_in_kernel_are_reported():
    source = "@kernel(inline=True)\ndef f(p, q, n, x):\n    return q[13] + p[n + 4] + p[AT.axis + 2] + x[6] + q[3]\n"
    assert bare_offsets(source) == ["f: q[13]", "f: p[n + 4]"]
