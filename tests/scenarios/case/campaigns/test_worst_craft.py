"""Worst spacecraft of a case: found, rebuilt from its --set line, with the bound for every spacecraft."""

import json

import numpy as np
import pytest

from polhode.controllers import pointing_budget
from polhode.controllers.contracts.law_defaults import with_defaults
from polhode.plant import DesignError, InputError
from polhode.scenarios.case.campaigns.worst_craft import find_worst, set_words
from polhode.scenarios.case.kinds.design import design_model
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.commands.invoke import invoke

SCATTER = (
    "dispersions={'plant.inertia_kg_m2.0.0' = {relative_sigma = 0.05}, "
    "'plant.inertia_kg_m2.1.1' = {distribution = 'uniform', relative_half_width = 0.1}, "
    "'controller.torque_limit_N_m' = {relative_sigma = 0.05}}"
)
ONE = "dispersions={'plant.inertia_kg_m2.0.0' = {relative_sigma = 0.05}}"


@pytest.fixture(scope="module")
def found():
    return find_worst("slew-lqr", "sensitivity_peak_dB", starts=1, overrides=[SCATTER])


@pytest.fixture(scope="module")
def proven():
    return find_worst("slew-lqr", "disk_margin_inputs", starts=1, within=0.05, overrides=[ONE])


@pytest.mark.slow
def test_set_line_makes_craft_under_law_of_nominal_one(proven):
    again = load_case("slew-lqr", set_words(proven.loaded, proven.search.values))
    nominal, craft = build(load_case("slew-lqr").case), build(again.case)
    assert craft.law is not None
    assert nominal.law is not None
    assert np.array_equal(craft.law.parameters, nominal.law.parameters)
    assert not np.array_equal(craft.craft.body.inertia, nominal.craft.body.inertia)
    model = design_model(again.case, craft.craft)
    from polhode.controllers import disk_margins, open_loop

    alpha = disk_margins(open_loop(with_defaults(craft.law).loop(model))).simultaneous.alpha
    assert proven.search.value == pytest.approx(alpha, rel=1e-6)  # on a different frequency grid


@pytest.mark.slow
def test_every_craft_has_what_is_proven(proven):
    assert proven.guarantee.value == pytest.approx(0.95 * proven.search.value)
    told = proven.to_dict()
    assert told["gap"] == pytest.approx(0.05 * proven.search.value)
    assert told["cut"] == ["plant.inertia_kg_m2.0.0"]
    assert json.loads(json.dumps(told))["worst"]["values"].keys() == {"plant.inertia_kg_m2.0.0"}


def test_worst_craft_names_dispersions_outside_the_loop(found):
    assert found.unfelt == ("controller.torque_limit_N_m",)
    assert found.search.place.size == 2
    assert found.search.largest
    assert "no bound on sensitivity_peak_dB can be guaranteed" in found.no_guarantee


def test_requirement_is_held_against_worst():
    demand = "require=[{metric = 'sensitivity_peak_dB', max = 0.0}]"
    strict = find_worst("slew-lqr", "sensitivity_peak_dB", starts=1, overrides=[ONE, demand])
    assert strict.required == 0.0
    assert not strict.meets


def test_craft_that_is_not_stable_is_worst():
    wide = "dispersions={'plant.inertia_kg_m2' = {distribution = 'inertia', relative_sigma = 0.9}}"
    lost = find_worst("slew-lqr", "disk_margin_inputs", starts=1, sigmas=6.0, overrides=[wide])
    assert lost.search.lost
    assert not lost.meets
    assert lost.no_guarantee == "the loop of the worst spacecraft is not stable"
    assert lost.to_dict()["worst"]["value"] is None


