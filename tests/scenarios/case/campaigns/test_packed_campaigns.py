"""Campaigns of wheels, of a filter and of a ring: simulated in packs, each run equal to its single run."""

import copy

import numpy as np
import pytest

from polhode.scenarios.case.campaigns.case_campaign import case_of_run, run_campaign
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import checked_case, load_case
from polhode.scenarios.case_run import measured, run_problem
from polhode.sim.codegen.library import has_library, simd_width
from polhode.sim.engine import indices as at
from polhode.sim.engine.element_packs import ElementPacks

RUNS = 9


@pytest.mark.slow
@pytest.mark.skipif(not has_library() or simd_width() < 2, reason="no engine with vector registers here")
@pytest.mark.parametrize("name", ["star-tracker-pointing", "nutation-damping"])
def test_campaign_of_other_cases_runs_in_packs_and_equals_single_runs(tmp_path, monkeypatch, name):
    check(name, tmp_path, monkeypatch, duration=300.0 if name == "star-tracker-pointing" else 60.0)


@pytest.mark.skipif(not has_library() or simd_width() < 2, reason="no engine with vector registers here")
def test_campaign_of_wheels_flies_in_packs_and_equals_single_runs(tmp_path, monkeypatch):
    check("four-wheel-pyramid", tmp_path, monkeypatch, duration=60.0)


def check(name, tmp_path, monkeypatch, *, duration) -> None:
    """Compare the metrics of a campaign with those of single runs."""
    advance, left = ElementPacks.advance, []

    def count(self, lanes, arena, tables):
        codes = advance(self, lanes, arena, tables)
        left.append((len(lanes), int((codes == at.DOUBTFUL).sum())))
        return codes

    monkeypatch.setattr(ElementPacks, "advance", count)
    document = copy.deepcopy(dict(load_case(name).document))
    document["run"] |= {"duration_s": duration}
    document["require"] = [each for each in document.get("require", []) if "margin" not in each["metric"]]
    inertia: dict[str, object] = {"relative_sigma": 0.05}
    if name == "star-tracker-pointing":  # not diagonal
        inertia |= {"distribution": "inertia", "axes_sigma_deg": 1.0}
    document["dispersions"] = {"plant.inertia_kg_m2": inertia}
    loaded = checked_case(name, name, document)
    campaign = run_campaign(loaded, runs=RUNS, seed=4, workers=1, out=tmp_path).campaign
    assert left[-1] == (RUNS - 1, 0)  # the first is a separate batch that measures the time; none is left over
    monkeypatch.undo()
    for run in range(RUNS):
        one, _ = case_of_run(tmp_path, run)
        problem = build(one.case)
        found = measured(one, problem, run_problem(problem))
        for key, column in campaign.metrics.items():
            value = float(found.run.warned) if key == "warnings" else found.metrics[key].value
            np.testing.assert_array_equal(column[run], np.nan if value is None else value, err_msg=key)
    assert len(set(campaign.metrics["peak_rate_deg_s"].tolist())) == RUNS
