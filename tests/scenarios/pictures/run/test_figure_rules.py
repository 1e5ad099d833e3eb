# pyright: reportOptionalMemberAccess=false, reportOptionalOperand=false, reportOptionalIterable=false
# pyright: reportOperatorIssue=false, reportGeneralTypeIssues=false
# (results that are None fail the test by themselves)
"""Rules for every figure of a run: order, no empty panels, separate texts, marks at the right times."""

from functools import cache
from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from polhode.plant.attitude import rotation_angle, rotation_matrix
from polhode.scenarios.case_run import run_case
from polhode.scenarios.pictures.run.envelopes import DENSE, draw_envelopes
from polhode.scenarios.pictures.run.panels import panels_of
from polhode.scenarios.pictures.run.plots import figures
from polhode.sim.results.page import new_page

SLOW = ("flexible-on-wheels", "four-wheel-pyramid", "nadir-pointing", "dual-spin", "star-tracker-pointing",
        "thrusters-and-wheels", "torque-free", "nutation-damping", "spinning-top")  # fmt: skip
NAMES = ["acquisition", *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]


@cache
def flown(name):
    return run_case(name)


@cache
def drawn(name):
    case = flown(name)
    band = case.loaded.case.metrics.settling_band_deg
    return figures(case.run, name=name, title=case.loaded.case.title, settling_band_deg=band)


def own_lines(axes):
    """Lines of data, without limits, bands and marks, which have two points."""
    return [line for line in axes.lines if len(np.asarray(line.get_xdata())) > 2]


def test_panels_stand_in_order_of_use():
    names = list(panels_of(flown("acquisition").run))
    first = ["attitude_error_axes", "attitude_error", "torque", "rates", "momentum", "knowledge_error"]
    assert names[:6] == first
    assert names[-2:] == ["euler_parameters", "invariants"]


@pytest.mark.slow
def test_actuators_stand_before_the_motion():
    names = list(panels_of(flown("flexible-on-wheels").run))
    assert names[:5] == ["attitude_error_axes", "attitude_error", "torque", "motor_torque", "wheel_rate"]
    assert names.index("wheel_rate") < names.index("rates") < names.index("momentum") < names.index("tips")


@pytest.mark.parametrize("name", NAMES)
def test_every_panel_shows_something_that_changes(name):
    """A panel of constants, or of rounding, is not drawn; its axis is never magnified to the rounding."""
    for key, figure in drawn(name).items():
        if key in {"overview", "invariants", "momentum_sphere", "arms"}:
            continue
        axes = figure.axes[0]
        values = [np.asarray(line.get_ydata(), dtype=float) for line in own_lines(axes)]
        bands = [each.get_datalim(axes.transData).get_points()[:, 1] for each in axes.collections]
        spread = max(np.nanmax(each) - np.nanmin(each) for each in (*values, *bands) if np.isfinite(each).any())
        size = max(np.nanmax(np.abs(each)) for each in (*values, *bands) if np.isfinite(each).any())
        assert spread > 1e-12 * size, key


@pytest.mark.parametrize("name", NAMES)
def test_words_of_the_overview_do_not_overlap(name):
    figure = drawn(name)["overview"]
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    for axes in figure.axes:
        legend = axes.get_legend()
        words = [axes._left_title, legend, axes.xaxis.label, axes.yaxis.label]
        boxes = [(str(each), each.get_window_extent(renderer)) for each in words if each is not None]
        for ticks in (axes.get_xticklabels(), axes.get_yticklabels()):
            shown = [tick for tick in ticks if tick.get_text() and tick.get_visible()]
            for one, other in combinations([tick.get_window_extent(renderer) for tick in shown], 2):
                inside = one.shrunk(0.96, 0.7)
                assert not inside.overlaps(other.shrunk(0.96, 0.7)), (axes.get_title("left"), "ticks")
        for (first, one), (second, other) in combinations(boxes, 2):
            assert not one.shrunk(0.98, 0.9).overlaps(other.shrunk(0.98, 0.9)), (first, second)
    legends = [axes.get_legend().get_window_extent(renderer) for axes in figure.axes if axes.get_legend()]
    for one, other in combinations(legends, 2):
        assert not one.overlaps(other), "a legend runs into another panel"


