"""Figures and tables of the documents that have no case."""

import numpy as np
import pytest

from polhode.plant.attitude import euler_rates, from_euler_angles
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case, shipped_cases
from polhode.scenarios.case.schema.figures import FigureTable
from polhode.scenarios.documents.further_figures import KINDS, document_figures
from polhode.sim import simulate


def flown(name, duration):
    problem = build(load_case(name).case)
    settings = {**problem.settings, "duration": duration, "output_step": 0.01}
    return simulate(problem.craft, state=problem.state, torques=problem.pulses, **settings)


def table(kind, **more):
    return FigureTable(name="x", caption="x", kind=kind, **more)


def test_every_figure_of_the_documents_has_its_case():
    named = {figure.name for name in shipped_cases() for figure in load_case(name).case.figures}
    assert named >= {str(number) for number in (*range(2, 17), *range(20, 32))}


def test_euler_angles_are_not_joined_across_a_jump():
    run = flown("spring-mounted-case-1", 2.0)
    values, names, _ = KINDS["euler-angles"](run, table("euler-angles", sequence="1-2-3"))
    steps = np.abs(np.diff(values, axis=0))
    assert np.isnan(values).any()
    assert np.nanmax(steps) < 180.0
    assert names == ("angle 1 about x", "angle 2 about y", "angle 3 about z")
    row = 7  # before any jump
    turned = from_euler_angles(np.radians(values[row]), "1-2-3")
    np.testing.assert_allclose(np.abs(turned @ run.values("attitude")[row]), 1.0, atol=1e-12)


def test_euler_rates_are_those_of_the_angles():
    run = flown("spring-mounted-case-3", 0.2)
    values, _, _ = KINDS["euler-rates"](run, table("euler-rates", sequence="1-2-3"))
    expected = [
        euler_rates(e, w, sequence="1-2-3") for e, w in zip(run.values("attitude"), run.values("rate"), strict=True)
    ]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)


def test_mass_centre_of_top_goes_round_pivot():
    run = flown("spinning-top", 1.0)
    values, _, _ = KINDS["position"](run, table("position"))
    np.testing.assert_allclose(np.linalg.norm(values, axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(values[-1], (0.127091429918704, -0.294409779766753, 0.947190925853341), atol=1e-9)


def test_middle_of_rod_starts_in_origin():
    run = flown("spring-mounted-case-1", 0.1)
    values, _, _ = KINDS["position"](run, table("position", point_m=(-0.003, -0.003, -0.008)))
    np.testing.assert_allclose(values[0], 0.0, atol=1e-15)
    np.testing.assert_allclose(values[1] / 0.01, 0.0, atol=2e-2)  # and at rest


def test_normalised_momentum_has_length_one():
    values, _, _ = KINDS["normalised-momentum"](flown("torque-free", 1.0), table("normalised-momentum"))
    np.testing.assert_allclose(np.linalg.norm(values, axis=1), 1.0, atol=1e-15)


@pytest.mark.slow
def test_further_figures_are_written(polhode, tmp_path):
    done = polhode("run", "disk-on-spring", "--out", str(tmp_path / "out"))
    assert done.code == 0, done.err
    assert {path.name for path in (tmp_path / "out").glob("figure_*.png")} == {"figure_2.png", "figure_3.png"}


def test_time_axis_may_end_early():
    (figure,) = document_figures(flown("torque-free", 2.0), [table("momentum", to_s=0.5)]).values()
    assert figure.axes[0].get_xlim() == (0.0, 0.5)
    assert np.asarray(figure.axes[0].lines[0].get_xdata()).max() == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("name", "tolerance"),
    [("disk-on-spring", 1e-7), ("torque-free", 5e-7), ("spinning-top", 1e-6)],
)
def test_table_of_document(polhode, name, tolerance):
    done = polhode("run", name, "--json")
    assert done.code == 0, done.err
    for row in done.json["document"]:
        assert row["polhode"] == pytest.approx(row["exact"], rel=tolerance), row["quantity"]
    told = polhode("run", name)
    assert "the source document's table" in told.out
    assert done.json["document"][0]["document"] in told.out


def test_exact_figures_of_the_tables(polhode):
    rows = {row["quantity"]: row for row in polhode("run", "torque-free", "--json").json["document"]}
    assert rows["minimum of h1 (N m s)"]["exact"] == pytest.approx(162.629717141446, abs=1e-9)
    assert rows["amplitude of h2 (N m s)"]["exact"] == pytest.approx(365.447089415460, abs=1e-9)
    assert rows["period of h3 (s)"]["exact"] == pytest.approx(18.6785644281883, abs=1e-9)
    top = {row["quantity"]: row for row in polhode("run", "spinning-top", "--json").json["document"]}
    assert top["nutation (rad/s)"]["exact"] == pytest.approx(9.209424558206, abs=1e-11)
    assert top["mean precession (rad/s)"]["exact"] == pytest.approx(0.416425036235, abs=1e-11)


def test_other_cases_have_none(polhode):
    assert "document" not in polhode("run", "tumbling-brick", "--json").json


@pytest.mark.parametrize(
    ("words", "message"),
    [({"kind": "euler-angles"}, "needs sequence"), ({"kind": "momentum", "sequence": "3-1-3"}, "is not used")],
)
def test_bad_figures(words, message):
    with pytest.raises(ValueError, match=message):
        table(**words)
