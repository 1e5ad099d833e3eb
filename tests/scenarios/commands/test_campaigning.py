"""``polhode campaign``: its output, files, refusals and resumption."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from polhode.scenarios.commands.invoke import invoke

FEW = ("campaign", "slew-dispersed", "--runs", "12", "--workers", "1", "--set", "run.duration_s=120")


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    out = tmp_path_factory.mktemp("c")
    assert invoke([*FEW, "--set", "campaign.required_share=0.5", "--out", str(out)]) == 0
    return out


def test_campaign_writes_summary_table_pictures_and_journal(done):
    summary = json.loads((done / "campaign.json").read_text())
    assert summary["runs"] == summary["planned"] == 12
    assert summary["statuses"] == {"completed": 12}
    assert summary["claim"]["shown"] is True
    assert {"metrics.png", "drivers.png", "pass_rate.png", "bands.png"} <= set(summary["files"])
    assert (done / "campaign.journal").stat().st_size > 12 * 100
    assert summary["metrics"]["settling_time_s"]["nominal"] == pytest.approx(72.07, abs=0.01)


def test_campaign_draws_the_pass_rate_of_margins_in_a_mode(tmp_path):
    words = ["campaign", "acquisition", "--runs", "2", "--workers", "1", "--out", str(tmp_path)]
    sets = ["run.duration_s=20", 'dispersions={"initial.rate_deg_s" = { sigma = 0.01 }}', "campaign.required_share=0.1"]
    metrics = ('{metric="phase_margin_deg", mode="fine", min=60.0}', '{metric="delay_margin_s", mode="fine", min=9.0}')
    sets.append(f"require=[{', '.join(metrics)}]")
    assert invoke([*words, *(word for each in sets for word in ("--set", each))]) == 1  # no delay margin of 9 s
    summary = json.loads((tmp_path / "campaign.json").read_text())
    assert [rate["passed"] for rate in summary["pass_rates"]] == [2, 0, 0]
    assert "pass_rate.png" in summary["files"]


def test_table_holds_every_run(done):
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(done / "runs.parquet").to_pydict()
    assert table["run"] == list(range(12))
    assert "settling_time_s" in table
    assert "plant.inertia_kg_m2[0, 0]" in table


def test_campaign_table_is_text_without_pyarrow(tmp_path, monkeypatch):
    from polhode.scenarios.case.campaigns import table_file

    monkeypatch.setattr(table_file, "find_spec", lambda _: None)
    assert table_file.table_name() == "runs.csv"
    columns = {"run": np.array([0, 1]), "status": np.array(["completed", "failed"]), "x": np.array([0.1, np.nan])}
    table_file.write_table(tmp_path / "t", columns, "runs.csv")
    assert (tmp_path / "t").read_text().split() == ["run,status,x", "0,completed,0.10000000000000001", "1,failed,"]


def test_run_of_it_is_flown_again(done, capsys):
    summary = json.loads((done / "campaign.json").read_text())
    worst = summary["worst"]["overshoot_deg"][0]
    assert invoke(["run", "--from-campaign", str(done), "--run", str(worst["run"]), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["metrics"]["overshoot_deg"] == worst["value"]


@pytest.mark.slow
def test_campaign_grows_and_keeps_completed_runs(done, capsys):
    before = (done / "campaign.journal").read_bytes()
    words = ["14" if word == "12" else word for word in FEW]
    assert invoke([*words, "--set", "campaign.required_share=0.5", "--out", str(done), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"] == 14
    assert (done / "campaign.journal").read_bytes().startswith(before)


def test_sweep_flies_each_combination_once(tmp_path, capsys):
    words = ["campaign", "slew-dispersed", "--workers", "1", "--set", "run.duration_s=5"]
    grid = ["--sweep", "controller.attitude_weight=10:30:2", "--sweep", "controller.sample_s=0.1:0.3:3"]
    assert invoke([*words, *grid, "--out", str(tmp_path), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["runs"] == summary["planned"] == 6
    assert summary["values"] == {"controller.attitude_weight": [10.0, 30.0], "controller.sample_s": [0.1, 0.2, 0.3]}
    assert set(summary["files"]) >= {"sweep.png"}
    assert "claim" not in summary


def test_claim_that_is_not_shown_is_exit_1(capsys):
    assert invoke([*FEW, "--set", "campaign.required_share=0.99"]) == 1
    printed = capsys.readouterr()
    told = " ".join(printed.out.split())
    assert (
        "not shown that 99 % meet every requirement, at 90 % confidence: with no more failures than these 230" in told
    )
    assert "do not show what the case claims" in printed.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["campaign", "slew-lqr"], "the case has no [dispersions]"),
        ([*FEW, "--plan", "sobol"], "use 8 or 16"),
        ([*FEW, "--plan", "randomly"], "randomly"),
        ([*FEW, "--workers", "0"], "workers must be at least 1"),
        ([*FEW, "--seed", "-1"], "seed"),
        (["campaign", "slew-dispersed", "--sweep", "plant.mass_kg=1:2"], "write key=first:last:count"),
        (["campaign", "slew-dispersed", "--sweep", "plant.mass_kg=1:2:1"], "requires 2 to"),
        (["campaign", "slew-dispersed", "--sweep", "plant.masskg=1:2:3"], "did you mean mass_kg"),
        ([*FEW, "--sweep", "plant.mass_kg=1:2:3"], "omit runs and plan"),
        (["run"], "--from-campaign DIR with --run K"),
        (["run", "--from-campaign", "nowhere", "--run", "3"], "cannot be read"),
        (["run", "slew-lqr", "--from-campaign", "nowhere", "--run", "3"], "defines the case"),
        (["campaign", "slew-dispersed", "--set", "dispersions.plant.sigma=3"], "dispersions"),
    ],
)
def test_bad_words(words, told, capsys):
    assert invoke(words) == 2
    assert told in capsys.readouterr().err


def test_another_seed_in_the_same_folder_is_refused(done, capsys):
    assert invoke([*FEW, "--set", "campaign.required_share=0.5", "--seed", "9", "--out", str(done)]) == 2
    assert "seed was 1, but is now 9" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("with_what", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_it_goes_on(with_what, tmp_path, capsys):
    words = [*FEW, "--set", "campaign.required_share=0.5", "--out", str(tmp_path)]
    words[3] = "60"
    words[5] = "2"
    process = subprocess.Popen([sys.executable, "-m", "polhode", *words], stderr=subprocess.PIPE, text=True)
    journal = tmp_path / "campaign.journal"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (journal.exists() and journal.stat().st_size > 8000):
        time.sleep(0.02)
    os.kill(process.pid, with_what)
    _, told = process.communicate(timeout=60)
    assert process.returncode == (130 if with_what == signal.SIGINT else -signal.SIGKILL), told
    assert ("to resume" in told) == (with_what == signal.SIGINT)
    assert invoke([*words, "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert invoke([word for word in words if word not in ("--out", str(tmp_path))] + ["--json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    for key in ("runs", "statuses", "metrics", "pass_rates", "sensitivities", "worst"):
        assert again[key] == whole[key]


@pytest.mark.slow
def test_indices_of_sobol_are_printed_written_and_drawn(tmp_path, capsys):
    words = ["campaign", "slew-dispersed", "--plan", "saltelli", "--workers", "1", "--set", "run.duration_s=120"]
    assert invoke([*words, "--runs", "96", "--out", str(tmp_path)]) == 1  # such runs show no probability
    assert "fraction of its variance" in capsys.readouterr().out
    summary = json.loads((tmp_path / "campaign.json").read_text())
    index = summary["sobol_indices"]["settling_time_s"]
    assert next(iter(index)) == "plant.inertia_kg_m2"
    assert index["plant.inertia_kg_m2"]["samples"] == 16
    assert invoke([*words, "--runs", "48"]) == 1  # too few: said in words
    assert "no Sobol indices: Sobol indices require at least 16" in " ".join(capsys.readouterr().out.split())
