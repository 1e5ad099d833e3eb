"""Campaigns of a case: dispersed keys reach the runs, and each run can be repeated."""

import copy
from importlib import import_module

import numpy as np
import pytest

from polhode.controllers import LinearFeedback
from polhode.controllers.contracts.law_defaults import with_defaults
from polhode.plant import InputError
from polhode.plant.attitude import rotation_angle
from polhode.scenarios.case.campaigns.case_campaign import case_of_run, run_campaign
from polhode.scenarios.case.campaigns.dispersions import dispersions_of, value_at
from polhode.scenarios.case.campaigns.flyer import CaseFlyer, dispersed_case
from polhode.scenarios.case.campaigns.worst_craft import set_words
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import checked_case, load_case
from polhode.scenarios.case.overrides import put_value
from polhode.scenarios.case_run import measured, run_case
from polhode.scenarios.case_run import run_problem as fly
from polhode.sim.runs.campaigns import Draw, Inertia, Normal, campaign


def case_with(dispersions, name="slew-lqr", **tables):
    loaded = load_case(name, ["run.duration_s=2"])
    document = {**copy.deepcopy(dict(loaded.document)), "dispersions": dispersions, "require": [], **tables}
    return checked_case(name, name, document)


@pytest.fixture(scope="module")
def flown(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    return folder, run_campaign("slew-dispersed", runs=24, workers=1, out=folder, overrides=["run.duration_s=120"])


def test_campaign_draws_are_read_back_from_the_runs(flown):
    _, found = flown
    c = found.campaign
    inertia = np.stack([c.dispersed[f"plant.inertia_kg_m2[{i}, {j}]"] for i in range(3) for j in range(3)], axis=1)
    assert np.array_equal(inertia[:, 1], inertia[:, 3])
    for row in inertia.reshape(-1, 3, 3):
        x, y, z = np.linalg.eigvalsh(row)
        assert x > 0.0
        assert x + y > z
    limit = c.dispersed["controller.torque_limit_N_m"]
    assert (limit > 0.8).all()
    assert (limit < 1.0).all()
    # the command saturates in each of these slews, so the peak is the drawn limit
    assert np.allclose(c.metrics["peak_torque_N_m"], limit, rtol=1e-12)


def test_bands_are_of_the_quantities_of_the_runs(flown):
    folder, found = flown
    c = found.campaign
    assert c.signals == ("attitude_error", "torque[0]", "torque[1]", "torque[2]")
    least, most = c.bands("attitude_error", (0.0, 1.0))
    for run in (0, 11):
        loaded, _ = case_of_run(folder, run)
        values = fly(build(loaded.case)).values("attitude_error")
        assert (values >= least - 1e-6).all()
        assert (values <= most + 1e-6).all()
    with pytest.raises(InputError, match=r"campaign\.bands: .*attitude_error"):
        run_campaign(
            case_with({"plant.mass_kg": {"mean": 5, "sigma": 1}}, campaign={"bands": ["attitud_error"]}), runs=2
        )


def test_rates_count_the_runs_that_met_each_requirement(flown):
    _, found = flown
    settle, overshoot, together = found.rates
    good = found.campaign.metrics["settling_time_s"] <= 100.0
    assert settle.passed == good.sum()
    assert together.passed == (good & (found.campaign.metrics["overshoot_deg"] <= 6.0)).sum()
    assert together.low < together.passed / together.runs < together.high or together.passed == together.runs
    assert overshoot.metric == "overshoot_deg"


def test_run_flown_alone_is_same_to_bit(flown):
    folder, found = flown
    for run in (0, 17):
        loaded, _ = case_of_run(folder, run)
        problem = build(loaded.case)
        alone = measured(loaded, problem, fly(problem))
        for name, column in found.campaign.metrics.items():
            if name in alone.metrics and alone.metrics[name].value is not None:
                assert alone.metrics[name].value == column[run], name


def test_law_is_that_of_nominal_craft(flown):
    folder, found = flown
    loaded, _ = case_of_run(folder, 3)
    limit = found.campaign.dispersed["controller.torque_limit_N_m"][3]
    known = load_case("slew-dispersed", [f"controller.torque_limit_N_m={float(limit)!r}"])
    itself = checked_case("x", "x", {k: v for k, v in loaded.document.items() if k != "nominal"})
    law, nominal, other = (build(each.case).law for each in (loaded, known, itself))
    assert law is not None
    assert nominal is not None
    assert other is not None
    assert np.array_equal(law.parameters, nominal.parameters)
    assert not np.array_equal(law.parameters, other.parameters)


def test_two_workers_come_to_the_same(flown):
    _, one = flown
    two = run_campaign("slew-dispersed", runs=24, workers=2, overrides=["run.duration_s=120"]).campaign
    for name, column in one.campaign.metrics.items():
        assert np.array_equal(column, two.metrics[name], equal_nan=True), name


@pytest.mark.slow
def test_batches_and_who_flies_them_make_no_difference(flown, monkeypatch):
    _, one = flown
    loaded = one.loaded
    flyer = CaseFlyer(loaded, dispersions_of(loaded.case))
    told = {"runs": 24, "seed": loaded.case.campaign.seed, "nominal": {}}
    told["nominal"] = {key: value_at(loaded.case, key) for key in flyer.dispersions}
    every = [campaign(flyer, flyer.dispersions, **told)]  # one by one
    for lanes, most in ((3, 5), (32, 24)):
        monkeypatch.setattr("polhode.scenarios.case.campaigns.flyer.LANES", lanes)
        monkeypatch.setattr(import_module("polhode.sim.runs.campaigns.campaign"), "MOST", most)
        every.append(run_campaign(loaded, runs=24, workers=1).campaign)
    for name, value in {"LOOK": 0.0, "BUSY": 9.0, "PAYS": 0.0}.items():  # processes as soon as a thread returned
        monkeypatch.setattr(f"polhode.sim.runs.campaigns.workers.{name}", value)
    every.append(run_campaign(loaded, runs=24, workers=2).campaign)
    for other in every:
        for name, column in {**one.campaign.metrics, **one.campaign.dispersed}.items():
            columns = {**other.metrics, **other.dispersed}
            assert np.array_equal(column, columns[name], equal_nan=True), name
        assert np.array_equal(one.campaign.bands("torque[1]", (0.5,)), other.bands("torque[1]", (0.5,)))


@pytest.mark.parametrize(
    ("table", "more"),
    [
        ({"kind": "lqr", "delay_s": 0.15}, {}),
        ({"kind": "lqi", "integral_weight": 0.01}, {}),
        ({"kind": "pid", "frequency_rad_s": 0.1, "damping_ratio": 0.7, "integral_time_s": 60.0}, {}),
        ({"kind": "lqr", "keep_direction": True}, {"plant.mass_kg": 10.0}),
    ],
)
def test_law_with_other_limits_is_one_designed_with_them(table, more):
    tables = load_case("slew-dispersed").document["controller"]
    weights = {} if table["kind"] == "pid" else {k: v for k, v in tables.items() if k.endswith("_weight")}
    loaded = case_with(
        {"controller.torque_limit_N_m": {"sigma": 0.1}},
        controller={"sample_s": 0.1, "torque_limit_N_m": 1.0, **weights, **table},
    )
    flyer = CaseFlyer(loaded, dispersions_of(loaded.case))
    found, problem = flyer.problem(Draw(run=0, seed=0, values={"controller.torque_limit_N_m": 1.7, **more}), "x")
    one, other, before = (each.law for each in (problem, build(found.case), flyer.nominal))
    assert isinstance(one, LinearFeedback)
    assert isinstance(other, LinearFeedback)
    assert isinstance(before, LinearFeedback)
    assert not np.array_equal(one.parameters, before.parameters)
    assert np.array_equal(one.parameters, other.parameters)
    assert np.array_equal(one.design_condition.torques.limits(), other.design_condition.torques.limits())
    assert np.array_equal(one.memory, other.memory)


def test_nominal_run_is_case_itself(flown):
    _, found = flown
    plain = run_case("slew-dispersed", overrides=["run.duration_s=120"])
    for name, metric in plain.metrics.items():
        assert metric.value is None or found.campaign.nominal[name] == metric.value


@pytest.mark.parametrize(
    ("key", "table", "check"),
    [
        ("initial.attitude", {"distribution": "rotation"}, lambda v: abs(np.linalg.norm(v) - 1) < 1e-12),
        ("initial.attitude", {"distribution": "rotation", "sigma_deg": 2}, lambda v: rotation_angle(v) < 0.3),
        ("initial.rate_rad_s", {"sigma": [0.1, 0.2, 0.3]}, lambda v: len(v) == 3),
        (
            "initial.rate_rad_s",
            {"distribution": "direction", "length": 0.2},
            lambda v: np.isclose(np.hypot.reduce(v), 0.2),
        ),
        ("plant.inertia_kg_m2.0.0", {"relative_sigma": 0.01}, lambda v: 300 < v < 500),
        ("controller.sample_s", {"distribution": "list", "values": [0.1, 0.2]}, lambda v: v in (0.1, 0.2)),
        ("controller.delay_s", {"distribution": "uniform", "low": 0.0, "high": 0.05}, lambda v: 0 <= v <= 0.05),
        ("controller.attitude_weight", {"distribution": "log-normal", "relative_sigma": 0.1}, lambda v: 10 < v < 60),
        ("plant.inertia_kg_m2", {"distribution": "inertia", "relative_sigma": 0.1}, lambda v: np.shape(v) == (3, 3)),
    ],
)
def test_every_distribution_reaches_the_case(key, table, check):
    loaded = case_with({key: table}, initial={"attitude": [1, 0, 0, 0], "rate_rad_s": [0.0, 0.0, 0.0]})
    distribution = dispersions_of(loaded.case)[key]
    flyer = CaseFlyer(loaded, {key: distribution})
    flyer.require_reach()
    drawn = distribution.value(np.full(distribution.uniforms, 0.3))
    flight = flyer(Draw(run=0, seed=1, values={key: drawn}))
    assert flight.actual is not None
    assert check(np.asarray(flight.actual[key]))
    assert np.allclose(flight.actual[key], drawn)


FULL = {"inertia_kg_m2": [[400.0, 12.0, -8.0], [12.0, 307.8, 15.0], [-8.0, 15.0, 200.0]]}


def test_entry_of_tensor_scatters_on_both_sides_of_its_diagonal(tmp_path):
    loaded = case_with({"plant.inertia_kg_m2.0.1": {"sigma": 3.0}}, plant=FULL)
    found = run_campaign(loaded, runs=6, workers=1, out=tmp_path).campaign
    assert (found.status == "completed").all()
    drawn = found.dispersed["plant.inertia_kg_m2.0.1"]
    assert np.unique(drawn).size == 6
    inertia = build(case_of_run(tmp_path, 4)[0].case).craft.body.inertia
    assert inertia[0, 1] == inertia[1, 0] == drawn[4]
    assert set_words(loaded, {"plant.inertia_kg_m2.2.1": 7.0})[-2:] == [
        "plant.inertia_kg_m2.2.1=7.0",
        "plant.inertia_kg_m2.1.2=7.0",
    ]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (["0.1", "1.0"], r"dispersions\.plant\.inertia_kg_m2\.1\.0: is the same number as plant\.inertia_kg_m2\.0\.1"),
        (["0"], "a row of a tensor is also part of its columns; disperse its entries"),
    ],
)
def test_tensor_scatters_by_entries_once_each(keys, words):
    scattered = {f"plant.inertia_kg_m2.{key}": {"sigma": 1.0} for key in keys}
    with pytest.raises(InputError, match=words):
        dispersions_of(case_with(scattered, plant=FULL).case)


