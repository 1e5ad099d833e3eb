"""`polhode design` with another method, compared, and written to files."""

import json

import pytest

SHORT = ("--set", "run.duration_s=120", "--set", "run.output_s=1")


@pytest.mark.slow
def test_another_method(polhode):
    done = polhode("design", "slew-lqr", "--method", "energy-shaping", "--json")
    assert done.code == 0, done.err
    assert done.json["method"] == "energy-shaping"
    assert done.json["margins"]["axes"][0]["gain_up_dB"] > 6.0


def test_compared(polhode, tmp_path):
    out = tmp_path / "out"
    kinds = ["lqr", "quaternion-feedback", "energy-shaping", "sliding-mode"]
    done = polhode("design", "slew-lqr", "--compare", ",".join(kinds), "--json", "--out", str(out), *SHORT)
    assert done.code == 0, done.err
    rows = done.json["comparison"]
    assert [row["method"] for row in rows] == kinds
    for row in rows:
        assert row["status"] == "completed"
        assert row["metrics"]["peak_torque_N_m"] <= 1.0
        assert row["margins"]["axes"][2]["phase_deg"] > 45.0
    assert len({row["metrics"]["effort_N2_m2_s"] for row in rows}) == len(kinds)  # each was simulated
    own = polhode("run", "slew-lqr", "--json", *SHORT).json["metrics"]
    assert {key: own[key] for key in rows[0]["metrics"]} == rows[0]["metrics"]
    assert json.loads((out / "design.json").read_text(encoding="utf-8")) == done.json
    assert (out / "comparison.png").read_bytes()[:4] == b"\x89PNG"


def test_table_fits_terminal(polhode, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    done = polhode("design", "slew-lqr", "--compare", "lqr,quaternion-feedback", *SHORT)
    assert done.code == 0, done.err
    assert max(map(len, done.out.splitlines())) <= 80
    assert "…" not in done.out
    assert "quaternion-feedback" in done.out


def test_law_that_cannot_be_designed_is_told_and_rest_goes_on(polhode):
    done = polhode(
        "design", "slew-lqr", "--compare", "quaternion-feedback,lqr", "--set", "controller.sample_s=40", *SHORT
    )
    assert done.code == 1
    assert "too slow" in done.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--compare", "lqr,pdi"), "unknown or untunable method 'pdi'"),
        (("--compare", "lqr,lqr"), "list of different kinds of law"),
        (("--compare", "lqr", "--method", "lqr"), "give --method or --compare"),
        (("--method", "rate-damping"), "untunable method 'rate-damping'"),
    ],
)
def test_bad_words(polhode, words, message):
    done = polhode("design", "slew-lqr", *words)
    assert done.code == 2
    assert message in done.err


def test_case_without_controller(polhode):
    done = polhode("design", "torque-free", "--compare", "lqr")
    assert done.code == 2
    assert "no [controller]" in done.err


@pytest.mark.slow
def test_design_reports_warnings_of_its_run(polhode):
    """Judging a design and comparing laws simulate the case: warnings of these runs are printed."""
    weak = ("--set", "controller.torque_limit_N_m=0.01")
    outcome = polhode("design", "slew-lqr", "--json", *weak)
    assert any("does not settle" in warning for warning in outcome.json["warnings"])
    assert "does not settle" in " ".join(polhode("design", "slew-lqr", *weak).out.split())
    compared = polhode("design", "slew-lqr", "--compare", "lqr,pid", "--json", *weak).json["warnings"]
    assert "lqr" in [warning.partition(":")[0] for warning in compared if "does not settle" in warning]