@pytest.mark.slow
def test_arms_that_are_equal_in_the_central_spacecraft_have_no_guarantee():
    """Equal arms: eight modes of their symmetric bending do not act on the hub, so the model of the nominal one has 26
    states, and 42 with another modulus of one arm. The worst margin is still found."""
    found = find_worst(
        "flexible-slew",
        "disk_margin_inputs",
        starts=1,
        overrides=[
            "compare=[]",
            "controller.design_on='modes'",
            "controller.filters=[{kind='roll-off', frequency_rad_s=20.0}]",
            "nominal.plant={inertia_kg_m2=[1.0, 50.0, 50.0], mass_kg=50.4}",
            "dispersions={'plant.elements.0.youngs_modulus_Pa'={distribution='uniform', relative_half_width=0.05}}",
        ],
    )
    assert found.guarantee is None
    assert "has 48 states for some spacecraft and 32 for the central one" in found.no_guarantee
    assert "the stiffness of one of two equal arms" in found.no_guarantee
    assert 1.18 < found.search.value < found.search.nominal


def test_worst_craft_with_discrete_values_is_not_proven():
    listed = "dispersions={'plant.inertia_kg_m2.0.0' = {distribution = 'list', values = [350.0, 450.0]}}"
    some = find_worst("slew-lqr", "sensitivity_peak_dB", starts=1, overrides=[listed])
    assert some.search.cut == ()
    disk = find_worst("slew-lqr", "phase_margin_deg", starts=1, overrides=[listed])
    assert "has discrete values only" in disk.no_guarantee


def test_metric_of_run_is_searched_where_it_is_required():
    demand = "require=[{metric = 'peak_rate_deg_s', max = 9.0}]"
    worst = find_worst("slew-lqr", "peak_rate_deg_s", starts=1, overrides=[ONE, demand, "run.duration_s=2"])
    assert worst.search.largest
    assert worst.search.value >= worst.search.nominal
    assert "nonlinear run" in worst.no_guarantee


@pytest.mark.parametrize(
    ("metric", "sets", "words"),
    [
        ("disk_margin_inputs", [], r"has no \[dispersions\]"),
        ("disc_margin_inputs", [ONE], "did you mean 'disk_margin_inputs'"),
        ("settling_time", [ONE], "settling_time"),
        (
            "disk_margin_inputs",
            ["dispersions={'controller.torque_limit_N_m' = {sigma = 0.1}}"],
            "do not affect the loop",
        ),
        ("disk_margin_inputs", ["dispersions={'plant.inertia_kgm2' = {sigma = 1e-3}}"], "did you mean inertia_kg_m2"),
    ],
)
def test_worst_craft_refuses_bad_input(metric, sets, words):
    with pytest.raises(InputError, match=words):
        find_worst("slew-lqr", metric, overrides=sets)


def test_modes_and_cases_without_a_law_are_refused():
    with pytest.raises(InputError, match=r"\[\[modes\]\], each with its own loop; select one"):
        find_worst("acquisition", "disk_margin_inputs", overrides=[ONE])
    with pytest.raises(InputError, match=r"mode .* is unknown"):
        find_worst("acquisition", "disk_margin_inputs", mode="x", overrides=[ONE])
    with pytest.raises(InputError, match=r"slew-lqr: the case has no \[\[modes\]\]"):
        find_worst("slew-lqr", "disk_margin_inputs", mode="x", overrides=[ONE])
    with pytest.raises(InputError, match=r"no \[controller\]"):
        find_worst("torque-free", "disk_margin_inputs", overrides=[ONE.replace("m2.0.0", "m2.0")])


@pytest.mark.slow
def test_loop_of_one_mode_is_searched_and_its_requirement_held_against_it():
    found = find_worst("acquisition", "phase_margin_deg", mode="damping", starts=1, boxes=0, overrides=[ONE])
    assert found.name == "phase_margin_deg in mode damping"
    assert found.search.value < found.search.nominal
    required = next(each for each in found.loaded.case.require if each.key == found.name)
    assert found.required == required.min
    assert found.to_dict()["mode"] == "damping"


def test_nominal_craft_without_margin_says_so():
    with pytest.raises(DesignError, match="loop of the nominal spacecraft is not stable"):
        find_worst("acquisition", "disk_margin_inputs", mode="sun", overrides=[ONE])
    with pytest.raises(InputError, match="of the whole run"):
        find_worst("acquisition", "settling_time_s", mode="fine", overrides=[ONE])


