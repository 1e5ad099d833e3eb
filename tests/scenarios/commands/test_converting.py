"""``polhode convert``: a saved run for others to read; and a linear model for MATLAB."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import loadmat

from polhode import plant, sim

from ..conftest import Command

EPOCH = ("--epoch", "2026-03-20T12:00:00")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Any:
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    run = sim.simulate(craft, rate=(0.1, 0.2, 0.1), duration=1.0, output_step=0.5, compiled=False)
    return run, run.save(tmp_path_factory.mktemp("saved") / "run.nc")


def test_saved_run_is_written(polhode: Command, saved: Any, tmp_path: Path) -> None:
    run, file = saved
    out = tmp_path / "craft.aem"
    found = polhode("convert", str(file), "-o", str(out), *EPOCH, "--name", "TEST", "--json")
    assert found.code == 0, found.err
    assert json.loads(found.out) == {"file": str(out), "rows": 3, "epoch": EPOCH[1]}
    np.testing.assert_allclose(sim.read_aem(out).attitude, run.values("attitude"), atol=1e-15)
    assert sim.read_aem(out).object_name == "TEST"
    czml = tmp_path / "craft.czml"
    assert polhode("convert", str(file), "-o", str(czml), *EPOCH, "--position", "42164e3", "0", "0").code == 0
    assert json.loads(czml.read_text())[1]["position"]["cartesian"] == [42164e3, 0.0, 0.0]


def test_convert_refusal_names_the_reason(polhode: Command, saved: Any, tmp_path: Path) -> None:
    file = str(saved[1])
    for out, more, said in (
        ("craft.txt", (), "unknown format; the suffix must be .aem"),
        ("craft.oem", (), "the run has no orbit"),
        ("craft.aem", ("--center", "MARS"), "--center does not apply to .aem"),
        ("craft.czml", ("--id", "2026-001A"), "--id does not apply to .czml"),
    ):
        found = polhode("convert", file, "-o", str(tmp_path / out), *EPOCH, *more)
        assert found.code == 2
        assert said in found.err
    assert not list(tmp_path.iterdir())


def test_linear_model_is_written_for_matlab(polhode: Command, tmp_path: Path) -> None:
    found = polhode("linearize", "slew-lqr", "--out", str(tmp_path), "--json")
    assert found.code == 0, found.err
    told, mat = json.loads(found.out), loadmat(tmp_path / "linear_model.mat")
    for name in "ABCD":
        np.testing.assert_array_equal(mat[name], told[name])
    assert [str(cell[0]) for cell in mat["states"][:, 0]] == told["states"]
    assert [str(cell[0]) for cell in mat["input_units"][:, 0]] == told["input_units"]
