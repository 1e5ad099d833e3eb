"""CONTRIBUTING gives each room one sentence, and there are at most 25."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST = 25
DATA = {"scenarios/cases"}
"""Folders that hold files of cases, no code."""


def test_every_room_has_one_sentence():
    rooms = {
        str(path.parent.relative_to(ROOT))
        for package in ("plant", "controllers", "sim", "scenarios")
        for path in (ROOT / package).glob("*/__init__.py")
    } - DATA
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = re.findall(r"(?m)^\| `((?:plant|controllers|sim|scenarios)/\w+)` \| [A-Z].*\. \|$", text)
    assert sorted(listed) == sorted(rooms)
    assert len(rooms) <= MOST
