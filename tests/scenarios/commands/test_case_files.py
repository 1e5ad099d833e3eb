"""Commands `list`, `new`, `show` and `schema KIND`."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest

from polhode.scenarios import load_case
from polhode.scenarios.case.key_table import find_tables, key_tables

from ..conftest import SMALL, Command


def test_new_case_is_a_valid_case_that_meets_its_requirements(polhode: Command, tmp_path: Path) -> None:
    path = tmp_path / "my-craft.toml"
    assert polhode("new", tmp_path / "my-craft").code == 0
    assert load_case(path).case.title == "my-craft"
    done = polhode("run", path, "--json")
    assert done.code == 0, done.err
    assert [each["metric"] for each in done.json["requirements"]] == [
        "settling_time_s", "final_attitude_error_deg", "phase_margin_deg",
    ]  # fmt: skip


def test_new_case_replaces_no_file(polhode: Command, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("kept", encoding="utf-8")
    done = polhode("new", path)
    assert (done.code, path.read_text(encoding="utf-8")) == (2, "kept")
    assert "already exists" in done.err
    assert polhode("new", tmp_path / "no" / "folder").code == 1


@pytest.mark.parametrize("name", ['quo"te', "back\\slash", "naïve"])
def test_new_case_escapes_its_title(polhode: Command, tmp_path: Path, name: str) -> None:
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        pytest.skip("the file system encoding of this locale lacks the name")
    assert polhode("new", tmp_path / name).code == 0
    path = tmp_path / f"{name}.toml"
    assert tomllib.loads(path.read_text(encoding="utf-8"))["title"] == name


def test_title_defaults_to_the_name(polhode: Command, tmp_path: Path) -> None:
    path = tmp_path / "nameless.toml"
    path.write_text(SMALL.replace('title = "a body at rest"', ""), encoding="utf-8")
    assert load_case(path).case.title == "nameless"
    assert "nameless  nameless" in polhode("run", path).out


def test_show_prints_the_file(polhode: Command, small: Path) -> None:
    assert polhode("show", small).out == SMALL
    changed = tomllib.loads(polhode("show", small, "--set", "run.duration_s=3.0").out)
    assert changed == {**tomllib.loads(SMALL), "run": {"duration_s": 3.0, "output_s": 0.5}}
    told = polhode("show", "slew-lqr", "--json").json
    assert tomllib.loads(Path(told["path"]).read_text(encoding="utf-8")) == told["case"]


def test_list_names_paths_and_takes_a_folder(polhode: Command, small: Path, tmp_path: Path) -> None:
    for each in polhode("list", "--json").json["cases"]:
        assert Path(each["path"]).is_file()
    assert polhode("list", small.parent, "--json").json["cases"][0]["path"] == str(small)
    assert "not a folder" in polhode("list", tmp_path / "nowhere").err


def test_schema_of_a_kind_names_unit_bound_and_default(polhode: Command) -> None:
    lines = polhode("schema", "ring-damper").out.splitlines()
    assert lines[0] == '[[plant.elements]] kind = "ring-damper"'
    at = lines.index("  fill_deg")
    assert lines[at + 1].strip() == "number, deg, > 0 and <= 360, default 360.0"
    assert polhode("schema", "controller.fmu", "--json").json["properties"]["kind"]["const"] == "fmu"
    assert "did you mean lqr" in polhode("schema", "lrq").err
    assert "several tables" in polhode("schema", "fmu", "--json").err


def test_key_tables_cover_the_schema_once() -> None:
    from polhode.scenarios.case.schema import Case

    schema = Case.model_json_schema()
    paths = [each.path for each in key_tables()]
    assert len(paths) == len(set(paths))
    counted = sum(len(table["properties"]) for table in (schema, *schema["$defs"].values()) if "properties" in table)
    assert sum(len(each.rows) for each in key_tables()) == counted


@pytest.mark.parametrize(
    ("table", "key", "unit"),
    [
        ("plant", "inertia_kg_m2", "kg m^2"),
        ("plant.potentials.spring", "stiffness_N_m", "N/m"),
        ("plant.elements.pendulum", "damping_N_m_s", "N m s"),
        ("plant.elements.pendulum", "stiffness_N_m_rad", "N m/rad"),
        ("plant.magnetorquers", "gain_A_m2_s_T", "A m^2 s/T"),
        ("sensors.gyro", "rate_random_walk_deg_h_sqrt_h", "deg/h/sqrt(h)"),
        ("controller.lqg", "torque_noise_N_m_rtHz", "N m/sqrt(Hz)"),
        ("controller.lqr", "effort_weight", "1/(N m)^2"),
        ("blocks.rate-limit", "rate_per_s", "1/s"),
        ("dispersions", "sigma", ""),
        ("run", "rtol", ""),
    ],
)
def test_key_units(table: str, key: str, unit: str) -> None:
    (found,) = find_tables(table)
    assert next(row.unit for row in found.rows if row.key == key) == unit


def test_every_key_with_a_dimension_has_a_unit() -> None:
    """A key that ends in a unit of the case files without a unit in its row would mislead a reader."""
    endings = ("_m", "_s", "_deg", "_rad", "_kg", "_N", "_Pa", "_km", "_T", "_nT", "_Hz", "_K", "_h", "_m2", "_s2")
    bare = [(each.path, row.key) for each in key_tables() for row in each.rows
            if row.key.endswith(endings) and not row.unit and "table" not in row.type]  # fmt: skip
    assert not bare
