"""Provenance of files, and a recorded run simulated again."""

from __future__ import annotations

import importlib.metadata
import json
import tomllib
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from polhode import scenarios, sim
from polhode.scenarios.commands import running
from polhode.scenarios.report.replay_check import _rows

from ..conftest import Command, without_pictures

SHORT = ("--set", "run.duration_s=20", "--set", "run.output_s=0.5")


@pytest.mark.slow
def test_every_file_says_where_it_comes_from(polhode: Command, tmp_path: Path) -> None:
    polhode("run", "slew-lqr", "--out", tmp_path / "run", *SHORT, "--at", "3.25")
    polhode("design", "slew-lqr", "--out", tmp_path / "design", *SHORT)
    polhode("linearize", "flexible-slew", "--modes", "2", "--out", tmp_path / "linear")
    found = {
        "run.nc": dict(sim.load(tmp_path / "run" / "run.nc").about),
        "summary.json": json.loads((tmp_path / "run" / "summary.json").read_text())["provenance"],
        "design.json": json.loads((tmp_path / "design" / "design.json").read_text())["provenance"],
        "law.toml": tomllib.loads((tmp_path / "design" / "law.toml").read_text())["made"],
        "linear_model.json": json.loads((tmp_path / "linear" / "linear_model.json").read_text())["provenance"],
    }
    for name, about in found.items():
        assert about["polhode"] == importlib.metadata.version("polhode")
        assert about["command"].startswith("polhode ")
        for key in ("date", "platform", "python", "numpy"):
            assert about[key], (name, key)
        assert len(about["plant_fingerprint"]) == 16
        case = json.loads(about["case"]) if isinstance(about["case"], str) else about["case"]
        assert case["title"]
        if "linear" not in name:
            assert case["run"]["duration_s"] == 20  # after overrides
    assert found["run.nc"]["command"].endswith("--set run.duration_s=20 --set run.output_s=0.5 --at 3.25")
    assert len({found[name]["plant_fingerprint"] for name in ("run.nc", "summary.json", "design.json")}) == 1


@pytest.mark.parametrize(
    "case",
    [
        "slew-lqr",
        pytest.param("nutation-damping", marks=pytest.mark.slow),
        pytest.param("flexible-satellite-torque", marks=pytest.mark.slow),
        pytest.param("tumbling-brick", marks=pytest.mark.slow),
    ],
)
def test_run_flown_again_is_same(polhode: Command, tmp_path: Path, case: str) -> None:
    short = "0.5" if case.startswith("flexible") else "20"
    more = ("--set", f"run.duration_s={short}", "--at", "0.123")
    with without_pictures():
        polhode("run", case, "--out", tmp_path, *more)
    outcome = polhode("run", tmp_path / "run.nc", "--json")
    compared = outcome.json["compared"]
    assert compared["same"] is True
    assert compared["rows"] > 50
    assert {each["difference"] for each in compared["quantities"].values()} == {0.0}
    said = polhode("run", tmp_path / "run.nc").out
    assert "simulated again: largest difference 0, 0 of the largest value" in said


@pytest.mark.slow
def test_run_that_differs_is_told(polhode: Command, tmp_path: Path) -> None:
    polhode("run", "slew-lqr", "--out", tmp_path, *SHORT)
    path = tmp_path / "run.nc"
    with h5py.File(path, "r+") as file:
        rate: Any = file["rate"]
        rate[7, 1] += 1e-5
    outcome = polhode("run", path, "--json")
    assert outcome.code == 1
    assert "so this is a different run" in outcome.err
    assert outcome.json["compared"]["same"] is False
    assert outcome.json["compared"]["quantities"]["rate"]["difference"] == pytest.approx(1e-5, rel=1e-6)


@pytest.mark.slow
def test_replay_check_refuses_files_without_case(polhode: Command, tmp_path: Path) -> None:
    from polhode import plant

    run = sim.simulate(plant.Spacecraft(plant.RigidBody((3, 2, 1))), duration=1.0)
    run.save(tmp_path / "python.nc")
    (tmp_path / "text.nc").write_text("text")
    polhode("run", "slew-lqr", "--out", tmp_path, *SHORT)
    words = {
        ("none.nc",): "no such file",
        ("text.nc",): "is not a NetCDF-4 file, or was truncated",
        ("python.nc",): "was created in Python, not from a case",
        ("run.nc", *SHORT): "use --set and --at with a case",
    }
    for (name, *more), message in words.items():
        outcome = polhode("run", tmp_path / name, *more)
        assert outcome.code == 2
        assert message in outcome.err


@pytest.mark.slow
def test_craft_and_law_come_from_case(polhode: Command, tmp_path: Path) -> None:
    polhode("run", "slew-lqr", "--out", tmp_path, *SHORT)
    run = scenarios.load_run(tmp_path / "run.nc")
    more = sim.simulate(run.craft, run.law, state=run.states[-1], reference=run.reference, duration=5.0)
    np.testing.assert_array_equal(more.x[0], run.x[-1])
    assert polhode("design", tmp_path / "run.nc", "--json").code in (0, 1)


@pytest.mark.slow
def test_long_run_streams_and_comes_to_same(polhode: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("run", "slew-lqr", "--json", *SHORT, "--set", "run.output_s=0.01", "--at", "3.255")
    whole = polhode(*words, "--out", tmp_path / "whole")
    monkeypatch.setattr(running, "ROWS_IN_MEMORY", 100)
    streamed = polhode(*words, "--out", tmp_path / "streamed")
    assert streamed.code == whole.code
    assert set(streamed.json["files"]) == set(whole.json["files"])
    for key in set(whole.json) - {"files", "provenance"}:
        if key == "metrics":
            for name, value in whole.json[key].items():  # a sum taken in parts rounds differently
                wanted = None if value is None else pytest.approx(value, rel=1e-12)
                assert streamed.json[key][name] == wanted, name
        else:
            assert streamed.json[key] == whole.json[key], key
    one, other = sim.load(tmp_path / "whole" / "run.nc"), sim.load(tmp_path / "streamed" / "run.nc")
    for name in one.names:
        np.testing.assert_array_equal(one.values(name), other.values(name))


def test_rows_are_picked_across_portions() -> None:
    table = np.arange(100.0)
    which = np.array([0, 3, 4, 50, 51, 98, 99])
    for size in (1, 2, 3, 7, 100):
        pieces = (table[k : k + 9] for k in range(0, 100, 9))
        found = list(_rows(pieces, which, size))
        np.testing.assert_array_equal(np.concatenate(found), table[which])
        assert all(len(each) == size for each in found[:-1])