def test_marks_of_the_error_are_where_they_say():
    case = flown("acquisition")
    axes = drawn("acquisition")["attitude_error_axes"].axes[0]
    marks = {
        line.get_label(): float(np.asarray(line.get_xdata())[0]) for line in axes.lines if line not in own_lines(axes)
    }
    settled = next(at for label, at in marks.items() if label.startswith("settled at"))
    assert settled == pytest.approx(case.metrics["settling_time_s"].value, rel=1e-12)
    # at the marked times the error jumps by far more than the spacecraft rotates between two rows
    run, jump = case.run, marks["reference changes"]
    row = int(np.flatnonzero(run.t == jump)[0])
    e = run.values("attitude")
    turned = rotation_matrix(e[row - 1]).T @ rotation_matrix(e[row])
    angle = np.arccos(np.clip(0.5 * (np.trace(turned) - 1.0), -1.0, 1.0))
    jumped = np.abs(np.diff(run.values("error_vector")[row - 1 : row + 1], axis=0)).max()
    assert jumped > 50.0 * angle


def test_error_about_each_axis_is_the_rotation_vector():
    run = flown("acquisition").run
    lines = own_lines(drawn("acquisition")["attitude_error_axes"].axes[0])
    shown = np.radians(np.array([line.get_ydata() for line in lines]).T)
    np.testing.assert_allclose(np.linalg.norm(shown, axis=1), run.values("attitude_error"), atol=1e-9)
    assert [line.get_linestyle() for line in lines] == ["-", "--", "-."]  # distinguishable in grey
    assert rotation_angle(np.array([1.0, 0.0, 0.0, 0.0])) == 0.0


def test_attitudes_and_constants_of_blocks_are_left_out():
    run = flown("acquisition").run
    names = set(panels_of(run))
    assert "attitude_after_mekf" in run.written
    assert "attitude_after_mekf" not in names
    titles = [panel.title for panel in panels_of(run).values()]
    assert len(titles) == len(set(titles))
    assert not [title for title in titles if " as " in title or ":" in title.removeprefix("Arms:")]


def test_spacecraft_at_rest_on_its_reference_is_drawn():
    start = ["initial.attitude_deg.angles=[0.0,0.0,0.0]", "run.duration_s=5"]
    run = run_case("slew-quaternion-feedback", overrides=start).run
    assert not run.values("attitude_error").any()
    pages = figures(run, name="x", title="y", settling_band_deg=0.1)
    low, high = pages["attitude_error"].axes[0].get_ylim()
    assert low < 0.1 < high


def test_measurement_has_the_unit_of_its_sensor():
    axes = drawn("acquisition")["gyro"].axes[0]
    assert axes.get_ylabel() == "gyro (deg/s)"
    shown = np.array([line.get_ydata() for line in own_lines(axes)]).T
    np.testing.assert_allclose(np.radians(shown), flown("acquisition").run.values("gyro")[:, :3], atol=1e-12)


def test_envelope_keeps_every_peak_of_a_fast_line():
    time = np.linspace(0.0, 100.0, 20_001)
    values = (1.0 + 0.5 * np.sin(0.1 * time)) * np.sin(50.0 * time)
    axes = new_page((6.0, 3.0)).subplots()
    axes.plot(time, values, color="#004488", label="x")
    axes.plot(time, 0.1 * time, label="slow")
    assert draw_envelopes(axes) == 1
    assert axes.lines[0].get_label() == "slow"
    low, high = (np.asarray(line.get_ydata()) for line in axes.lines[1:3])
    for n, (a, b) in enumerate(
        zip(*[iter(np.linspace(0, 20_001, 401).round().astype(int).repeat(2)[1:-1])] * 2, strict=True)
    ):
        assert (low[n], high[n]) == (values[a:b].min(), values[a:b].max())
    assert axes.collections[0].get_label() == "x"


def test_envelope_leaves_lines_that_can_be_seen():
    time = np.linspace(0.0, 1.0, 5001)
    axes = new_page((6.0, 3.0)).subplots()
    axes.plot(time, np.sin(0.4 * DENSE * np.pi * time))
    assert draw_envelopes(axes) == 0
    assert len(axes.lines) == 1


def test_signed_logarithmic_ticks_have_room():
    axes = drawn("acquisition")["torque"].axes[0]
    axes.figure.draw_without_rendering()
    if axes.get_yscale() != "symlog":
        pytest.skip("the torque is drawn on a linear axis")
    places = axes.transData.transform([(0.0, tick) for tick in axes.get_yticks()])[:, 1]
    assert np.diff(np.sort(places)).min() > 9.0  # px at 120 dots per inch and 10 pt
    assert 0.0 in axes.get_yticks()
    assert "logarithmic beyond" in axes.get_ylabel()


def test_drawing_leaves_no_figure_in_pyplot():
    assert plt.get_fignums() == []
