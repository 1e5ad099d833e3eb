"""Console report of a campaign, from summaries made by hand and from small cases."""

from math import nan
from typing import Any

import pytest

from polhode.scenarios.case.campaigns.flyer import CaseFlyer, dispersed_case
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.report.console_campaign import show_campaign
from polhode.sim.runs.campaigns import Draw, chance_correlation, one_sided

SPREAD = {"nominal": nan, "quantile_5": 1.0, "median": 2.0, "quantile_95": 3.0, "largest": 4.0}


def summary(passed=392, share=0.95, **more) -> Any:
    low, high = one_sided(passed, 500, confidence=0.9)
    rate = {"requirement": "x <= 1", "passed": passed, "runs": 500, "share": passed / 500, "low": low, "high": high}
    claim = {
        "required_share": share, "confidence": 0.9, "passed": passed, "runs": 500, "at_least": low, "at_most": high,
        "shown": low >= share, "refuted": high < share, "runs_needed": 2445, "reason": "",
    }  # fmt: skip
    return {
        "case": "c", "runs": 500, "planned": 500, "plan": "random", "seed": 0, "statuses": {"completed": 500},
        "reasons": {}, "pass_rates": [rate], "confidence": 0.9, "claim": claim, "noisy": True,
        "metrics": {"settling_time_s": SPREAD}, "sensitivities": {"settling_time_s": {"a": 0.9, "b": -0.2, "c": 0.05}},
        "sensitivity_by_chance": {"settling_time_s": chance_correlation(500, 3)}, "sobol_indices": None,
        "worst": {"settling_time_s": [{"run": 0, "value": nan}, {"run": 7, "value": 4.0}]}, **more,
    }  # fmt: skip


def printed(capsys, found) -> str:
    show_campaign(found, title="t", files=(), out=None)
    return " ".join(capsys.readouterr().out.split())


def test_claim_that_the_runs_refute_is_said_to_be(capsys):
    told = printed(capsys, summary())
    assert "refuted that 95 % meet every requirement: 392 of 500 did, so at most 80.8 % of all runs do, at 90 %" in told
    assert "would show it" not in told
    assert "would show it" in printed(capsys, summary(passed=472))  # 94.4 % may be 95 % of all
    assert "shown at least 95 %" in printed(capsys, summary(passed=485))


def test_correlations_within_chance_are_left_out(capsys):
    told = printed(capsys, summary())
    assert "correlates with (rank correlation): a +0.90, b -0.20 (|r| up to 0.11 is chance)" in told
    few = summary(sensitivity_by_chance={"settling_time_s": 0.95})
    assert "correlates with (rank correlation): nothing (|r| up to 0.95 is chance)" in printed(capsys, few)


def test_runs_and_nominal_without_a_value_say_so(capsys):
    told = printed(capsys, summary())
    assert "its worst runs: 0 (no value), 7 (4)" in told
    assert "nan" not in told
    assert "with its own seed, one draw of its noise" in told
    assert "draw of its noise" not in printed(capsys, summary(noisy=False))


@pytest.mark.parametrize("seed", [0, 5])
def test_nominal_run_has_the_noise_of_the_case(seed):
    loaded = load_case("star-tracker-pointing", [f"run.seed={seed}", "dispersions={'plant.mass_kg' = {sigma = 1}}"])
    flyer = CaseFlyer(loaded, {})
    assert any(block.random for block in flyer.nominal.blocks)
    nominal = dispersed_case(loaded, Draw(run=-1, seed=99, values={}), where="nominal").case.run
    assert (nominal.seed, nominal.number) == (seed, 0)
    drawn = dispersed_case(loaded, Draw(run=3, seed=99, values={}, number=3), where="run 3").case.run
    assert (drawn.seed, drawn.number) == (99, 3)
