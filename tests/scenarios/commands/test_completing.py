"""Completions of the shell."""

import os
import subprocess
import sys

import pytest

from polhode.scenarios.commands.completing import complete_case

POLHODE = [sys.executable, "-m", "polhode"]


def offered(words):
    """As bash asks for it."""
    asked = {"_POLHODE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1)}
    done = subprocess.run(POLHODE, env=os.environ | asked, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_cases_that_ship_and_files_that_lie_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("slew-mine.toml", "slew.nc", "slew.txt", "other.toml"):
        (tmp_path / name).touch()
    found = complete_case("slew")
    assert {"slew-lqr", "slew-quaternion-feedback", "slew-mine.toml", "slew.nc"} <= set(found)
    assert all(name.startswith("slew") for name in found)
    assert "slew.txt" not in found
    assert complete_case("nothing of that name") == []


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    ("words", "expected"),
    [("polhode ver", "verify"), ("polhode run slew-l", "slew-lqr"), ("polhode run --j", "--json")],
)
def test_bash_completes(words, expected):
    assert offered(words) == [expected]


def test_completion_can_be_installed(tmp_path):
    # the shell named, not found out from the processes above this one
    home = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    words = [*POLHODE, "--install-completion", "bash"]
    done = subprocess.run(words, env=os.environ | home, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (script,) = (tmp_path / ".bash_completions").iterdir()
    assert "_POLHODE_COMPLETE=complete_bash" in script.read_text(encoding="utf-8")
    assert str(script) in (tmp_path / ".bashrc").read_text(encoding="utf-8")
