"""Docstrings, messages and test names keep to plain field English, as far as a machine can judge it.

A docstring begins with a noun or a verb, not with a headless clause. The banned words stand for plain ones that
the reader knows: returned or passed for "told", called or sampled for "asked", simulated for "flown", custom or
user-defined for "the user's own", deferred for "put off", restarted for "begun anew".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from .test_stray_strings import stray

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("plant", "controllers", "sim", "scenarios")  # packages whose docstrings and messages are checked
TEST_FOLDERS = ("plant", "controllers", "sim", "scenarios", "battery", "conformance", "package", "design")
LONGEST_NAME = 70

HEADLESS = re.compile(r"(What|How|Whether)\b")
BANNED = re.compile(r"\b(?:told|asked|flown|of one's own|the user's own|is to be|put off|begun anew)\b", re.IGNORECASE)
NAMES = re.compile(r"`[^`]*`|\b\w+ ?:|\w+\.\w+")  # code, and the entries of a list of fields
TEST = re.compile(r"^\s*(?:async )?def (test_\w+)", re.MULTILINE)
NO_SUBJECT = re.compile(r"test_(?:it|its|a|an|the|what|how|whether)_")

Node = ast.Module | ast.ClassDef | ast.FunctionDef


def docstring_complaints(node: Node) -> Iterator[str]:
    """Yield the faults of the docstring of a public module, class or function."""
    name = "module" if isinstance(node, ast.Module) else node.name
    text = ast.get_docstring(node) or ""
    if name.startswith("_"):
        return
    if HEADLESS.match(text):
        yield f"{name}: begins with {text.split()[0]!r}"
    yield from (f"{name}: says {word!r}" for word in BANNED.findall(NAMES.sub("", text)))


def message_complaints(node: ast.Raise | ast.Call) -> Iterator[str]:
    """Yield the banned words in the strings of a `raise` or a call of `warn`."""
    if isinstance(node, ast.Call):
        function = node.func
        if getattr(function, "attr", getattr(function, "id", "")) != "warn":
            return
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield from (f"line {part.lineno}: message says {word!r}" for word in BANNED.findall(part.value))


def complaints(source: str) -> list[str]:
    """Return the faults of the docstrings and messages of a module, also a message without its second half."""
    tree = ast.parse(source)
    result = [f"line {line}: a text is not part of the sentence above it" for line in stray(tree)]
    for node in ast.walk(tree):
        if isinstance(node, Node):
            result += docstring_complaints(node)
        elif isinstance(node, ast.Raise | ast.Call):
            result += message_complaints(node)
    return result


def name_complaints(source: str) -> list[str]:
    """Return the names of tests that are too long or begin without a subject."""
    names = TEST.findall(source)
    return [name for name in names if NO_SUBJECT.match(name) or len(name) > LONGEST_NAME]


@pytest.mark.parametrize("package", PACKAGES)
def test_docstrings_and_messages_use_plain_words(package: str) -> None:
    files = sorted((ROOT / package).rglob("*.py"))
    assert files
    bad = [f"{path.relative_to(ROOT)}: {line}" for path in files for line in complaints(path.read_text("utf-8"))]
    assert not bad, "\n".join(bad)


@pytest.mark.parametrize("folder", TEST_FOLDERS)
def test_names_of_tests_begin_with_subject(folder: str) -> None:
    files = sorted((ROOT / "tests" / folder).rglob("test_*.py"))
    assert files
    bad = [f"{path.relative_to(ROOT)}: {name}" for path in files for name in name_complaints(path.read_text("utf-8"))]
    assert not bad, "\n".join(bad)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ('"""What a run is."""', "module: begins with 'What'"),
        ('class Law:\n    """Whether it runs."""', "Law: begins with 'Whether'"),
        ('def f():\n    """Return a value that is told."""', "f: says 'told'"),
        ('raise ValueError(f"{x} is to be positive")', "line 1: message says 'is to be'"),
        ('warnings.warn("the law is asked twice")', "line 1: message says 'asked'"),
        ('def f():\n    x = "one "\n    "two"', "line 3: a text is not part of the sentence above it"),
    ],
)
def test_word_check_reports_bad_text(source: str, complaint: str) -> None:
    assert complaints(source) == [complaint]


def test_word_check_accepts_code_and_private_names() -> None:
    source = 'def f():\n    """Call `asked`. told: a count."""\ndef _g():\n    """What g is."""\nprint("asked")\n'
    assert complaints(source) == []


def test_name_check_reports_bad_names() -> None:
    long = "test_" + "x" * LONGEST_NAME
    assert name_complaints(f"def test_it_runs(): ...\ndef {long}(): ...\ndef test_law_runs(): ...\n") == [
        "test_it_runs",
        long,
    ]
