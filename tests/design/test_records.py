"""The design records run: a record nobody can run decides nothing."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

RECORDS = sorted(path for path in Path(__file__).parent.glob("*.py") if path.name != Path(__file__).name)


@pytest.mark.slow
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_record_runs_and_prints_its_figures(path):
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert any(character.isdigit() for character in done.stdout)


def test_every_record_is_listed():
    page = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    assert re.findall(r"tests/design/(\w+)\.py", page) == [path.stem for path in RECORDS]
