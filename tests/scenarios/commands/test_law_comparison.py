"""`[[compare]]`: further laws in the same case, compared with its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from polhode.plant.errors import InputError
from polhode.scenarios import load_case, run_case
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.commands.law_comparison import COMPARED

from ..conftest import Command

OTHERS = """
[[compare]]
label = "feedback"

[compare.controller]
kind = "quaternion-feedback"
frequency_rad_s = 0.1
damping_ratio = 0.9
sample_s = 0.1
torque_limit_N_m = 0.05

[[compare]]
label = "cut off"

[compare.controller]
kind = "lqr"
attitude_weight = 1e6
rate_weight = 1.0
effort_weight = 1e-3
sample_s = 4.0
"""
CASE = """\
title = "several laws"

[plant]
inertia_kg_m2 = [40.0, 30.0, 20.0]

[initial]
attitude_deg = { sequence = "1-2-3", angles = [10.0, 0.0, 0.0] }

[reference]
attitude = [1.0, 0.0, 0.0, 0.0]

[controller]
kind = "lqr"
attitude_weight = 1.0
rate_weight = 1.0
effort_weight = 1.0
sample_s = 0.1
torque_limit_N_m = 1.0

[run]
duration_s = 60.0
output_s = 0.1

[[require]]
metric = "peak_torque_N_m"
max = 1.0
"""


@pytest.fixture
def several(tmp_path: Path) -> Path:
    path = tmp_path / "several.toml"
    path.write_text(CASE + OTHERS.split('[[compare]]\nlabel = "cut', maxsplit=1)[0], encoding="utf-8")
    return path


@pytest.mark.slow
def test_craft_without_arms(polhode: Command, several: Path, tmp_path: Path) -> None:
    outcome = polhode("run", several, "--json", "--out", tmp_path / "out")
    assert (outcome.code, outcome.err) == (0, "")
    own, other = outcome.json["comparison"]
    assert [own["label"], other["label"]] == ["lqr", "feedback"]
    shown = [name for name in COMPARED if "tip" not in name and "strain" not in name]
    assert list(own) == list(other) == ["label", "status", *shown]
    assert all(own[name] == outcome.json["metrics"][name] for name in shown)
    assert other["peak_torque_N_m"] == 0.05  # its own limit, saturated
    assert other["settling_time_s"] > own["settling_time_s"]
    assert (tmp_path / "out" / "comparison.png").is_file()
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["comparison"] == [own, other]
    assert "comparison of the laws" in polhode("run", several).out


def test_each_law_is_flown_as_its_own_case(several: Path) -> None:
    """The row of a law equals the results of the case with this controller."""
    controller = 'controller={kind="quaternion-feedback", frequency_rad_s=0.1, damping_ratio=0.9, sample_s=0.1, '
    alone = run_case(several, overrides=[controller + "torque_limit_N_m=0.05}", "compare=[]"])
    from polhode.scenarios.case_run import fly, measured, other_laws

    case = load_case(several)
    loaded, problem = other_laws(case, build(case.case))["feedback"]
    beside = measured(loaded, problem, fly(problem, name="beside"))
    assert {name: metric.value for name, metric in beside.metrics.items()} == {
        name: metric.value for name, metric in alone.metrics.items()
    }


def test_law_that_does_not_hold_is_told(polhode: Command, several: Path) -> None:
    several.write_text(CASE + OTHERS, encoding="utf-8")
    outcome = polhode("run", several, "--json", "--set", "compare.1.controller.sample_s=10")
    assert outcome.code == 0  # it is not the law of the case
    assert any(warning.startswith("compare 'cut off': ") for warning in outcome.json["warnings"])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("compare.0.label=lqr", "compare: labels must differ; got lqr, lqr"),
        ("compare.0.controller.kind=lqx", "compare.0.controller: unknown kind 'lqx'"),
        ("compare.0.controller.sample_s=-1", "compare.0.controller.sample_s: must be greater than 0 s"),
    ],
)
def test_law_comparison_rejects_bad_input(several: Path, change: str, said: str) -> None:
    with pytest.raises(InputError, match="compare") as caught:
        load_case(several, [change])
    assert said in str(caught.value)


def test_law_that_cannot_be_designed_stops_before_anything_is_flown(
    several: Path, polhode: Command, tmp_path: Path
) -> None:
    law = 'compare=[{label="x", controller={kind="pole-placement", poles_1_s=[-1, -2], sample_s=0.1}}]'
    outcome = polhode("run", several, "--set", law, "--out", tmp_path / "out")
    assert outcome.code == 2
    assert f"{several}: compare.0: controller: " in outcome.err
    assert not (tmp_path / "out").exists()


def test_laws_beside_none(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    text = CASE[: CASE.index("[controller]")] + CASE[CASE.index("[run]") :]
    path.write_text(text + OTHERS, encoding="utf-8")
    with pytest.raises(InputError, match=r"needs a \[controller\] for the comparison; add one"):
        load_case(path)
    path.write_text((text + OTHERS).replace("[reference]\nattitude = [1.0, 0.0, 0.0, 0.0]\n", ""), encoding="utf-8")
    with pytest.raises(InputError, match=r"compare.0: its controller needs a \[reference\]"):
        load_case(path)


@pytest.mark.slow
def test_law_file_beside_case(several: Path, polhode: Command, tmp_path: Path) -> None:
    assert polhode("design", several, "--out", tmp_path / "out", "--set", "compare=[]").code == 0
    (tmp_path / "out" / "law.toml").rename(tmp_path / "law.toml")
    law = 'compare=[{label="saved", controller={kind="file", file="law.toml", torque_limit_N_m=1.0}}]'
    outcome = polhode("run", several, "--json", "--set", law, "--out", tmp_path / "run")
    own, saved = outcome.json["comparison"]
    assert {**saved, "label": "lqr"} == own
    again = polhode("run", tmp_path / "run" / "run.nc", "--json")  # from any folder
    assert again.json["comparison"] == [own, saved]
