"""``polhode export``: the law of a case as flight code."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from ..conftest import Command


def test_files_are_named_and_there(polhode: Command, tmp_path: Path) -> None:
    target = tmp_path / "law.c"
    found = polhode("export", "slew-lqr", "--law", str(target), "--samples", "5", "--json")
    assert found.code == 0, found.err
    files = [Path(name) for name in json.loads(found.out)["files"]]
    assert [file.name for file in files] == ["law.h", "law.c", "law_test.c", "law.mk"]
    assert all(file.is_file() for file in files)
    assert "lqr, which holds attitude and rate of its reference" in files[0].read_text()
    assert "#define LAW_SAMPLE_S 0.1" in files[0].read_text()


def test_block_is_exported_by_its_name(polhode: Command, tmp_path: Path) -> None:
    found = polhode("export", "slew-with-actuator-lag", "--block", "lag", str(tmp_path / "lag.c"), "--samples", "3")
    assert found.code == 0, found.err
    assert str(tmp_path / "lag.mk") in found.out.splitlines()


def test_export_writes_wheel_allocation(polhode: Command, tmp_path: Path) -> None:
    """No case names it: it is the allocation of the wheels."""
    found = polhode(
        "export", "four-wheel-pyramid", "--block", "allocation", str(tmp_path / "share.c"), "--samples", "3"
    )
    assert found.code == 0, found.err
    assert "[3] motor_torques_3  N m  " in (tmp_path / "share.h").read_text()
    found = polhode("export", "slew-lqr", "--block", "allocation", str(tmp_path / "share.c"))
    assert found.code == 2
    assert "there is no block 'allocation'" in found.err


@pytest.mark.parametrize(("wrapper", "name", "file"), [
    ("cfs", "attctl", "fsw/src/attctl_app.c"), ("fprime", "PointingLaw", "PointingLaw.fpp"),
])  # fmt: skip
def test_wrapper_is_named_by_its_folder(wrapper: str, name: str, file: str, polhode: Command, tmp_path: Path) -> None:
    words = ("export", "slew-lqr", "--wrapper", wrapper, "-o", str(tmp_path / name), "--samples", "2", "--json")
    found = polhode(*words)
    assert found.code == 0, found.err
    files = [Path(each) for each in json.loads(found.out)["files"]]
    assert tmp_path / name / file in files
    assert all(each.is_file() for each in files)
    assert sum(each.is_file() for each in tmp_path.rglob("*")) == len(files)


def test_export_refusal_names_the_reason(polhode: Command, tmp_path: Path) -> None:
    target = str(tmp_path / "law.c")
    for words, said in (
        (("slew-lqr",), "nothing to export; give --law law.c"),
        (("slew-lqr", "--out", target), "--out is the folder of --wrapper cfs or --wrapper fprime"),
        (("slew-lqr", "--wrapper", "nos3", "-o", target), "wrapper 'nos3' is unknown; (cfs, fprime)"),
        (("slew-lqr", "--wrapper", "cfs", "-o", str(tmp_path / "attitude_law")), "has at most 11 letters"),
        (("slew-lqr", "--wrapper", "cfs", "--block", "allocation", target), "--wrapper writes the law of a case"),
        (("torque-free", "--wrapper", "cfs"), "no controller: there is no law to export"),
        (("torque-free", "--law", target), "no controller: there is no law to export"),
        (("star-tracker-pointing", "--block", "gyro", target), "draws random numbers: it models hardware"),
        (("slew-lqr", "--law", str(tmp_path / "law.txt")), "use a name such as law.c"),
    ):
        found = polhode("export", *words)
        assert found.code == 2
        assert said in found.err
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_plant_and_law_are_units_of_a_system(polhode: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fmpy", reason="a system structure tells what its units are, which FMPy reads")
    monkeypatch.setattr("polhode.sim.hosts.fmi.libraries.c_compiler", lambda: None)
    target = tmp_path / "craft.ssp"
    found = polhode("fmu", "slew-lqr", "-o", str(target), "--json")
    assert found.code == 0, found.err
    assert found.json == {"case": "slew-lqr", "file": str(target)}
    with zipfile.ZipFile(target) as held:
        assert held.namelist() == ["SystemStructure.ssd", "resources/plant.fmu", "resources/law.fmu"]
        assert held.read("SystemStructure.ssd").count(b"<ssd:Connection ") == 13
    for words, said in (
        (("torque-free", "-o", str(target)), "no controller: there is no law to export"),
        (("slew-lqr", "-o", str(target), "--plant"), "--plant exports no law"),
        (("slew-lqr", "-o", str(target), "--law"), "--law writes one FMU"),
    ):
        found = polhode("fmu", *words)
        assert found.code == 2
        assert said in found.err


@pytest.mark.slow
def test_unit_is_named_and_there(polhode: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polhode.sim.hosts.fmi.libraries.c_compiler", lambda: None)
    target = tmp_path / "craft.fmu"
    found = polhode("fmu", "slew-lqr", "-o", str(target), "--fmi", "2", "--json")
    assert found.code == 0, found.err
    assert found.json["file"] == str(target)
    assert found.json["libraries"] == []
    with zipfile.ZipFile(target) as held:
        assert b'causality="output" variability="discrete"' in held.read("modelDescription.xml")
    found = polhode("fmu", "slew-lqr", "-o", str(target), "--plant")
    assert found.code == 0, found.err
    assert "no C compiler was found, so the FMU contains sources but no library" in found.err
    with zipfile.ZipFile(target) as held:
        assert b'causality="input" variability="continuous"' in held.read("modelDescription.xml")


def test_unit_that_cannot_be_says_why(polhode: Command, tmp_path: Path) -> None:
    found = polhode("fmu", "published-ring-damper", "-o", str(tmp_path / "craft.fmu"))
    assert found.code == 2
    assert "a formulation has its own states" in found.err
    found = polhode("fmu", "slew-lqr", "--fmi", "1", "-o", str(tmp_path / "craft.fmu"))
    assert found.code == 2
    assert "fmi" in found.err