@pytest.mark.parametrize(
    ("dispersions", "words"),
    [
        ({"plant.inertia_kgm2": {"sigma": 1}}, "no key 'inertia_kgm2' in plant; did you mean inertia_kg_m2"),
        ({"plant.elements.2.mass_kg": {"sigma": 1}}, "plant.elements has 0 entries"),
        ({"title": {"sigma": 1}}, "only numbers can be dispersed"),
        ({"plant": {"sigma": 1}}, "only numbers can be dispersed"),
        ({"metrics.settling_band_deg": {"relative_sigma": 0.1}}, "changes nothing in the simulation"),
        ({"initial.rate_deg_s": {"relative_sigma": 0.1}}, "a dispersion relative to 0 has no width"),
        ({"plant.mass_kg": {"relative_sigma": 0.1}}, "gives no central value"),
        ({"plant.inertia_kg_m2": {"relative_sigma": 0.1}}, 'needs distribution = "inertia"'),
        ({"initial.rate_deg_s.7": {"sigma": 1}}, "has 3 entries"),
    ],
)
def test_key_that_cannot_scatter_is_refused_with_its_place(dispersions, words):
    loaded = case_with(dispersions)
    with pytest.raises(InputError, match=words):
        run_campaign(loaded, runs=2, workers=1)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"distribution": "uniform"}, "needs high and low or half_width or relative_half_width"),
        ({"distribution": "normal", "sigma": 1, "relative_sigma": 0.1}, "give only one of"),
        ({"distribution": "list", "values": [1], "sigma": 2}, "sigma is not used by"),
        ({}, "needs sigma or relative_sigma"),
        ({"distribution": "gauss", "sigma": 1}, "gauss|normal"),
    ],
)
def test_table_that_says_too_little_or_too_much_is_refused(table, words):
    with pytest.raises(InputError, match=words):
        case_with({"plant.mass_kg": table})


