"""Standard streams that are closed or full: one message, an exit code, and no output in other files."""

import subprocess
import sys
from pathlib import Path

import pytest

START = "import sys; from polhode.scenarios.commands.invoke import main; main()"


def shell(redirections, *words):
    command = f'exec "$0" "$@" {redirections}'
    process = ["sh", "-c", command, sys.executable, "-c", START, *words]
    return subprocess.run(process, check=False, capture_output=True, text=True, timeout=300)


@pytest.mark.slow
def test_closed_output():
    done = shell(">&-", "list")
    assert (done.returncode, done.stderr) == (1, "polhode: standard output is closed, so nothing could be printed\n")


@pytest.mark.parametrize(
    "redirections", ["<&-", *(pytest.param(each, marks=pytest.mark.slow) for each in ("2>&-", "<&- 2>&-"))]
)
def test_closed_input_and_messages(redirections):
    done = shell(redirections, "list")
    assert done.returncode == 0
    assert "slew-lqr" in done.stdout
    assert shell(redirections, "run", "nowhere").returncode == 2


@pytest.mark.slow
def test_file_written_with_closed_output_holds_nothing_else(tmp_path):
    done = shell("<&- >&- 2>&-", "design", "slew-lqr", "--out", str(tmp_path / "results"))
    assert done.returncode == 1
    assert (tmp_path / "results" / "design.json").read_text(encoding="utf-8").startswith("{")
    assert (tmp_path / "results" / "bode.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's full device")
@pytest.mark.parametrize("word", ["list", pytest.param("schema", marks=pytest.mark.slow)])
def test_full_output(word):
    done = shell("> /dev/full", word)
    said = "polhode: the output could not be printed (No space left on device)\n"
    assert (done.returncode, done.stderr) == (1, said)
    assert shell("2> /dev/full", "run", "nowhere").returncode == 2
