"""The design records run: a record nobody can run decides nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

RECORDS = sorted(path for path in Path(__file__).parent.glob("*.py") if path.name != Path(__file__).name)
LONG = {"deferred_code", "flexible_equations", "reference_counting", "registers"}
"""These compile the engine anew, several times over."""

MARKED = [pytest.param(path, marks=pytest.mark.slow) if path.stem in LONG else path for path in RECORDS]


@pytest.mark.parametrize("path", MARKED, ids=lambda path: path.stem)
def test_a_record_runs_and_prints_its_figures(path):
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert any(character.isdigit() for character in done.stdout)
