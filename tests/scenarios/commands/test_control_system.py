"""Linear systems in files as laws: those of `polhode design` and foreign matrices."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polhode import controllers
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case

Command = Callable[..., Any]

CASE = """\
title = "a law of other tools"
[plant]
inertia_kg_m2 = [400.0, 307.8, 200.0]
[initial]
attitude = [0.8, 0.4, -0.4, 0.2]
[reference]
attitude = [1.0, 0.0, 0.0, 0.0]
[controller]
kind = "lqi"
attitude_weight = 25.0
rate_weight = 1.0
effort_weight = 1.0
integral_weight = 0.01
sample_s = 0.1
delay_s = 0.05
torque_limit_N_m = 1.0
[run]
duration_s = 20.0
integrator = "rk4"
step_s = 0.1
"""
READ = """\
[controller]
kind = "control-system"
file = "out/FILE"
sample_s = 0.1
delay_s = 0.05
torque_limit_N_m = 1.0
[run]"""


def reading(tmp_path: Path, file: str) -> Path:
    path = tmp_path / "read.toml"
    text = CASE[: CASE.index("[controller]")] + READ.replace("FILE", file) + CASE[CASE.index("[run]") + 5 :]
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "file", [pytest.param(file, marks=pytest.mark.slow) for file in ("design.json", "law.mat")]
)  # it draws pictures
def test_design_reads_back(file: str, polhode: Command, tmp_path: Path) -> None:
    case = tmp_path / "case.toml"
    case.write_text(CASE, encoding="utf-8")
    asked = ("--out", tmp_path / "out") if file == "law.mat" else ()
    found = polhode("design", case, "--json", *asked)
    assert found.code == 0, found.err
    assert found.json["system"]["dt"] == 0.1
    if not asked:
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / file).write_text(found.out, encoding="utf-8")
    path = reading(tmp_path, file)
    one: Any = build(load_case(str(case)).case).law
    law: Any = build(load_case(str(path)).case).law
    assert isinstance(law, controllers.LinearFeedback)  # so campaigns, flight code and units follow
    for name in "ABCD":
        np.testing.assert_array_equal(getattr(law.compensator, name), getattr(one.compensator, name))
    again = polhode("design", path, "--json")
    assert again.code == 0, again.err
    assert again.json["margins"] == found.json["margins"]
    assert again.json["method"] == "control-system"


@pytest.mark.slow
def test_matrices_of_others(tmp_path: Path, polhode: Command) -> None:
    (tmp_path / "out").mkdir()
    np.savez(tmp_path / "out" / "gain.npz", K=np.hstack((5.0 * np.eye(3), 0.3 * np.eye(3))))
    path = reading(tmp_path, "gain.npz")
    found = polhode("design", path, "--json")  # a file that says nothing of feedback holds what is taken off
    assert found.code == 0, found.err
    same = polhode("design", path, "--json", "--set", "controller.feedback='negative'")
    assert same.json["margins"] == found.json["margins"]
    turned = polhode("design", path, "--json", "--set", "controller.feedback='positive'")
    assert "not stable" in turned.err
    filters = 'controller.filters=[{kind="roll-off", frequency_rad_s=20.0}]'
    other = polhode("design", path, "--json", "--set", filters)
    assert len(other.json["closed_loop_poles"]) > len(found.json["closed_loop_poles"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("controller.file='out/law.npz'",), "controller.*law.npz: there is no such file"),
        (("controller.feedback='plus'",), "controller.feedback"),
        (
            ("controller.file='out/said.npz'", "controller.feedback='negative'"),
            "feedback is 'negative' in the case, but 'positive' in .*said.npz; omit it in the case",
        ),
        (("controller.fil='x'",), "did you mean file"),
        (("controller.file='out/model.json'",), "a system with 3 inputs and 6 outputs is not an attitude law"),
    ],
)
def test_control_system_file_errors_are_named(
    change: tuple[str, ...], words: str, polhode: Command, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    model = {"A": [[0.0]], "B": [[1.0, 0.0, 0.0]], "C": [[1.0]] * 6, "D": [[0.0] * 3] * 6, "dt": 0.0}
    (tmp_path / "out" / "model.json").write_text(json.dumps(model))
    np.savez(tmp_path / "out" / "gain.npz", K=np.ones((3, 6)))
    np.savez(tmp_path / "out" / "said.npz", K=np.ones((3, 6)), feedback="positive")
    found = polhode("design", reading(tmp_path, "gain.npz"), *(each for key in change for each in ("--set", key)))
    assert found.code == 2
    assert re.search(words, found.err.replace("\n", " ")), found.err