def test_draw_that_makes_no_craft_is_counted_not_fatal():
    loaded = case_with({"plant.inertia_kg_m2.2.2": {"distribution": "list", "values": [200.0, 5000.0]}})
    c = run_campaign(loaded, runs=20, workers=1, seed=2).campaign
    refused = c.dispersed["plant.inertia_kg_m2.2.2"] == 5000.0
    assert 0 < refused.sum() < 20
    assert ((c.status == "refused") == refused).all()
    assert all("triangle inequality" in c.reasons[run] for run in c.run[refused])


def test_case_without_dispersions_says_what_it_lacks():
    with pytest.raises(InputError, match=r"slew-lqr: the case has no \[dispersions\]"):
        run_campaign("slew-lqr", runs=3)


@pytest.mark.slow
def test_margins_of_the_fixed_law_are_those_on_each_craft():
    loaded = case_with(
        {"plant.inertia_kg_m2": {"distribution": "inertia", "relative_sigma": 0.2}},
        require=[{"metric": "delay_margin_s", "min": 0.1}],
    )
    c = run_campaign(loaded, runs=6, workers=1).campaign
    margins = c.metrics["delay_margin_s"]
    assert np.unique(margins).size == 6
    from polhode.controllers import analyse
    from polhode.scenarios.case.kinds.design import design_model
    from polhode.scenarios.report.margin_metrics import margin_metrics

    flyer = CaseFlyer(loaded, dispersions_of(loaded.case))
    inertia = [[c.dispersed[f"plant.inertia_kg_m2[{i}, {j}]"][4] for j in range(3)] for i in range(3)]
    case, problem = flyer.problem(Draw(run=4, seed=0, values={"plant.inertia_kg_m2": inertia}), "x")
    found = margin_metrics(analyse(problem.law, design_model(case.case, problem.craft)))
    assert margins[4] == pytest.approx(found["delay_margin_s"].value, rel=1e-12)


