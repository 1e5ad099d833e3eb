"""``polhode cosim``: a system structure runs after trust, and its results are written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from polhode import sim
from polhode.scenarios.commands.cosimulating import _quantity
from polhode.sim.codegen.toolchain import c_compiler

from ..conftest import Command

pytest.importorskip("fmpy", reason="FMPy is in the extra fmi")
if c_compiler() is None:
    pytest.skip("no C compiler on this machine", allow_module_level=True)

from ...sim.hosts.cosimulation.oscillators import Oscillators  # only where FMPy is installed


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("system")
    made = Oscillators(folder).pair()
    told = sim.System(units=made.units, connections=made.joins, values=made.values, duration=1.0, step=0.1, name="two")
    return sim.write_ssp(told, folder / "two.ssp")


@pytest.mark.slow
def test_cosim_runs_after_trust_and_is_written(polhode: Command, system: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    found = polhode("cosim", str(system), "--trust", "--inputs", "linear", "--out", str(out), "--json")
    assert found.code == 0, found.err
    assert found.json["status"] == "completed"
    assert found.json["outputs"]["a.x"]["start"] == 0.8
    assert 0.0 < found.json["outputs"]["a.x"]["estimated_error"] < 1e-3
    assert json.loads((out / "summary.json").read_text())["outputs"] == found.json["outputs"]
    assert sorted(each.name for each in out.iterdir()) == [
        "cosimulation.csv",
        "cosimulation.nc",
        "cosimulation.png",
        "summary.json",
    ]


def test_cosim_refusal_names_the_reason(polhode: Command, system: Path, tmp_path: Path) -> None:
    for words, said in (
        ((str(system),), "contains libraries that would run on this machine with your rights (resources/a.fmu"),
        ((str(tmp_path / "none.ssp"), "--trust"), "no such file"),
        ((str(system), "--trust", "--order", "euler"), "order 'euler' is unknown"),
        ((str(system), "--trust", "--tolerance", "1e-3"), "cannot save and restore its state"),
    ):
        found = polhode("cosim", *words)
        assert found.code == 2
        assert said in found.err


@pytest.mark.slow  # two units are compiled
def test_case_in_two_units_is_run_of_case(polhode: Command, tmp_path: Path) -> None:
    whole, split = tmp_path / "whole", tmp_path / "craft.ssp"
    short = ("--set", "run.duration_s=5", "--set", "run.output_s=0.1")
    assert polhode("fmu", "slew-lqr", "-o", str(split), *short).code == 0
    polhode("run", "slew-lqr", "--out", str(whole), *short)  # its requirements are of a longer one
    run = str(whole / "run.nc")
    found = polhode("cosim", str(split), "--trust", "--no-estimate", "--against", run, "--json")
    assert found.code == 0, found.err
    apart = found.json["against"]["largest_difference"]
    assert set(apart) >= {"plant.attitude_0", "plant.rate_x", "plant.momentum_z"}
    assert max(apart.values()) < 1e-12  # of 1 to 20
    late = polhode("cosim", str(split), "--trust", "--no-estimate", "--order", "jacobi", "--against", run, "--json")
    assert max(late.json["against"]["largest_difference"].values()) > 1e-3


def test_run_to_compare_with_is_read_before_flight(polhode: Command, system: Path, tmp_path: Path) -> None:
    told = ("cosim", str(system), "--trust", "--against", str(tmp_path / "none.nc"), "--out", str(tmp_path / "out"))
    found = polhode(*told)
    assert (found.code, (tmp_path / "out").exists()) == (2, False)
    assert "none.nc: no such file" in found.err


@pytest.mark.slow  # a second flight; what is printed of it
def test_cosim_result_is_printed(polhode: Command, system: Path) -> None:
    found = polhode("cosim", str(system), "--trust", "--order", "jacobi", "--step", "0.2", "--duration", "0.5")
    assert found.code == 0, found.err
    assert "completed at t = 0.5 s (jacobi, inputs constant, step 0.2 s)" in found.out
    assert "a.x" in found.out


def test_output_is_called_as_in_run_behind_all_names_of_its_unit() -> None:
    assert _quantity("plant.rate_x", {"rate_x"}) == _quantity("body.plant.rate_x", {"rate_x"}) == "rate_x"
    assert _quantity("plant.rate_y", {"rate_x"}) == ""
