"""Campaigns are bitwise equal to their runs, each checked, built, simulated and measured by itself."""

import copy

import numpy as np
import pytest

from polhode.plant.errors import InputError
from polhode.scenarios.case.campaigns.case_campaign import run_campaign
from polhode.scenarios.case.campaigns.dispersions import dispersions_of
from polhode.scenarios.case.campaigns.flyer import dispersed_case
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import checked_case, load_case
from polhode.scenarios.case_run import measured, run_problem
from polhode.sim.engine import start_cache
from polhode.sim.results import run_kind
from polhode.sim.runs.campaigns.draws import draws_of

BODY = "plant.inertia_kg_m2"
TENSOR = {BODY: {"distribution": "inertia", "relative_sigma": 0.03, "axes_sigma_deg": 1.0}}
STEPS = {"distribution": "list", "values": [150, 400]}
RUNS = 5

CASES = {
    "wheels": ("four-wheel-pyramid", {BODY: {"relative_sigma": 0.02}}, 20.0, {"completed"}),
    "wheels, other start": (
        "four-wheel-pyramid",
        {BODY: {"relative_sigma": 0.02}, "initial.attitude": {"distribution": "rotation", "sigma_deg": 2.0}},
        20.0,
        {"completed"},
    ),
    "sensors": ("star-tracker-pointing", TENSOR, 5.0, {"completed"}),
    "modes": ("acquisition", TENSOR, 8.0, {"completed"}),
    "failed run": (
        "four-wheel-pyramid",
        {BODY: {"relative_sigma": 0.02}, "run.max_steps": STEPS},
        20.0,
        {"completed", "failed"},
    ),
    "refused run": ("four-wheel-pyramid", {BODY: {"relative_sigma": 0.5}}, 2.0, {"completed", "refused"}),
}


def single_run(loaded, draw):
    """Return the measured run of a draw without any object or cache of the campaign, or its InputError."""
    start_cache._other_hubs.clear()
    run_kind._kinds.clear()
    try:
        document = dispersed_case(loaded, draw, where="here").document
        alone = checked_case(loaded.name, loaded.source, copy.deepcopy(dict(document)))
        problem = build(alone.case)
    except InputError as error:
        return error
    return measured(alone, problem, run_problem(problem))


@pytest.mark.parametrize(("name", "dispersions", "duration", "statuses"), CASES.values(), ids=CASES)
def test_campaign_equals_single_runs(name, dispersions, duration, statuses):
    document = copy.deepcopy(dict(load_case(name).document))
    document["run"] |= {"duration_s": duration}
    document |= {"dispersions": dispersions}
    for table in ("metrics", "require"):  # margins have their own tests
        document.pop(table, None)
    loaded = checked_case(name, name, document)
    found = run_campaign(loaded, runs=RUNS, seed=4, workers=1).campaign
    assert set(found.status) == statuses
    draw = draws_of(dispersions_of(loaded.case), (), plan="random", runs=RUNS, seed=4)
    for run in range(RUNS):
        alone = single_run(loaded, draw(run))
        if found.status[run] == "refused":
            assert str(alone).endswith(found.reasons[run])
            continue
        assert (alone.run.status, alone.run.reason) == (found.status[run], found.reasons.get(run, ""))
        expected = {each: np.nan if metric.value is None else metric.value for each, metric in alone.metrics.items()}
        expected["warnings"] = len(alone.run.warnings)
        assert expected.keys() == found.metrics.keys()
        np.testing.assert_array_equal([found.metrics[each][run] for each in expected], list(expected.values()))
