"""Pointing metrics of a case equal those of its run, and its budgets those of its loop."""

from __future__ import annotations

import json

import numpy as np
import pytest

from polhode import controllers, scenarios, sim
from polhode.plant.errors import InputError
from polhode.scenarios.case.kinds.design import design_model

MEASURED = ("ake_deg", "ape_deg", "mke_deg", "mpe_deg", "rke_deg", "rpe_deg")
BUDGETS = 'require=[{metric="ape_budget_deg", max=1.0}, {metric="rpe_budget_deg", max=1.0}]'
SHORT = ["run.duration_s=40", "metrics.pointing_from_s=20", "metrics.window_s=2"]


@pytest.fixture(scope="module")
def found():
    return scenarios.run_case("star-tracker-pointing", overrides=[*SHORT, BUDGETS])


def test_metrics_are_what_the_run_says(found):
    flown = sim.pointing_errors(found.run, window=2.0, start=20.0).figures()
    for name in MEASURED:
        assert found.metrics[name].value == np.degrees(flown[name.removesuffix("_deg")])
    assert found.metrics["ape_deg"].value ** 2 == pytest.approx(
        found.metrics["mpe_deg"].value ** 2 + found.metrics["rpe_deg"].value ** 2, rel=1e-12
    )


def test_budgets_are_those_of_the_loop(found):
    problem = found.problem
    model = design_model(found.loaded.case, problem.craft)
    budget = controllers.pointing_budget(problem.law, model, window=2.0, blocks=problem.blocks).figures()
    for name in ("ape", "rpe"):
        assert found.metrics[f"{name}_budget_deg"].value == np.degrees(budget[name])
    assert "mpe_budget_deg" not in found.metrics  # no requirement needs it


def test_pointing_metrics_are_absent_without_window():
    plain = scenarios.run_case("slew-lqr", overrides=["run.duration_s=5"])
    assert not any(plain.metrics[name].applies for name in MEASURED)
    assert "metrics.window_s" in plain.metrics["ape_deg"].reason
    with pytest.raises(InputError, match=r"metrics.pointing_from_s = 9 s must be before the end, 5 s"):
        scenarios.load_case("slew-lqr", ["run.duration_s=5", "metrics.pointing_from_s=9"])


def test_pointing_metric_without_value_names_the_reason():
    coarse = scenarios.run_case("star-tracker-pointing", overrides=[*SHORT, "run.output_s=0.5", "require=[]"])
    assert "rows are 0.5 s apart, but the law samples every 0.1 s" in coarse.metrics["rpe_deg"].reason


@pytest.mark.slow
@pytest.mark.parametrize("uses", ["estimate", "measurement"])
def test_analyse_prints_the_budget_beside_what_flew(polhode, uses):
    short = [each for pair in SHORT for each in ("--set", pair)]
    done = polhode("analyse", "star-tracker-pointing", "--json", "--set", f'controller.uses="{uses}"', *short)
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert told["on_true_attitude"]
    assert told["pointing_errors"]["windows"] == 10
    observed = [row["ratio"] for row in told["margins"]["rows"] if row["ratio"] is not None]
    assert len(observed) > 5
    np.testing.assert_allclose(observed, 1.0, atol=0.005)
    if uses == "estimate":
        sources = [row["source"] for row in told["pointing_budget"]["pointing"]]
        assert "gyro: angle random walk" in sources