@pytest.mark.slow
def test_command_prints_both_ends_and_writes_picture(tmp_path, capsys):
    words = ["campaign", "slew-lqr", "--worst", "disk_margin_inputs", "--set", ONE, "--out", str(tmp_path)]
    assert invoke(words) == 0
    said = capsys.readouterr().out
    assert "worst found" in said
    assert "guaranteed for all" in said
    assert "polhode design slew-lqr --set 'nominal.plant=" in said
    assert "truncated at 3 sigma: plant.inertia_kg_m2.0.0" in said
    assert {each.name for each in tmp_path.iterdir()} == {"worst.json", "worst.png"}


def test_options_of_flown_campaigns_are_refused(capsys):
    assert invoke(["campaign", "slew-dispersed", "--worst", "disk_margin_inputs", "--runs", "5"]) == 2
    assert "--runs does not apply to --worst" in capsys.readouterr().err
    assert invoke(["campaign", "slew-dispersed", "--sigmas", "2"]) == 2
    assert "--worst" in capsys.readouterr().err


NOISY = (
    "dispersions={'plant.inertia_kg_m2.0.0' = {distribution = 'uniform', relative_half_width = 0.1}, "
    "'sensors.1.noise_arcsec' = {distribution = 'uniform', relative_half_width = 0.1}, "
    "'controller.torque_limit_N_m' = {relative_sigma = 0.05}}"
)


@pytest.fixture(scope="module")
def budget():
    return find_worst("star-tracker-pointing", "ape_budget_deg", starts=1, overrides=[NOISY])


def test_budget_of_every_craft_is_below_what_is_guaranteed(budget):
    """Points of a grid, each through the case loader and the published analysis."""
    assert budget.search.nominal < budget.search.value <= budget.proven <= 1.05 * budget.search.value
    assert budget.unfelt == ("controller.torque_limit_N_m",)  # noise acts on the budget, though not on the margins
    assert budget.required == 0.002
    assert budget.meets
    for inertia in (360.0, 440.0):
        for noise in (7.2, 8.8):
            sets = set_words(budget.loaded, {"plant.inertia_kg_m2.0.0": inertia, "sensors.1.noise_arcsec": noise})
            case = load_case("star-tracker-pointing", sets)
            problem = build(case.case)
            model = design_model(case.case, problem.craft)
            figures = pointing_budget(problem.law, model, window=10.0, blocks=problem.blocks).figures()
            assert np.degrees(figures["ape"]) <= budget.search.value * (1.0 + 1e-9)


def test_guaranteed_budget_is_in_the_unit_of_the_metric(budget):
    told = budget.to_dict()
    assert told["gap"] == pytest.approx(told["proven"] - told["worst"]["value"])
    assert told["guaranteed"]["value"] == pytest.approx(np.radians(told["proven"]))


def test_budget_over_a_window_is_searched_without_a_bound():
    found = find_worst("star-tracker-pointing", "rpe_budget_deg", starts=1, overrides=[NOISY])
    assert found.guarantee is None
    assert "ape_budget_deg, ake_budget_deg" in found.no_guarantee
    with pytest.raises(InputError, match=r"ape_budget_deg needs metrics.window_s"):
        find_worst("star-tracker-pointing", "ape_budget_deg", overrides=[NOISY, "metrics={}", "require=[]"])
    with pytest.raises(InputError, match="its budget is that of the nominal spacecraft"):
        find_worst(
            "star-tracker-pointing", "ape_budget_deg",
            overrides=["dispersions={'controller.torque_limit_N_m' = {relative_sigma = 0.05}}"],
        )  # fmt: skip


def test_bound_below_worst_error_found_is_refused(monkeypatch):
    """A model that misses part of the loops would be noticed: the worst spacecraft is measured independently."""
    from polhode.scenarios.case.campaigns import worst_craft

    def too_small(loop_at, *, found, **given):
        return worst_craft.RobustBudgetBound(
            error="ape", value=0.9 * found, requested=found, rest=0.0, boxes=1, crafts=len(given)
        )

    monkeypatch.setattr(worst_craft, "robust_budget_bound", too_small)
    found = find_worst("star-tracker-pointing", "ape_budget_deg", starts=1, overrides=[NOISY])
    assert found.guarantee is None
    assert "is below the worst error found" in found.no_guarantee
