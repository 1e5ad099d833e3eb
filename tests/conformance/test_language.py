"""The files describe the project only, and are finished."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("plant", "controllers", "sim", "scenarios", "tests", ".ci")
SUFFIXES = {".py", ".pyi", ".toml", ".md", ".yaml", ".yml", ".c", ".h", ".json", ".txt", ".csv", ""}

# Written in pieces, so that this file does not accuse itself.
OUTSIDE = re.compile("|".join(("/" + "work/", r"\.\./" + "shared", "/" + "tmp/w", "/" + "root/", "/" + "home/")))
UNFINISHED = re.compile(
    r"\b(?:" + "|".join(("TO" + "DO", "FIX" + "ME", "X" + "XX", "Not" + "ImplementedError")) + r")\b"
)


def files() -> Iterator[Path]:
    yield from (path for path in ROOT.iterdir() if path.is_file() and path.name != ".git")
    for folder in FOLDERS:
        for where, below, names in os.walk(ROOT / folder):
            below[:] = [name for name in below if name != "__pycache__"]
            yield from (Path(where) / name for name in names)


def lines_matching(pattern: re.Pattern[str]) -> list[str]:
    found: list[str] = []
    for path in files():
        if path.suffix in SUFFIXES:
            text = path.read_text(encoding="utf-8")
            for number, line in enumerate(text.splitlines(), start=1):
                if pattern.search(line):
                    found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    return found


def test_no_path_outside_the_project() -> None:
    assert lines_matching(OUTSIDE) == []


def test_sources_leave_nothing_for_later() -> None:
    assert lines_matching(UNFINISHED) == []
