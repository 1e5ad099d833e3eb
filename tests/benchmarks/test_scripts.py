"""The benchmark and design scripts run: a record nobody can run decides nothing."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
DESIGN = sorted((HERE.parent / "design").glob("*.py"))


def run(path: Path, *arguments: str) -> str:
    done = subprocess.run([sys.executable, path, *arguments], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("gcc") is None and shutil.which("cc") is None, reason="no C compiler")
def test_the_engine_and_the_c_program_agree():
    assert "engine / gcc -O3" in run(HERE / "slew_against_c.py", "--repetitions", "1")


@pytest.mark.slow
def test_startup_times_are_measured():
    assert "torque-free / import numpy, numba" in run(HERE / "startup.py", "--repetitions", "1")


@pytest.mark.parametrize("path", DESIGN, ids=lambda path: path.stem)
def test_design_records_run(path):
    assert run(path)
