"""Files that a case reads, in every table that can name one."""

import hashlib

import pytest

from polhode.scenarios.case.files_read import digests_of, programs_in
from polhode.scenarios.case.schema import Case
from polhode.scenarios.case.schema.fields import Table
from polhode.scenarios.objects.blocks.kinds import KINDS as BLOCKS
from polhode.scenarios.objects.laws.kinds import KINDS as LAWS
from polhode.scenarios.objects.torques.kinds import KINDS as TORQUES

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
    """A class of tables with those that derive from it."""
    yield table
    for each in table.__subclasses__():
        yield from inner(each)


def test_every_key_for_a_file_is_declared_a_path():
    assert all(kind.table for kinds in (LAWS, BLOCKS, TORQUES) for kind in kinds)  # reads their files
    for table in inner(Table):
        named = {
            key for key in table.model_fields if key.split("_")[-1] in {"file", "folder", "path", "table", "script"}
        }
        assert named == set(table.paths), table
