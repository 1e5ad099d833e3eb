"""`[run] accuracy_deg` and integrator = "auto"."""

import pytest

CASE = """
title = "a body that tumbles"
[plant]
inertia_kg_m2 = [400.0, 307.8, 200.0]
[initial]
rate_rad_s = [0.1, 0.5, 0.1]
[run]
duration_s = 300.0
{run}
"""


@pytest.fixture
def fly(polhode, tmp_path):
    def flown(run, *words):
        path = tmp_path / "case.toml"
        path.write_text(CASE.format(run=run))
        return polhode("run", str(path), "--json", *words)

    return flown


def test_case_accuracy_is_reached_printed_and_required(fly):
    wanted = 'integrator = "auto"\naccuracy_deg = 1e-7'
    outcome = fly(wanted + '\n[[require]]\nmetric = "attitude_accuracy_deg"\nmax = 1e-7')
    assert outcome.code == 0, outcome.err
    assert 0.0 < outcome.json["invariants"]["attitude_accuracy_deg"] <= 1e-7
    assert "attitude_accuracy_deg" in fly("").json["inapplicable"]


def test_case_accuracy_missed_is_reported_and_can_fail(fly):
    wanted = 'integrator = "auto"\naccuracy_deg = 1e-16'
    outcome = fly(wanted + '\n[[require]]\nmetric = "attitude_accuracy_deg"\nmax = 1e-16')
    assert outcome.code == 1
    assert "was not reached" in outcome.json["warnings"][0]


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ('integrator = "auto"', "needs accuracy_deg"),
        ('integrator = "auto"\naccuracy_deg = 1e-6\nstep_s = 0.1', "step_s is determined by integrator"),
        ("accuracy_deg = 1e-6\noutput_s = 1e-3", "run.accuracy_deg keeps all rows"),
    ],
)
def test_case_accuracy_refuses_conflicting_keys(fly, run, said):
    outcome = fly(run)
    assert outcome.code == 2
    assert said in outcome.err
