"""A copy of the packages with added files and lines, tested by a separate program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def copied(to: Path, files: Mapping[str, str], lines: Mapping[str, tuple[str, str]]) -> None:
    """Copy the rooms to a folder, add files, and insert lines in other files: (before, line)."""
    room = to / "polhode"
    room.mkdir()
    shutil.copy(ROOT / "package" / "polhode" / "__init__.py", room)
    for name in ("plant", "controllers", "sim", "scenarios"):
        shutil.copytree(ROOT / name, room / name)  # with what is compiled of it
    for place, text in files.items():
        assert not (room / place).exists()
        (room / place).write_text(text, encoding="utf-8")
    for place, (before, line) in lines.items():
        text = (room / place).read_text(encoding="utf-8")
        assert text.count(before) == 1
        (room / place).write_text(text.replace(before, line + before), encoding="utf-8")


def tried(to: Path, use: str) -> None:
    """Run a program on the copy; ROOM is its folder, FILE a file that it may write."""
    script = f"ROOM, FILE = {str(to / 'polhode')!r}, {str(to / 'law.toml')!r}\n{use}"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=to,
        env={**os.environ, "PYTHONPATH": str(to), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split()[-1] == "done"
