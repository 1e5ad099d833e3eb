"""`polhode run`: exit codes, files of --out, reports of an early end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polhode.plant.errors import InputError, SaveError
from polhode.scenarios.commands.running import parse_times
from polhode.scenarios.report.progress import progress

from ..conftest import SMALL, Command

SINGULAR = """\
title = "a dual-Euler torque at its singular pose"

[plant]
inertia_kg_m2 = [4.0, 3.0, 2.0]

[initial]
rate_rad_s = [0.0, 1.0, 0.0]

[[torques]]
from_s = 0
to_s = 10
basis = "dual-euler"
euler_sequence = "1-2-3"
components_N_m = [0.0, 0.0, 0.001]

[run]
duration_s = 3.0
output_s = 0.25
amplification_limit = 100
"""


def test_requirement_that_is_not_met(polhode: Command, small: Path) -> None:
    small.write_text(SMALL + "[[require]]\nmetric = 'peak_rate_deg_s'\nmax = 5\n", encoding="utf-8")
    outcome = polhode("run", small, "--json")
    assert outcome.code == 1
    assert outcome.err == "polhode: small: requirement not met: peak_rate_deg_s is 5.72958, above its maximum of 5\n"
    (item,) = outcome.json["requirements"]
    assert item["met"] is False
    assert item["value"] == pytest.approx(np.degrees(0.1), rel=1e-12)


def test_requirement_on_what_case_does_not_have(polhode: Command, small: Path) -> None:
    small.write_text(SMALL + "[[require]]\nmetric = 'settling_time_s'\nmax = 5\n", encoding="utf-8")
    outcome = polhode("run", small, "--json")
    assert outcome.code == 1
    assert "settling_time_s has no value: the case has no [reference]" in outcome.err


@pytest.mark.slow
def test_early_end_keeps_what_was_computed(polhode: Command, tmp_path: Path) -> None:
    path = tmp_path / "singular.toml"
    path.write_text(SINGULAR, encoding="utf-8")
    out = tmp_path / "out"
    outcome = polhode("run", path, "--json", "--at", "1,1.5,2", "--out", out)
    assert outcome.code == 1
    assert outcome.err.startswith("polhode: singular: the run ended singular: at t = 1.56")
    summary = outcome.json
    assert summary["status"] == "singular"
    # the second angle reaches 90 deg at pi/2 s; the run ends where 1/cos is 100, about 0.01 s before, up to
    # the effect of the torque itself (at most 0.1 N m on 2 kg m^2, for some 0.01 s) on that angle
    assert summary["t_end_s"] == pytest.approx(np.pi / 2 - 0.01, abs=1e-3)
    assert [sample["t_s"] for sample in summary["samples"]] == [1.0, 1.5]
    assert "no sample at 2 s: the run ended at 1.56" in " ".join(summary["warnings"])
    assert summary["final"]["t_s"] == summary["t_end_s"]
    assert (out / "run.nc").stat().st_size > 0
    assert json.loads((out / "summary.json").read_text(encoding="utf-8")) == summary


@pytest.mark.slow
def test_singular_at_the_very_start(polhode: Command, tmp_path: Path) -> None:
    path = tmp_path / "singular.toml"
    pose = "attitude_deg = { sequence = '1-2-3', angles = [0, 90, 0] }\nrate_rad_s"
    path.write_text(SINGULAR.replace("rate_rad_s", pose), encoding="utf-8")
    outcome = polhode("run", path, "--json", "--out", tmp_path / "out")
    assert outcome.code == 1
    assert outcome.json["t_end_s"] == 0.0
    assert (tmp_path / "out" / "overview.png").is_file()


def test_run_that_fails(polhode: Command, small: Path) -> None:
    outcome = polhode("run", small, "--json", "--set", "run.max_steps=1", "--set", "run.step_s=0.1")
    assert outcome.code == 1
    assert "the run ended failed" in outcome.err
    assert outcome.json["status"] == "failed"
    assert outcome.json["reason"].startswith("max_steps = 1 was reached")


def test_run_out_writes_all_files(polhode: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import xarray
    from matplotlib.figure import Figure

    out = tmp_path / "deep" / "down"
    first = polhode(
        "run", "slew-quaternion-feedback", "--json", "--out", out, "--set", "run.duration_s=20", "--at", "3"
    )
    assert first.code == 1  # it does not settle in 20 s
    pictures = ["attitude_error", "attitude_error_axes", "euler_parameters", "invariants", "momentum", "overview"]
    pictures += ["rates", "torque"]
    names = sorted(path.name for path in out.iterdir())
    assert names == sorted([*(f"{name}.png" for name in pictures), "run.nc", "summary.json"])
    assert json.loads((out / "summary.json").read_text(encoding="utf-8")) == first.json
    with xarray.open_dataset(out / "run.nc") as data:
        assert data["rate"].attrs["units"] == "rad/s"
        row = data["rate"].sel(time=3.0).values
    assert row.tolist() == first.json["samples"][0]["rate_rad_s"]
    for name in pictures:
        assert (out / f"{name}.png").read_bytes().startswith(b"\x89PNG")

    (out / "mine.txt").write_text("kept", encoding="utf-8")
    monkeypatch.setattr(Figure, "savefig", lambda self, path, **_: path.write_bytes(b"the second"))
    polhode("run", "slew-quaternion-feedback", "--json", "--out", out, "--set", "run.duration_s=10")
    assert json.loads((out / "summary.json").read_text(encoding="utf-8"))["t_end_s"] == 10.0
    assert sorted(path.name for path in out.iterdir()) == sorted([*names, "mine.txt"])
    assert all((out / f"{name}.png").read_bytes() == b"the second" for name in pictures)


def test_torque_after_end_is_told(polhode: Command) -> None:
    outcome = polhode("run", "pulsed-station", "--json", "--set", "run.duration_s=1000")
    assert "torques.0 begins at 1000 s, after the end of the run, and never acts" in outcome.json["warnings"]


@pytest.mark.slow
def test_only_the_pictures_that_apply(polhode: Command, small: Path, tmp_path: Path) -> None:
    assert polhode("run", small, "--json", "--out", tmp_path / "out").code == 0
    pictures = sorted(path.stem for path in (tmp_path / "out").glob("*.png"))
    assert pictures == ["euler_parameters", "herpolhode", "invariants", "overview", "polhode", "rates"]


@pytest.mark.slow
def test_picture_that_cannot_be_written_leaves_no_half(
    polhode: Command, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matplotlib.figure import Figure

    out = tmp_path / "out"
    assert polhode("run", small, "--json", "--out", out).code == 0
    before = (out / "rates.png").read_bytes()

    def savefig(self: Any, path: Path, **_: object) -> None:
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Figure, "savefig", savefig)
    outcome = polhode("run", small, "--json", "--out", out)
    assert outcome.code == 1  # the input was valid; the computed rows are printed
    assert outcome.err.endswith("rates.png: cannot be written (No space left on device)\n")
    assert outcome.json["status"] == "completed"
    assert (out / "rates.png").read_bytes() == before
    assert not list(out.glob(".*"))


def test_dataset_that_cannot_be_written(
    polhode: Command, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from polhode.sim.results import labelled

    def fill(run: Any, path: Path, target: Path) -> None:
        raise SaveError(f"{target}: cannot be written (Input/output error)")

    monkeypatch.setattr(labelled, "fill", fill)
    outcome = polhode("run", small, "--out", tmp_path / "out")
    assert outcome.code == 1
    assert outcome.err.startswith("polhode: ")
    assert "completed at t = 2 s" in outcome.out
    assert not list((tmp_path / "out").iterdir())
    assert "run.nc: cannot be written (Input/output error)" in outcome.err


@pytest.mark.usefixtures("unrendered")
def test_interrupted_run_is_saved(
    polhode: Command, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from polhode.sim.engine.loop import Loop

    advance, calls = Loop.advance, [0]

    def interrupt(self: Any, steps: int) -> int:
        calls[0] += 1
        if calls[0] == 2:
            raise KeyboardInterrupt
        return advance(self, 10)

    monkeypatch.setattr(Loop, "advance", interrupt)
    out = tmp_path / "out"
    outcome = polhode("run", small, "--json", "--out", out, "--set", "run.step_s=0.05")
    assert outcome.code == 130
    assert outcome.err.startswith("polhode: small: interrupted at ")
    summary = outcome.json
    assert summary["status"] == "stopped"
    assert 0.0 < summary["t_end_s"] < 2.0
    assert json.loads((out / "summary.json").read_text(encoding="utf-8")) == summary
    assert (out / "run.nc").is_file()


def test_interrupt_elsewhere(polhode: Command, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from polhode.scenarios.commands import running

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "build", interrupt)
    outcome = polhode("run", small)
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "polhode: interrupted\n")


@pytest.mark.slow
def test_screen_for_person(polhode: Command, tmp_path: Path) -> None:
    outcome = polhode("run", "slew-lqr", "--at", "0,150", "--out", tmp_path / "out")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert len(lines) <= 35  # one screen
    assert max(len(line) for line in lines) <= 80
    assert lines[0].startswith("slew-lqr  Rest-to-rest slew")
    assert lines[1] == "completed at t = 300 s"
    assert any(line.startswith("settling time") and line.rstrip().endswith("s") for line in lines)
    assert sum(line.startswith("met ") for line in lines) == 3
    assert any(line.startswith("written to ") for line in lines)


def test_screen_of_early_end(polhode: Command, tmp_path: Path) -> None:
    path = tmp_path / "singular.toml"
    path.write_text(SINGULAR, encoding="utf-8")
    outcome = polhode("run", path)
    assert outcome.code == 1
    assert "singular at t = 1.56" in outcome.out


def test_translation_in_the_summary(polhode: Command, small: Path) -> None:
    changes = ["plant.mass_kg=7", "plant.translation=true", "initial.velocity_m_s=[1, 2, 3]"]
    words = [word for change in changes for word in ("--set", change)]
    final = polhode("run", small, "--json", *words).json["final"]
    assert final["position_m"] == pytest.approx([2.0, 4.0, 6.0], rel=1e-14)
    assert final["velocity_m_s"] == pytest.approx([1.0, 2.0, 3.0], rel=1e-14)


@pytest.mark.slow
def test_json_with_pictures_prints_json_only(polhode: Command, small: Path, tmp_path: Path) -> None:
    outcome = polhode("run", small, "--json", "--out", tmp_path / "out")
    assert outcome.out.count("\n") == 1
    assert isinstance(outcome.json, dict)


@pytest.mark.parametrize(("text", "times"), [("0", (0.0,)), ("1, 2.5 ,10", (1.0, 2.5, 10.0)), ("5,1e0", (5.0, 1.0))])
def test_times(text: str, times: tuple[float, ...]) -> None:
    assert parse_times(text, 10.0) == times


@pytest.mark.parametrize("text", ["", "a", "1;2", "-0.1", "10.1", "inf", "nan"])
def test_wrong_times(text: str) -> None:
    with pytest.raises(InputError, match="--at "):
        parse_times(text, 10.0)


def test_progress_away_from_a_terminal_is_a_line_a_minute(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr("polhode.scenarios.report.progress.monotonic", lambda: clock[0])
    with progress("case") as show:
        for second in range(151):
            clock[0] = 1000.0 + second
            show(second / 200.0)
    out, err = capfd.readouterr()
    assert out == ""
    assert err.splitlines() == ["polhode: case: 30 % after 1 min", "polhode: case: 60 % after 2 min"]


def test_progress_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress("case") as show:
        show(0.5)
        show(0.6)  # within a tenth of a second: not shown
    out, err = capsys.readouterr()
    assert out == ""
    assert " 50 %" in err
    assert " 60 %" not in err
    assert err.endswith("\r\x1b[2K")  # erased at the end
