"""Trade-off curves against a dense sweep of the only free parameter, and one sentence for each fault."""

import importlib

import numpy as np
import pytest

from polhode.controllers import pointing_budget
from polhode.controllers.contracts.law_defaults import with_defaults
from polhode.plant.errors import InputError
from polhode.scenarios.case.kinds.design import design_model
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.case.tuning import trade_off
from polhode.scenarios.case.tuning.case_search import CaseSearch
from polhode.scenarios.case.tuning.free_parameters import free_parameters
from polhode.scenarios.pictures.study.trade_off import draw_trade_off

UNSTABLE = ["plant.inertia_kg_m2=[1.0, 0.8, 0.6]", "nominal={plant={inertia_kg_m2=[400.0, 300.0, 200.0]}}"]
TWICE = ["require=[{metric='delay_margin_s', min=2.0}, {metric='delay_margin_s', min=3.0}]"]
CASE, METRIC = "star-tracker-pointing", "delay_margin_s"


@pytest.fixture(scope="module")
def curve():
    return trade_off(CASE, METRIC, points=4, starts=1)


def _at(weight):
    """Delay margin (s) and APE (deg) of the case with an attitude weight, by the published analysis."""
    case = load_case(CASE, [f"controller.attitude_weight={weight!r}"]).case
    problem = build(case)
    model = design_model(case, problem.craft)
    loop = with_defaults(problem.law).loop(model, blocks=problem.blocks)
    figures = pointing_budget(problem.law, model, window=10.0, blocks=problem.blocks).figures()
    return loop.margins().smallest()[METRIC], float(np.degrees(figures["ape"]))


@pytest.mark.slow
def test_trade_off_points_are_the_best_of_a_sweep(curve):
    """No weight of a dense sweep has a smaller error at the delay margin of a point."""
    sweep = [_at(float(weight)) for weight in np.geomspace(0.25, 2500.0, 13)]
    for point in curve.points:
        delay, error = _at(point.values[0])
        assert (point.traded, point.soft) == pytest.approx((delay, error), rel=1e-9)
        rivals = [each for margin, each in sweep if margin >= point.traded]
        assert all(each >= point.soft * (1.0 - 1e-6) for each in rivals)


@pytest.mark.slow
def test_trade_off_runs_from_best_error_to_best_margin(curve):
    traded, soft = ([getattr(each, name) for each in curve.points] for name in ("traded", "soft"))
    assert (np.diff(traded) > 0.0).all()
    assert (np.diff(soft) > 0.0).all()
    for point in curve.points[1:-1]:
        assert point.traded == pytest.approx(point.bound, rel=1e-4)  # the bound is what stops the soft goal
    assert [curve.meets(each) for each in curve.points] == [False, True, True, True]  # required: 2 s
    assert curve.met
    assert curve.to_dict()["min"] == 2.0
    assert curve.before == pytest.approx(_at(25.0), rel=1e-9)  # the weight in the case
    assert curve.at_bound == (("high",), ("",), ("",), ("low",))


@pytest.mark.slow
def test_figure_shows_law_of_case_bounds_and_forbidden_side(curve):
    panel, values = draw_trade_off(curve)["trade-off"].axes
    assert (panel.get_xlabel(), panel.get_ylabel()) == ("delay margin (s)", "APE budget (deg)")
    drawn = {line.get_label(): line.get_xydata() for line in panel.lines}
    np.testing.assert_allclose(drawn["law of the case"], [curve.before])
    assert len(drawn["meets all requirements"]) == 3
    (side,) = panel.patches
    box = side.get_extents().transformed(panel.transData.inverted())
    assert box.x1 == pytest.approx(2.0)
    assert box.x0 < curve.points[0].traded
    ends = [line for line in values.lines if line.get_marker() == "s" and len(line.get_xdata())]
    assert len(ends[0].get_xdata()) == 2


@pytest.mark.parametrize(
    ("metric", "sets", "given", "words"),
    [
        ("delay_margin_s", [], {"points": 2}, "at least 3 points, two of them its ends; got 2"),
        ("disk_margin_all", [], {}, "is not a required margin or budget of the case; take one of rpe_budget_deg"),
        ("ape_budget_deg", [], {}, "is the soft goal itself"),
        ("delay_margin_s", ["tune={free=['controller.attitude_weight']}"], {}, "needs a soft goal"),
        ("delay_margin_s", UNSTABLE, {}, "is not stable, so the trade-off has no start"),
        ("delay_margin_s", TWICE, {}, "is required 2 times, and the other requirements would cut the curve off"),
    ],
)
def test_trade_off_refuses_bad_input(metric, sets, given, words):
    with pytest.raises(InputError, match=words):
        trade_off(CASE, metric, overrides=sets, **given)


@pytest.mark.slow
def test_trade_off_command_draws_the_curve(polhode, tmp_path):
    words = ("tune", CASE, "--trade-off", METRIC, "--points", "3", "--starts", "1")
    outcome = polhode(*words, "--json", "--out", str(tmp_path))
    assert outcome.code == 0, outcome.err
    assert {each.name for each in tmp_path.iterdir()} == {"trade-off.json", "trade-off.png"}
    assert len(outcome.json["points"]) == 3
    text = polhode(*words)
    assert "meets all requirements" in text.out
    assert "required: delay_margin_s at least 2" in text.out
    assert "remove --worst" in polhode(*words, "--worst").err
    assert "is an option of --trade-off" in polhode("tune", CASE, "--points", "3").err


@pytest.mark.parametrize(
    ("value", "refused", "words"),
    [
        (np.inf, None, "delay_margin_s: is inf for the law with the best soft goal, so there is nothing to trade"),
        (1.0, InputError("none of 3 starts has a stable loop"), r"has no acceptable start \(none of 3 starts"),
    ],
)
def test_end_of_the_curve_without_a_start_is_refused(monkeypatch, value, refused, words):
    module = importlib.import_module("polhode.scenarios.case.tuning.trade_off")
    loaded = load_case(CASE)
    search = CaseSearch(loaded, free_parameters(loaded, loaded.case.tune), starts=1, seed=1, progress=None)
    curve = module._Curve(search, METRIC)
    soft = search.soft

    def no_start(*_):
        raise refused

    monkeypatch.setattr(search, "measure", lambda *_: value)
    monkeypatch.setattr(curve, "_tuned", no_start)
    with pytest.raises(InputError, match=words):
        curve._best(search.parameters.start)
    assert search.soft is soft