def test_value_at_follows_lists_and_tables():
    case = load_case("nutation-damping").case
    assert value_at(case, "plant.elements.0.kind") == "ring-damper"
    with pytest.raises(InputError, match="is a value; it has no key"):
        value_at(case, "title.x")


def test_inertia_dispersion_needs_its_key():
    assert isinstance(
        dispersions_of(case_with({"plant.inertia_kg_m2": {"distribution": "inertia", "relative_sigma": 0.1}}).case)[
            "plant.inertia_kg_m2"
        ],
        Inertia,
    )


@pytest.mark.parametrize(("key", "value"), [("environment.residual_dipole_A_m2.0", 90.0), ("orbit.altitude_km", 550.0)])
def test_replayed_run_has_law_of_nominal_environment(key, value):
    """Along an orbit the design model includes the environment torques, whose dispersion the law does not include."""
    pytest.importorskip("erfa", reason="pyerfa is in the extra orbit")
    loaded = case_with(
        {},
        orbit={"epoch": "2026-03-20T12:00:00Z", "altitude_km": 400.0, "inclination_deg": 63.0},
        environment={"gravity_gradient": True, "magnetic_field": "dipole", "residual_dipole_A_m2": [50.0, 0.0, 0.0]},
        reference={"kind": "nadir", "boresight": [0.0, 0.0, 1.0], "clock": [0.0, -1.0, 0.0]},
    )
    draw = Draw(run=0, seed=1, values={key: value})
    together = CaseFlyer(loaded, {key: Normal(mean=value, sigma=1.0)}).problem(draw, "run 0")[1]
    replayed = build(dispersed_case(loaded, draw, where="run 0").case)
    document = copy.deepcopy(dict(loaded.document))
    put_value(document, tuple(key.split(".")), value, where="the case")
    anew = build(checked_case("x", "x", document).case)
    laws = [with_defaults(each.law).parameters for each in (together, replayed, anew)]
    assert np.array_equal(laws[0], laws[1])
    assert not np.array_equal(laws[0], laws[2])
    fields = [each.craft.potentials[0].extension for each in (together, replayed, anew)]
    assert np.array_equal(fields[0], fields[1])
    assert np.array_equal(fields[0], fields[2])
