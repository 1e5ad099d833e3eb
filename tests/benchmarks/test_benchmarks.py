"""The benchmarks run; their results are not judged here."""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def outcome(script, *arguments):
    done = subprocess.run(
        [sys.executable, HERE / script, "--json", *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_benchmarks_run_every_problem_and_name_missing_tools():
    parts = [word for part in ("slew", "wheels", "arm", "campaign") for word in ("--only", part)]
    found = outcome("__main__.py", "--brief", "--without", "scipy", *parts)
    assert set(found["contestants"]) | set(found["missing"]) >= {"ours", "c", "basilisk", "mujoco", "drake", "exudyn"}
    assert {"ours", "control"} <= set(found["contestants"])
    for name, rows in found["problems"].items():
        for row in rows:
            assert "failed" not in row, row
            assert row["error"] <= 1e-3, (name, row)  # the bound of shortened problems; wrong physics gives 0.1
    flown = [row for row in found["campaign"] if row["who"].startswith(("polhode", "C"))]
    assert len(flown) >= 2
    for row in flown:
        assert row["apart"] <= 1e-12, row  # of 10 steps each; rounding alone


def test_tool_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    race = importlib.import_module("race")
    found, missing = race.started(["nobody"], [])
    assert not found
    assert "nobody" in missing["nobody"]
    assert all(title and how for title, how in race.CONTESTANTS.values())
    assert {path.stem for path in (HERE / "contestants").glob("*.py")} >= set(race.CONTESTANTS)


@pytest.mark.slow
def test_case_campaigns_tell_runs_a_second_and_stages():
    found = outcome("case_campaigns.py", "--runs", "8", "--repetitions", "1")
    assert len(found["rows"]) == 3
    for row in found["rows"]:
        assert row["runs_a_second"] == pytest.approx(1e3 / row["whole_ms"])
        assert row["engine_ms"] > 0.0


@pytest.mark.slow
def test_packs_and_single_runs_end_in_the_same_states():
    found = outcome("packs_against_single.py", "--runs", "9", "--repetitions", "1", "--plant", "ring")
    assert len(found["rows"]) == 3  # the script checks the states
    for row in found["rows"]:
        assert row["engine_ratio"] == pytest.approx(row["engine_us"]["single"] / row["engine_us"]["packs"])


@pytest.mark.slow
def test_environment_cost_is_measured_with_and_without_wheels():
    found = outcome("environment_cost.py", "--repetitions", "1")
    assert [(row["plant"], row["integrator"]) for row in found["rows"]] == [
        (plant, integrator) for plant in ("bare body", "three wheels") for integrator in ("rk4", "rk8", "dop853")
    ]
    for row in found["rows"]:
        assert row["steps"] >= 2000.0 / 0.8  # all runs last 2000 s
        assert row["ratio"] == pytest.approx(row["step_ns"]["whole"] / row["step_ns"]["without"])
        assert row["ratio"] > 1.0


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None and shutil.which("cc") is None, reason="no C compiler")
def test_engine_and_c_program_take_same_steps():
    found = outcome("slew_against_c.py", "--repetitions", "3")
    assert len(found["rows"]) == 4
    for row in found["rows"]:
        assert row["states_apart"] <= 1e-12  # bound and reason as in the script; a wrong step or law gives 1e-6
        assert row["ratio_of_best"] > 0.1
    assert "processor" in found["machine"]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None and shutil.which("cc") is None, reason="no C compiler")
def test_elements_and_the_c_program_take_the_same_steps():
    found = outcome("elements_against_c.py", "--repetitions", "2")
    assert [row["plant"] for row in found["rows"]] == ["body", "ring", "wheels_and_modes"]
    for row in found["rows"]:
        assert row["states_apart"] <= 1e-11  # bound and reason as in the script; a wrong term gives 1e-3
        assert row["ratio_of_best"] > 0.1


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None and shutil.which("cc") is None, reason="no C compiler")
def test_filter_and_c_program_come_to_same_estimate():
    found = outcome("mekf_against_c.py", "--repetitions", "1")
    assert found["filter"]["apart"] <= 1e-9  # bound and reason as in the script; without the reset of P it is 1e-4
    assert len(found["sensors"]) == 5


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None and shutil.which("cc") is None, reason="no C compiler")
def test_laws_exported_and_written_by_hand_answer_alike():
    found = outcome("law_against_c.py", "--repetitions", "20")
    assert len(found["rows"]) == 6
    for row in found["rows"].values():
        for one in row.values():
            assert one["apart"] <= 1e-9  # bound and reason as in the script; a wrong sign or limit gives 1
            assert one["ratio"] > 0.1


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None and shutil.which("cc") is None, reason="no C compiler")
def test_unit_and_engine_take_same_steps():
    pytest.importorskip("fmpy", reason="FMPy is in the extra fmi")
    found = outcome("unit_against_native.py", "--repetitions", "1")
    assert found["states_apart"] <= 1e-12  # bound and reason as in the script; a delay of one sample gives 1e-3
    assert set(found["ratio"]) == {"C host", "FMPy"}


@pytest.mark.slow
def test_every_stepper_flies_for_long(tmp_path):
    found = outcome("long_runs.py", "--revolutions", "200", "--picture", str(tmp_path / "long.png"))["steppers"]
    assert (tmp_path / "long.png").stat().st_size > 20_000
    assert max(found["elliptic"]["phase"]) < 1e-11  # rounding of 1,300 rad
    for name, row in found.items():
        assert max(row["momentum"]) < 1e-11, name
        if name in {
            "midpoint",
            "gauss4",
            "gauss6",
        }:  # no drift: at a tenth of the time the error is that of the end
            assert max(row["energy"]) < 1.2 * max(row["energy"][:20])


def test_benchmarks_without_compiler_are_skipped_with_message(tmp_path):
    done = subprocess.run(
        [sys.executable, HERE / "slew_against_c.py"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PATH": str(tmp_path)},
    )
    assert done.returncode == 0
    assert "skipped: no C compiler" in done.stdout


def test_accuracy_page_states_measured_figures_only():
    text = (HERE.parents[1] / "docs" / "accuracy.md").read_text(encoding="utf-8")
    table = text.split("## Figures")[1].split("\n## ")[0]
    rows = [row for row in re.findall(r"^\| (.*) \| .* \|$", table, flags=re.MULTILINE) if row != "What"]
    sources = "".join((HERE / name).read_text(encoding="utf-8") for name in ("figures_accuracy.py", "figures_speed.py"))
    measured = re.findall(r'^    "(.+)": \w+,$', sources, flags=re.MULTILINE)
    assert len(rows) == len(measured) > 10
    for begins in measured:
        assert [row for row in rows if row.startswith(begins)], begins


@pytest.mark.slow
def test_accuracy_page_figures_are_measured_again():
    words = [sys.executable, HERE / "figures.py", "--repetitions", "1"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("  guide: ") == done.stdout.count("  measured: ") > 10


@pytest.mark.slow
def test_start_up_times_are_measured():
    found = outcome("startup.py", "--repetitions", "1", "--cold", "0")
    assert found["warm_best_s"]["polhode run torque-free --json"] > 0.0
    loaded = found["imports_s"]["polhode run slew-lqr --json"]
    assert loaded
    assert "control" not in loaded  # not needed by a design and a run


@pytest.mark.slow
def test_busy_neighbours_cost_margins_no_processor_time():
    found = outcome("margins_busy.py", "--repetitions", "5")
    assert found["processor_ratio"] < 1.5
    assert found["fair_share"] >= 1.0
    assert found["busy_wall_s"] > 0.0
