"""A full disk, kill -9, SIGTERM and Ctrl-C at every write of a command: the old files or the new, and the summary."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from polhode.controllers.laws.files.whole_file import WholeFiles
from polhode.sim import load
from polhode.sim.runs import drive

from ..conftest import Command

posix = pytest.mark.skipif(os.name != "posix", reason="limits and signals of POSIX")
SHORT = ("--set", "run.duration_s=20")
VERBS = {
    "run": ("run", "SMALL"),
    "run of a craft with arms": ("run", "flexible-satellite-free", "--set", "run.duration_s=0.1"),
    "design": ("design", "slew-quaternion-feedback"),
}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def python(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    start = (
        "import sys, os, resource, signal\nfrom pathlib import Path\n"
        "from polhode.scenarios.commands.invoke import invoke\n"
    )
    return subprocess.run([sys.executable, "-c", start + code, *words], check=False, capture_output=True, text=True)


@pytest.mark.slow
@pytest.mark.parametrize("verb", VERBS)
def test_every_write_can_fail(
    polhode: Command, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    out = tmp_path / "out"
    words = [str(small) if word == "SMALL" else word for word in VERBS[verb]]
    good = polhode(*words, "--json", "--out", out)
    old = contents(out)
    names = [*good.json["files"], next(name for name in old if name not in good.json["files"])]
    assert set(names) == set(old)
    part = WholeFiles.part
    for k in sorted({0, 1, len(names) - 1}):  # the data, a picture, the summary
        calls: list[Path] = []

        def refuse(self: WholeFiles, target: Path, calls: list[Path] = calls, k: int = k) -> Path:
            calls.append(target)
            path = part(self, target)
            if len(calls) == k + 1:
                path.chmod(0o600)
                path.unlink()
                path.mkdir()  # reading it gives an error of the system
                (path / "occupied").touch()
            return path

        with monkeypatch.context() as patch:
            patch.setattr(WholeFiles, "part", refuse)
            outcome = polhode(*words, "--json", "--out", out)
        for left in out.glob(".*"):
            (left / "occupied").unlink()
            left.rmdir()
        assert outcome.code == 1, k
        assert outcome.err.count("\n") == 1 + ("requirement not met" in outcome.err)
        assert f"{calls[k]}: cannot be written (Is a directory)" in outcome.err
        wanted = {key: value for key, value in good.json.items() if key not in {"files", "provenance"}}
        assert {key: outcome.json.get(key) for key in wanted} == wanted
        assert contents(out) == old, k


@posix
@pytest.mark.parametrize("bytes_left", [pytest.param(size, marks=pytest.mark.slow) for size in (0, 30_000, 300_000)])
def test_full_disk(tmp_path: Path, bytes_left: int) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "run.nc").write_text("old")
    limit = f"resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes_left}, resource.RLIM_INFINITY))\n"
    done = python(
        "import polhode.sim, matplotlib.figure\nfrom polhode.sim import simulate\nfrom polhode.plant import *\n"
        "simulate(Spacecraft(RigidBody((3, 2, 1))), duration=1.0)\n" + limit + "sys.exit(invoke(sys.argv[1:]))",
        *("run", "slew-quaternion-feedback", *SHORT, "--json", "--set", "run.output_s=0.01", "--out", str(out)),
    )
    assert done.returncode == 1
    (line,) = [line for line in done.stderr.splitlines() if "requirement" not in line]
    assert line.startswith(f"polhode: {out}/")
    assert line.endswith(": cannot be written (File too large)")
    assert json.loads(done.stdout)["status"] == "completed"
    assert contents(out) == {"run.nc": b"old"}


@pytest.mark.slow
@posix
def test_process_killed_at_any_rename_leaves_files_that_are_told_apart(tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ("run", "torque-free", "--json", "--out", str(out), "--set", "run.output_s=10")
    assert python("sys.exit(invoke(sys.argv[1:]))", *words).returncode == 0
    before = contents(out)
    for k in (1, 2, len(before)):
        code = f"""
old, calls = Path.replace, []
def replace(self, target):
    calls.append(target)
    if len(calls) == {k}:
        os.kill(os.getpid(), 9)
    return old(self, target)
