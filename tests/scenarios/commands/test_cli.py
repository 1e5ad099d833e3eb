"""The command line: its output, streams and exit codes."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polhode.scenarios.commands.invoke import invoke, main

from ..conftest import SMALL, Command

OVERLAP = """
[[torques]]
from_s = 0.5
to_s = 1.5
components_N_m = [0.1, 0, 0]

[[torques]]
from_s = 1
to_s = 2
basis = "dual-euler"
euler_sequence = "3-1-2"
components_N_m = [0, 0.1, 0]
euler_rate_damping_N_m_s = [0, 0.1, 0]
"""


def one_message(text: str) -> str:
    """Standard error as one message: no traceback, nothing of the libraries beneath."""
    assert text.startswith("polhode: ")
    assert text.count("polhode: ") == 1
    for word in ("Traceback", 'File "', "pydantic", "Usage:"):
        assert word not in text
    return text.removeprefix("polhode: ").rstrip("\n")


BAD_CASES = {
    "unknown key": (
        "inertia_kg_m2",
        "inertia_kgm2",
        "plant.inertia_kgm2: unknown key; did you mean inertia_kg_m2?",
    ),
    "wrong shape": ("[4.0, 3.0, 2.0]", "[4.0, 3.0]", "plant.inertia_kg_m2: must be 3 numbers"),
    "inertia": ("[4.0, 3.0, 2.0]", "[20, 10, 5]", "fails the triangle inequality: 20 > 10 + 5 kg m^2"),
    "indefinite": ("[4.0, 3.0, 2.0]", "[4, 0, 2]", "inertia must be positive definite"),
    "non-unit attitude": (
        "[initial]",
        "[initial]\nattitude = [1, 1, 0, 0]",
        "initial: attitude must be unit",
    ),
    "NaN": (
        "[0.0, 0.0, 0.1]",
        "[0.0, nan, 0.1]",
        "initial.rate_rad_s: must be 3 numbers; number 2 must be finite",
    ),
    "negative duration": ("= 2.0", "= -2.0", "run.duration_s: must be greater than 0 s; got -2.0 s"),
    "basis": ("[initial]", "torque_basis = 'bodyy'\n[initial]", "unknown 'bodyy'; did you mean 'body'?"),
    "sequence": (
        "[initial]",
        "torque_basis = 'euler'\neuler_sequence = '3-2-2'\n[initial]",
        "plant.euler_sequence: unknown '3-2-2'; did you mean",
    ),
    "not TOML": ("[plant]", "[plant", "is not valid TOML"),
}


@pytest.mark.parametrize("command", ["run", "linearize", "design"])
@pytest.mark.parametrize(("old", "new", "message"), BAD_CASES.values(), ids=list(BAD_CASES))
def test_bad_input(polhode: Command, tmp_path: Path, command: str, old: str, new: str, message: str) -> None:
    assert old in SMALL
    path = tmp_path / "bad.toml"
    path.write_text(SMALL.replace(old, new), encoding="utf-8")
    outcome = polhode(command, path, "--json")
    assert outcome.code == 2
    assert outcome.out == ""
    said = one_message(outcome.err)
    assert said.startswith(f"{path}: ")
    assert message in said
    assert len(said.splitlines()) == 1


def test_missing_file(polhode: Command) -> None:
    outcome = polhode("run", "cases/slew_lqr.toml")
    assert (outcome.code, outcome.out) == (2, "")
    assert one_message(outcome.err).endswith("no such file; did you mean the shipped case slew-lqr?")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("nowhere/case.toml", "nowhere/case.toml: no such file; there is no folder nowhere"),
        ("smal.toml", "did you mean small.toml?"),
        ("smal", "did you mean small.toml?"),
        ("orbit.toml", "orbit.toml: no such file; . has small.toml"),
        ("slew-lrq", "did you mean the shipped case slew-lqr?"),
        ("satellite", "satellite: neither a shipped case nor a file; shipped cases: "),
        ("a" * 300, "cannot be read (File name too long)"),
    ],
)
def test_neighbours_of_a_missing_file(
    polhode: Command, small: Path, monkeypatch: pytest.MonkeyPatch, word: str, message: str
) -> None:
    monkeypatch.chdir(small.parent)
    outcome = polhode("run", word)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in one_message(outcome.err)


@pytest.mark.parametrize("command", ["run", "design", "analyse", "linearize"])
def test_case_that_is_no_regular_file(polhode: Command, tmp_path: Path, command: str) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    assert f"{pipe}: is a pipe, not a file" in one_message(polhode(command, pipe).err)
    assert "/dev/zero: is a device, not a file" in one_message(polhode(command, "/dev/zero").err)


def test_folder_name_of_300_letters(polhode: Command, small: Path, tmp_path: Path) -> None:
    outcome = polhode("run", small, "--out", tmp_path / ("a" * 300))
    assert (outcome.code, outcome.out) == (2, "")
    assert "cannot be written (File name too long); choose another directory" in one_message(outcome.err)


@pytest.mark.parametrize("command", ["run", "design", "analyse"])
def test_refused_command_leaves_no_folder_behind(polhode: Command, tmp_path: Path, command: str) -> None:
    case = tmp_path / "bad.toml"
    case.write_text(SMALL.replace("[4.0, 3.0, 2.0]", "[20.0, 10.0, 5.0]"), encoding="utf-8")
    assert polhode(command, case, "--out", tmp_path / "new" / "results").code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["bad.toml"]


def test_torques_that_overlap_in_different_bases_add(polhode: Command, small: Path) -> None:
    small.write_text(SMALL + OVERLAP, encoding="utf-8")
    outcome = polhode("run", small, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.json["status"] == "completed"


def test_out_is_a_file(polhode: Command, small: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("x", encoding="utf-8")
    outcome = polhode("run", small, "--out", tmp_path / "taken")
    assert (outcome.code, outcome.out) == (2, "")
    assert "taken: is a file; give a directory" in one_message(outcome.err)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unwritable for root")
def test_out_is_read_only(polhode: Command, small: Path, tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(stat.S_IRUSR | stat.S_IXUSR)
    outcome = polhode("run", small, "--out", locked / "results")
    assert (outcome.code, outcome.out) == (2, "")
    assert "cannot be written (Permission denied)" in one_message(outcome.err)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs Linux's /proc, where even root cannot write")
def test_out_cannot_be_made(polhode: Command, small: Path) -> None:
    outcome = polhode("run", small, "--out", "/proc/polhode-results")
    assert (outcome.code, outcome.out) == (2, "")
    assert "--out /proc/polhode-results: cannot be written" in one_message(outcome.err)


def test_out_is_tried_before_the_run(polhode: Command, small: Path, tmp_path: Path, monkeypatch) -> None:
    from polhode import sim

    def simulate(*_: object, **__: object) -> None:
        raise AssertionError("ran before --out was tried")

    monkeypatch.setattr(sim, "simulate", simulate)
    (tmp_path / "taken").write_text("x", encoding="utf-8")
    assert polhode("run", small, "--out", tmp_path / "taken").code == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["runn", "slew-lqr"], "No such command 'runn'"),
        (["run"], "nothing to run; give CASE"),
        (["run", "slew-lqr", "--jsn"], "No such option"),
        (["run", "slew-lqr", "--out"], "requires an argument"),
        (["run", "a", "b"], "unexpected extra argument"),
        (["run", "slew-lqr", "--set", "x"], "--set 'x': write key.path=value"),
        (["run", "slew-lqr", "--at", "1;2"], "--at '1;2': '1;2' is not a number"),
        (["run", "slew-lqr", "--at", "1,,2"], "'' is not a number"),
        (["run", "slew-lqr", "--at", "1,301"], "301 s is outside the run, from 0 to 300 s"),
        (["run", "slew-lqr", "--at", "nan"], "nan s is outside the run"),
        (["run", "slew-lqr", "--at=-1"], "-1 s is outside the run"),
        (["design", "torque-free"], "torque-free: the case has no [controller] to design"),
        (["linearize", "torque-free"], "--allow-nonequilibrium"),
        (
            ["linearize", "slew-lqr", "--set", "plant.inertia_kg_m2=[1, 1, 3]"],
            "fails the triangle inequality",
        ),
    ],
)
def test_wrong_words(polhode: Command, words: list[str], message: str) -> None:
    outcome = polhode(*words)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in one_message(outcome.err)


def test_no_words_print_the_help(polhode: Command) -> None:
    outcome = polhode()
    assert (outcome.code, outcome.err) == (0, "")
    for command in ("list", "run", "design", "linearize", "schema"):
        assert f"  {command} " in outcome.out


def test_version(polhode: Command) -> None:
    outcome = polhode("--version")
    assert outcome.code == 0
    assert outcome.out.startswith("polhode ")


def test_list(polhode: Command) -> None:
    lines = polhode("list").out.split("\n\n")[0].splitlines()
    assert [line.split()[0] for line in lines] == [item["name"] for item in polhode("list", "--json").json["cases"]]
    assert "slew-lqr" in [line.split()[0] for line in lines]


def test_schema(polhode: Command) -> None:
    schema = polhode("schema").json
    assert set(schema["required"]) == {"plant", "run"}
    assert schema["properties"]["plant"]["$ref"] == "#/$defs/PlantTable"
    assert "FlexibleArmTable" in schema["$defs"]


def test_linearize(polhode: Command) -> None:
    model = polhode("linearize", "slew-lqr", "--json").json
    assert list(model)[:8] == [
        "states",
        "inputs",
        "outputs",
        "A",
        "B",
        "C",
        "D",
        "eigenvalues",
    ]
    assert model["states"][:3] == ["attitude_error_x", "attitude_error_y", "attitude_error_z"]
    assert model["equilibrium_residual"] == 0.0
    assert model["eigenvalues"] == [[0.0, 0.0]] * 6
    assert model["B"][3:] == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


def test_linearize_a_state_that_is_not_steady(polhode: Command) -> None:
    model = polhode("linearize", "torque-free", "--json", "--allow-nonequilibrium").json
    assert model["equilibrium_residual"] == pytest.approx(173.205, abs=1e-3)  # h3 w1 - h1 w3, as printed


def test_linearize_for_a_person(polhode: Command) -> None:
    outcome = polhode("linearize", "slew-lqr")
    assert outcome.code == 0
    assert "eigenvalues (1/s)" in outcome.out


@pytest.mark.parametrize(
    ("case", "gain"),
    [("slew-lqr", "K"), pytest.param("slew-quaternion-feedback", "stiffness_N_m", marks=pytest.mark.slow)],
)
def test_design(polhode: Command, case: str, gain: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from polhode import controllers

    results: list[controllers.LoopAnalysis] = []

    def analyse_once(*arguments: Any, **named: Any) -> controllers.LoopAnalysis:
        results.extend([] if results else [analyse(*arguments, **named)])  # a second of margins
        return results[0]

    analyse = controllers.analyse
    monkeypatch.setattr(controllers, "analyse", analyse_once)
    design = polhode("design", case, "--json").json
    assert set(design) >= {"method", "gains", "closed_loop_poles", "margins"}
    assert len(design["gains"][gain]) == 3
    assert all(re * re + im * im < 1.0 for re, im in design["closed_loop_poles"])
    assert [axis["input"] for axis in design["margins"]["axes"]] == ["torque_1", "torque_2", "torque_3"]
    assert gain in polhode("design", case).out


def test_unexpected_failure_is_one_message(polhode: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from polhode.scenarios.commands import case_files

    def list_cases(folder: Path | None, *, json: bool) -> int:
        raise ZeroDivisionError("nobody thought of this")

    monkeypatch.setattr(case_files, "list_cases", list_cases)
    outcome = polhode("list")
    assert outcome.code == 3
    assert "internal error, ZeroDivisionError: nobody thought of this" in one_message(outcome.err)
    monkeypatch.setenv("POLHODE_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        invoke(["list"])


@pytest.mark.slow
def test_reader_that_leaves_early() -> None:
    code = "import sys; from polhode.scenarios.commands.invoke import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "schema"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    error = process.stderr.read()
    process.stderr.close()
    process.wait(60)
    assert "Traceback" not in error


def test_process_leaves_with_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    for words, code in ((["list", "--json"], 0), (["run", "slew-lrq"], 2)):
        monkeypatch.setattr(sys, "argv", ["polhode", *words])
        with pytest.raises(SystemExit) as left:
            main()
        assert left.value.code == code


HEAVY = ("scipy.integrate", "control", "matplotlib", "xarray", "pandas", "rich", "h5netcdf")


@pytest.mark.thinned(4)
@pytest.mark.parametrize(
    "words",
    [["list", "--json"], ["schema"], ["linearize", "slew-lqr", "--json"], ["run", "torque-free", "--json"]],
)
def test_start_up_is_light(words: list[str]) -> None:
    code = (
        "import json, sys; from polhode.scenarios.commands.invoke import invoke; code = invoke(sys.argv[1:]);"
        f"sys.stderr.write(json.dumps([code, [name for name in {HEAVY!r} if name in sys.modules]]))"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=300, check=True)
    assert json.loads(done.stderr.splitlines()[-1]) == [0, []]
    json.loads(done.stdout)


@pytest.mark.slow
def test_elliptic_orbit_is_analysed_over_one_period(polhode: Command, tmp_path: Path) -> None:
    outcome = polhode("analyse", "nadir-pointing", "--out", tmp_path / "new")
    assert outcome.code == 0
    assert "margins over the orbit" in outcome.out
    found = json.loads((tmp_path / "new" / "analysis.json").read_text(encoding="utf-8"))["floquet"]
    assert found["samples"] == 7363
    gains = [row for row in found["margins"] if row["kind"] != "gain down"]
    assert len(gains) == 7
    assert all(row["confirmed"] for row in gains)


@pytest.mark.parametrize("command", ["design", "run", "linearize"])
def test_advice_is_of_the_command(polhode: Command, small: Path, command: str) -> None:
    law = 'kind = "lqr"\nattitude_weight = 1\nrate_weight = 1\neffort_weight = 1\nsample_s = 1\n'
    tumbling = "attitude = [1, 0, 0, 0]\nrate_rad_s = [0.1, 0.2, 0.1]\n"
    small.write_text(f"{SMALL}[controller]\n{law}[reference]\n{tumbling}", encoding="utf-8")
    outcome = polhode(command, small)
    assert outcome.code == 2
    assert "allow_nonequilibrium" not in outcome.err
    assert ("--allow-nonequilibrium" in outcome.err) == (command == "linearize")


def test_every_number_of_a_matrix_is_whole(polhode: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    said = polhode("linearize", "four-wheel-pyramid").out
    assert "…" not in said
    assert "..." not in said
    assert all(len(line) <= 80 for line in said.splitlines())
    model = polhode("linearize", "four-wheel-pyramid", "--json").json
    assert all(f"{value:.5g}" in said for row in model["A"] for value in row)


@pytest.mark.slow
def test_design_of_flexible_satellite_says_what_is_met(polhode: Command) -> None:
    short = ("--set", "run.duration_s=0.2", "--set", "metrics.residual_from_s=0.1")
    outcome = polhode("design", "flexible-slew", "--json", *short)
    assert [item["metric"] for item in outcome.json["requirements"]] == [
        "residual_tip_deflection_m",
        "final_attitude_error_deg",
        "peak_torque_N_m",
    ]
    assert (outcome.code, "requirement not met: " in outcome.err) == (1, True)


def test_linearising_a_craft_with_two_control_torques_says_which(polhode: Command) -> None:
    """The wheels' B turns wheels and leaves the momentum; the external one's is the other way about."""
    for more, words in ((), ["the control torque of the wheels is the input"]), (("--actuators", "external"), []):
        found = polhode("linearize", "thrusters-and-wheels", "--json", *more).json
        assert [each[:45] for each in found["warnings"]] == words
        B = np.array(found["B"])
        turned, pushed = (B[6:], B[3:6]) if words else (B[3:6], B[6:])
        assert np.abs(turned).max() > 0.4
        assert not pushed.any()
    said = polhode("linearize", "slew-lqr", "--actuators", "wheels").err
    assert "control torque 'wheels' is unknown" in said
