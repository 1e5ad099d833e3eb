"""Files that a case reads, in every table that can name one."""

import hashlib
import json
import os
import re

import pytest

from polhode.plant.errors import InputError
from polhode.scenarios.case import stored
from polhode.scenarios.case.files_read import digests_of, programs_in
from polhode.scenarios.case.kinds.blocks.kinds import KINDS as BLOCKS
from polhode.scenarios.case.kinds.laws.kinds import KINDS as LAWS
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.kinds.torques.kinds import KINDS as TORQUES
from polhode.scenarios.case.loader import checked_case
from polhode.scenarios.case.schema import Case
from polhode.scenarios.case.schema.fields import Table

BASE = {
    "title": "x",
    "plant": {"inertia_kg_m2": [4.0, 3.0, 2.0]},
    "reference": {"attitude": [1.0, 0.0, 0.0, 0.0]},
    "controller": {"kind": "rate-damping", "gain_N_m_s": 1.0, "sample_s": 0.1},
    "run": {"duration_s": 1.0},
}
LAW = {"kind": "file", "file": "law"}
SYSTEM = {"kind": "control-system", "file": "law", "sample_s": 0.1}
FMU = {"kind": "fmu", "file": "law", "outputs": {"torque": ["a", "b", "c"]}, "sample_s": 0.1}
SCRIPT = {"kind": "process", "command": ["python3", "law", "x" * 5000], "reads": "rate"}


@pytest.mark.parametrize(
    "tables",
    [
        {"controller": LAW},
        {"controller": SYSTEM},
        {"controller": FMU},
        {"compare": [{"label": "a", "controller": LAW}]},
        {"modes": [{"name": "a", "final": True, "controller": LAW}]},
        {"modes": [{"name": "a"}, {"name": "b", "final": True, "controller": SYSTEM}]},
        {"torques": [FMU]},
        {"blocks": [{**SCRIPT, "folder": "."}]},
        {"torques": [{**SCRIPT, "sample_s": 0.1}]},
    ],
)
def test_every_file_of_a_case_is_digested(tmp_path, monkeypatch, tables):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "law").write_bytes(b"gains")
    case = Case.model_validate({**BASE, **tables})
    assert digests_of(case) == {"law": hashlib.sha256(b"gains").hexdigest()}
    (tmp_path / "law").unlink()
    assert not digests_of(case)


def test_programs_of_a_case_are_named(tmp_path):
    blocks = [{**SCRIPT, "command": ["b"]}, {**SCRIPT, "command": ["a", "c"], "name": "other"}]
    case = Case.model_validate({**BASE, "blocks": blocks, "torques": [{"kind": "process", "port": 7, "sample_s": 1.0}]})
    assert programs_in(case) == ("'a c' in '.'", "'b' in '.'", "port 7")
    assert programs_in(Case.model_validate(BASE)) == ()


def inner(table):
    """A class of tables with its subclasses."""
    yield table
    for each in table.__subclasses__():
        yield from inner(each)


def test_every_key_for_a_file_is_declared_a_path():
    assert all(kind.table for kinds in (LAWS, BLOCKS, TORQUES) for kind in kinds)  # reads their files
    for table in inner(Table):
        named = {
            key
            for key in table.model_fields
            if key.split("_")[-1] in {"ephemeris", "file", "folder", "path", "table", "script"}
        }
        assert named == set(table.paths), table


ORBIT = {"orbit": {"epoch": "2026-03-20T12:00:00Z", "ephemeris": "law"}, "environment": {"gravity_gradient": True}}
TORQUE = {"torques": [{"kind": "table", "table": "law"}]}


@pytest.mark.parametrize("tables", [ORBIT, TORQUE])
def test_ephemeris_and_torque_table_are_digested(tmp_path, monkeypatch, tables):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "law").write_bytes(b"gains")
    case = Case.model_validate({**BASE, **tables})
    assert digests_of(case) == {"law": hashlib.sha256(b"gains").hexdigest()}


def test_orbit_without_a_file_has_none():
    orbit = {"epoch": "2026-03-20T12:00:00Z", "altitude_km": 500.0, "inclination_deg": 51.6}
    assert digests_of(Case.model_validate({**BASE, "orbit": orbit})) == {}


PLACES = {
    "controller.file": {"controller": LAW},
    "controller.folder": {"controller": {"kind": "process", "command": ["x"], "folder": "law", "sample_s": 0.1}},
    "orbit.ephemeris": ORBIT,
    "torques.0.table": TORQUE,
    "torques.0.file": {"torques": [FMU]},
}


@pytest.mark.parametrize(("name", "words"), [("a\0b", "without NUL characters"), ("", "got an empty string")])
@pytest.mark.parametrize("key", PLACES)
def test_path_that_names_no_file_is_refused_by_its_key(key, name, words):
    document = {**BASE, **json.loads(json.dumps(PLACES[key]).replace('"law"', json.dumps(name)))}
    with pytest.raises(InputError, match=f"^x: {re.escape(key)}: must be a path(?:, | |; ){words}"):
        checked_case("x", "x", document)


@pytest.mark.parametrize("key", ["controller.file", "orbit.ephemeris", "torques.0.table"])
@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_case_does_not_wait_for_what_is_no_file(tmp_path, key, kind):
    os.mkfifo(tmp_path / "pipe")
    name = {"pipe": str(tmp_path / "pipe"), "device": "/dev/zero", "folder": str(tmp_path)}[kind]
    text = json.dumps(PLACES[key]).replace('"law"', json.dumps(name))
    case = checked_case("x", "x", {**BASE, **json.loads(text)}).case
    with pytest.raises(InputError, match=f"is a {'directory' if kind == 'folder' else kind}"):
        build(case)
    assert not digests_of(case)


def test_stored_case_names_its_files_wherever_it_is_read(tmp_path, monkeypatch):
    """The document of a run.nc has absolute paths: it is read from any folder."""
    found = {}
    monkeypatch.setattr(stored, "state", found.update)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for tables in (ORBIT, TORQUE):
        stored.state_case(checked_case("x", "folder/x.toml", {**BASE, **tables}))
        document = json.dumps(found["case"])
        assert json.dumps(str(tmp_path / "folder/law")) in document
        assert '"law"' not in document
