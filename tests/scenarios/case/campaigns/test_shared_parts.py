"""Runs of a campaign share what the dispersed keys leave unchanged, and are bitwise equal to single runs."""

import copy

import numpy as np
import pytest

from polhode.scenarios.case.campaigns.case_campaign import JOURNAL, case_of_run, run_campaign
from polhode.scenarios.case.campaigns.dispersions import dispersions_of
from polhode.scenarios.case.campaigns.flyer import CaseFlyer
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import checked_case, load_case
from polhode.scenarios.case_run import measured, run_problem
from polhode.sim.runs.campaigns import Draw

INERTIA = {"distribution": "inertia", "relative_sigma": 0.03, "axes_sigma_deg": 1.0}
BODY = "plant.inertia_kg_m2"


def case_with(name, dispersions, duration, **tables):
    document = copy.deepcopy(dict(load_case(name).document))
    document["run"] |= {"duration_s": duration}
    document |= {"metrics": {"window_s": 10.0}, "dispersions": dispersions, **tables}
    return checked_case(name, name, document)


def blocks_with(key, table, value):
    loaded = case_with("star-tracker-pointing", {key: table}, 20)
    flyer = CaseFlyer(loaded, dispersions_of(loaded.case))
    draw = Draw(run=0, seed=1, values={key: value})
    return flyer.nominal.blocks, flyer.problem(draw, "run 0")[1].blocks


def test_shared_blocks_with_another_inertia():
    nominal, other = blocks_with(BODY, INERTIA, np.diag([410.0, 300.0, 205.0]))
    assert nominal
    assert all(one is two for one, two in zip(nominal, other, strict=True))


@pytest.mark.parametrize(
    ("key", "table", "value"),
    [
        ("sensors.1.delay_s", {"distribution": "list", "values": [0.1, 0.2]}, 0.1),
        ("sensors.0.bias_deg_h", {"mean": 2.0, "sigma": 0.1}, 3.0),
        ("estimator.gate", {"distribution": "list", "values": [0.99, 0.999]}, 0.99),
        ("initial.attitude_deg.angles", {"sigma": [1.0, 1.0, 1.0]}, [8.0, -4.0, 6.0]),
        ("controller.attitude_weight", {"mean": 25.0, "sigma": 1.0}, 24.0),
        ("controller.sample_s", {"distribution": "list", "values": [0.1, 0.05]}, 0.05),
    ],
)
def test_own_blocks_with_other_sensing(key, table, value):
    nominal, other = blocks_with(key, table, value)
    assert not any(one is two for one, two in zip(nominal, other, strict=True))


def require_equal_single_runs(folder, campaign, runs):
    for run in runs:
        loaded, _ = case_of_run(folder, run)
        problem = build(loaded.case)
        single = run_problem(problem)
        metrics = measured(loaded, problem, single).metrics
        for name, column in campaign.metrics.items():
            if name == "warnings":
                assert len(single.warnings) == column[run]
            elif metrics[name].value is None:
                assert np.isnan(column[run]), name
            else:
                assert metrics[name].value == column[run], name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "table"),
    [
        (BODY, INERTIA),
        ("sensors.1.delay_s", {"distribution": "list", "values": [0.1, 0.2, 0.3]}),
        ("controller.attitude_weight", {"mean": 25.0, "sigma": 5.0}),
        ("controller.delay_s", {"distribution": "list", "values": [0.0, 0.02, 0.05]}),
    ],
)
def test_campaign_with_sensors_equals_single_runs(tmp_path, key, table):
    loaded = case_with("star-tracker-pointing", {key: table}, 40)
    found = run_campaign(loaded, runs=5, workers=1, seed=3, out=tmp_path).campaign
    assert np.isfinite(found.metrics["delay_margin_s"]).all()
    require_equal_single_runs(tmp_path, found, (0, 3))


WHEELS = "plant.elements.0"
MARGINS = [{"metric": f"{kind}", "min": 0.1} for kind in ("gain_margin_dB", "phase_margin_deg", "delay_margin_s")]


@pytest.mark.slow
@pytest.mark.parametrize(
    "dispersions",
    [
        {BODY: {"relative_sigma": 0.03}},
        {
            BODY: {"distribution": "list", "values": [[60, 50, 40], [6, 5, 4], [0.6, 0.5, 0.4]]}
        },  # beyond the range of one analysis
        {f"{WHEELS}.friction_N_m_s": {"distribution": "list", "values": [0.0, 1e-5, 1e-3]}},
        {f"{WHEELS}.relative_rates_rad_s": {"distribution": "list", "values": [[150.0] * 4, [9.0, -9.0, 9.0, -9.0]]}},
        {"controller.delay_s": {"distribution": "list", "values": [0.0, 0.05, 2.5]}},
        {"controller.frequency_rad_s": {"mean": 0.12, "sigma": 0.05}},
    ],
)
def test_campaign_on_wheels_equals_single_runs(tmp_path, dispersions):
    loaded = case_with("four-wheel-pyramid", dispersions, 40, require=MARGINS)
    found = run_campaign(loaded, runs=9, workers=1, seed=2, out=tmp_path).campaign
    require_equal_single_runs(tmp_path, found, (0, 2, 4, 7, 8))


@pytest.mark.slow
def test_campaign_on_wheels_is_equal_with_two_workers_and_resumed(tmp_path):
    loaded = case_with("four-wheel-pyramid", {BODY: {"relative_sigma": 0.03}}, 40, require=MARGINS)
    whole = run_campaign(loaded, runs=12, workers=1, seed=2).campaign
    two = run_campaign(loaded, runs=12, workers=2, seed=2).campaign
    run_campaign(loaded, runs=12, workers=1, seed=2, out=tmp_path)
    journal = tmp_path / JOURNAL
    journal.write_bytes(journal.read_bytes()[: int(0.8 * journal.stat().st_size)])  # as after a killed process
    resumed = run_campaign(loaded, runs=12, workers=1, seed=2, out=tmp_path).campaign
    for other in (two, resumed):
        for name, column in whole.metrics.items():
            assert np.array_equal(column, other.metrics[name], equal_nan=True), name


@pytest.mark.slow
def test_campaign_of_one_run_equals_the_first_of_many():
    loaded = case_with("four-wheel-pyramid", {BODY: {"relative_sigma": 0.03}}, 40, require=MARGINS)
    one, many = (run_campaign(loaded, runs=runs, workers=1, seed=2, plan="random").campaign for runs in (1, 6))
    for name, column in one.metrics.items():
        assert np.array_equal(column[:1], many.metrics[name][:1], equal_nan=True), name