Path.replace = replace
invoke(sys.argv[1:])
"""
        assert python(code, *words, "--set", "initial.rate_rad_s=[0.1, 0.2, 0.3]").returncode == -signal.SIGKILL
        found = contents(out)
        listed = json.loads(found["summary.json"])["files"]
        wrong = [name for name, digest in listed.items() if hashlib.sha256(found[name]).hexdigest() != digest]
        assert len(wrong) == k - 1
        assert any(name.endswith(".part") for name in found)
        assert python("sys.exit(invoke(sys.argv[1:]))", *words).returncode == 0
        assert set(contents(out)) == set(before)


@pytest.mark.slow
def test_pictures_of_the_run_before_go_and_what_is_the_users_stays(
    polhode: Command, small: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    polhode("run", "slew-quaternion-feedback", "--out", out, *SHORT)
    assert (out / "attitude_error.png").is_file()
    assert (out / "torque.png").is_file()
    (out / "torque.png").write_bytes(b"drawn over by the user")
    (out / "mine.png").write_bytes(b"the user's")
    assert polhode("run", small, "--out", out).code == 0
    names = {path.name for path in out.iterdir()}
    assert "attitude_error.png" not in names
    assert {"torque.png", "mine.png", "rates.png", "summary.json", "run.nc"} <= names


@pytest.mark.slow
def test_damaged_or_foreign_summary_removes_nothing(polhode: Command, small: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    victim = tmp_path / "victim.txt"
    victim.write_text("v")
    digest = hashlib.sha256(b"v").hexdigest()
    for text in ("{", "[]", '{"files": 3}', json.dumps({"files": {"../victim.txt": digest}})):
        (out / "summary.json").write_text(text)
        assert polhode("run", small, "--out", out).code == 0
        assert victim.read_text() == "v"


def test_ctrl_c_while_pictures_are_drawn_keeps_the_run(
    polhode: Command, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matplotlib.figure import Figure

    savefig, drawn = Figure.savefig, []

    def interrupt(self: Any, path: Path, **more: Any) -> None:
        drawn.append(path)
        if len(drawn) == 2:
            raise KeyboardInterrupt
        savefig(self, path, **more)

    monkeypatch.setattr(Figure, "savefig", interrupt)
    out = tmp_path / "out"
    outcome = polhode("run", small, "--json", "--out", out)
    assert outcome.code == 130
    assert "the figures not drawn yet were omitted" in outcome.err
    assert len(contents(out)) == 3  # run.nc, summary.json and the only complete figure
    assert set(outcome.json["files"]) | {"summary.json"} == set(contents(out))


@posix
@pytest.mark.parametrize("what", ["case_run.measure_as", "commands.running.case_warnings"])
def test_interrupted_measurement_keeps_the_rows(
    polhode: Command, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """A search after the run ends immediately; the rows are kept, without its result."""

    def interrupt(*_: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(10.0)
        pytest.fail("the signal was held back")

    monkeypatch.setattr(f"polhode.scenarios.{what}", interrupt)
    out = tmp_path / "out"
    outcome = polhode("run", small, "--json", "--out", out)
    assert outcome.code == 130
    assert "interrupted while the run was measured: its rows are kept" in outcome.err
    assert load(out / "run.nc").t.size > 1
    assert outcome.json["metrics"] == {}
    assert outcome.json["status"] == "completed"
    assert any("interrupted while" in words for words in outcome.json["warnings"])


@pytest.mark.slow
@posix
def test_sigterm_keeps_the_rows_so_far(tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["run", "torque-free", "--json", "--out", str(out), "--set", "run.duration_s=100000"]
    words += ["--set", "run.output_s=0.01"]
    code = "import sys\nsys.argv[0] = 'polhode'\nfrom polhode.scenarios.commands.invoke import main\nmain()"
    with subprocess.Popen([sys.executable, "-c", code, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        for _ in range(1200):  # until rows come: half a minute, or minutes if the engine is compiled
            if any(path.stat().st_size > 100_000 for path in out.glob(".run.nc*.part")) or run.poll() is not None:
                break
            time.sleep(0.1)
        run.send_signal(signal.SIGTERM)
        text, errors = run.communicate(timeout=120)
    assert run.returncode == 130, errors
    assert b"interrupted at" in errors
    summary = json.loads(text)
    assert summary["status"] == "stopped"
    found = load(out / "run.nc")
    assert found.status == "stopped"
    assert found.t[-1] == summary["t_end_s"] > 0.0
    assert found.states.shape[0] == found.t.size
    assert json.loads((out / "summary.json").read_text()) == summary
    assert not list(out.glob(".*"))


@pytest.mark.slow
def test_comparison_stops_at_an_interrupt(polhode: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from polhode.sim.engine.loop import Loop

    advance, calls = Loop.advance, []

    def interrupt(self: Any, steps: int) -> int:
        calls.append(steps)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return advance(self, steps)

    monkeypatch.setattr(Loop, "advance", interrupt)
    monkeypatch.setattr(drive, "STEPS_PER_CALL", 10)
    out = tmp_path / "out"
    outcome = polhode("run", "flexible-slew", "--json", "--out", out)
    assert outcome.code == 130
    assert outcome.json["status"] == "stopped"
    assert load(out / "run.nc").t[-1] == outcome.json["t_end_s"] > 0.0
    assert "comparison" not in outcome.json
    assert len(calls) == 3
