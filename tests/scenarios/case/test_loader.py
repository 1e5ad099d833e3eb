"""Sources of a case, and --set."""

from __future__ import annotations

from pathlib import Path

import pytest

from polhode.plant.errors import InputError
from polhode.scenarios.case.loader import load_case, shipped_cases
from polhode.scenarios.case.overrides import parse_override

from ..conftest import SMALL

SHIPPED = (
    "acquisition",
    "cmg-pyramid",
    "cubesat-detumble",
    "disk-on-spring",
    "dual-spin",
    "flat-spin",
    "flexible-on-wheels",
    "flexible-satellite-free",
    "flexible-satellite-torque",
    "flexible-slew",
    "four-wheel-pyramid",
    "geo-momentum-bias",
    "gravity-gradient",
    "guided-slew",
    "identified-inertia",
    "keep-out-slew",
    "magnetic-pointing",
    "magnetic-regulator",
    "magnetic-unloading",
    "momentum-bias",
    "nadir-pointing",
    "nadir-sensing",
    "nine-modes",
    "nutation-damping",
    "nutation-damping-minor-axis",
    "orbit-with-drag",
    "panel-deployment",
    "passive-magnetic",
    "plane-change-burn",
    "published-ring-damper",
    "pulsed-station",
    "pulsed-thrusters",
    "roll-coupling",
    "seeker-under-gravity",
    "slew-dispersed",
    "slew-lqr",
    "slew-quaternion-feedback",
    "slew-with-actuator-lag",
    "spin-stabilised-with-control",
    "spinner-precession",
    "spinning-top",
    "spring-mounted-case-1",
    "spring-mounted-case-2",
    "spring-mounted-case-2-from-rest",
    "spring-mounted-case-3",
    "star-tracker-pointing",
    "thruster-limit-cycle",
    "thrusters-and-wheels",
    "torque-free",
    "tumbling-brick",
    "tuned-flexible",
    "wheel-jitter",
    "wing-deployment",
)


def test_shipped_cases() -> None:
    assert shipped_cases() == SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_case_is_documented(name: str) -> None:
    loaded = load_case(name)
    assert loaded.name == loaded.source == name
    assert len(loaded.case.title) > 10
    assert len(loaded.case.description) > 20
    assert loaded.case.require


def test_path_is_named_by_its_stem(small: Path) -> None:
    loaded = load_case(small)
    assert (loaded.name, loaded.source) == ("small", str(small))


def test_folder_does_not_hide_shipped_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`polhode run slew-lqr --out slew-lqr` can be run twice."""
    (tmp_path / "slew-lqr").mkdir()
    monkeypatch.chdir(tmp_path)
    assert load_case("slew-lqr").source == "slew-lqr"


def test_file_without_ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").write_text(SMALL, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_case("mine").case.title == "a body at rest"


def test_windows_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    path.write_bytes(b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode())
    assert load_case(path).case.run.duration_s == 2.0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("slew-lrq", "slew-lrq: neither a shipped case nor a file; did you mean the shipped case slew-lqr?"),
        ("nowhere/slew_lqr.toml", "no such file; did you mean the shipped case slew-lqr?"),
        ("zzz", "shipped cases: acquisition, cmg-pyramid, cubesat-detumble"),
        ("", "the name of the case is empty; shipped cases: "),
    ],
)
def test_missing_case(name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message):
        load_case(name)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"this is not TOML", "is not valid TOML: .*line 1"),
        (b"title = 'a'\ntitle = 'b'\n", "is not valid TOML: .*line 2"),
        (b"[plant]\n[plant]\n", "is not valid TOML"),
        (b"\xff\xfe\x00", "is not UTF-8 text"),
        (b"x = " + b"[" * 20000, "nested too deeply|not valid TOML"),
        (b"x = 2020-13-45", "is not valid TOML"),
        (b"x = " + b"1" * 10000, "is not valid TOML"),
        (b"", "plant: required, but not given"),
    ],
)
def test_file_that_is_no_case(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as refused:
        load_case(path)
    assert str(refused.value).startswith(str(path))


def test_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory; give the file inside it"):
        load_case(tmp_path)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("run.duration_s=10", 10),
        ("run.duration_s = 1e2", 100.0),
        ("plant.inertia_kg_m2=[1, 2, 3]", [1, 2, 3]),
        ("plant.torque_basis=inertial", "inertial"),
        ('plant.torque_basis="inertial"', "inertial"),
        ("plant.euler_sequence=3-1-3", "3-1-3"),
        ("plant.translation=true", True),
        ("title=a = b", None),
        (
            "initial.attitude_deg={ sequence = '3-2-1', angles = [1, 2, 3] }",
            {"sequence": "3-2-1", "angles": [1, 2, 3]},
        ),
    ],
)
def test_values_are_written_as_in_toml(text: str, value: object) -> None:
    if value is None:
        with pytest.raises(InputError, match="is not a TOML value"):
            parse_override(text)
        return
    path, got = parse_override(text)
    assert path == tuple(text.split("=", maxsplit=1)[0].strip().split("."))
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize("text", ["duration", "=3", "run..x=3", "a b=3", "run.duration_s=", "x=1\ny=2", "x=[1,"])
def test_override_without_value_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="--set "):
        parse_override(text)


def test_overrides_are_applied_in_order(small: Path) -> None:
    case = load_case(small, ["run.duration_s=5", "run.duration_s=6", "plant.inertia_kg_m2.0=4.5"]).case
    assert case.run.duration_s == 6.0
    assert case.plant.inertia_kg_m2 == (4.5, 3.0, 2.0)


def test_override_reaches_into_list_of_tables() -> None:
    assert load_case("pulsed-station", ["torques.0.from_s=10.5"]).case.torques[0].from_s == 10.5


def test_override_makes_table_it_needs(small: Path) -> None:
    assert load_case(small, ["metrics.settling_band_deg=1"]).case.metrics.settling_band_deg == 1.0


def test_another_unit_takes_the_place_of_the_key_it_replaces(small: Path) -> None:
    initial = load_case(small, ["initial.rate_deg_s=[1, 2, 3]"]).case.initial
    assert initial.rate_rad_s is None
    assert initial.rate_deg_s == (1.0, 2.0, 3.0)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("plant.inertia_kgm2=[1,1,1]", "plant.inertia_kgm2: unknown key; did you mean inertia_kg_m2?"),
        ("plnt.mass_kg=1", "plnt: unknown key; did you mean plant?"),
        ("title.x=1", "title is a value, not a table; it has no key 'x'"),
        ("title.x.y=1", "title is a value, not a table"),
        ("plant.inertia_kg_m2.3=1", "plant.inertia_kg_m2 has 3 entries, numbered 0 to 2"),
        ("plant.inertia_kg_m2.x=1", "plant.inertia_kg_m2 has 3 entries"),
        ("run.duration_s=-1", "run.duration_s: must be greater than 0 s; got -1 s"),
        ("run.duration_s=nan", "run.duration_s: must be finite; got nan"),
        ("run.duration_s=True", "run.duration_s: must be a number; got the text 'True'"),
        ("torques.0.from_s=1", "torques: must be a list of tables"),
    ],
)
def test_wrong_override(small: Path, override: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        load_case(small, [override])
    assert message in str(refused.value)


def test_override_of_an_entry_of_an_empty_list_says_how_to_add_one(small: Path) -> None:
    with pytest.raises(InputError, match=r"torques is an empty list, without an entry 0; .*: torques=\[\.\.\.\]"):
        load_case(small, ["torques=[]", "torques.0.from_s=1"])
