"""The figures of a run are true, and their text stays on the page."""

from functools import cache

import numpy as np
import pytest

from polhode import plant
from polhode.plant import spin_equilibria
from polhode.plant.attitude.free_motion import gyrostat
from polhode.plant.flexible import Arm, BeamSection
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.pictures.craft.polhode_marks import MAJOR, MINOR, OWN
from polhode.scenarios.pictures.run.panels import panels_of
from polhode.scenarios.pictures.run.plots import figures
from polhode.sim import simulate

LABELS = ("major", "middle", "minor", "least", "most", "saddle")


@cache
def flown(name):
    problem = build(load_case(name).case)
    return simulate(
        problem.craft,
        problem.law,
        state=problem.state,
        reference=problem.reference,
        torques=problem.pulses,
        **problem.settings,
    )


@cache
def drawn(name):
    title = load_case(name).case.title
    return figures(flown(name), name=name, title=title, settling_band_deg=0.1)


def labels(figure):
    """From the name of an axis to its verdict."""
    found = {}
    for text in figure.axes[0].texts:
        lines = text.get_text().splitlines()
        name = next((word for word in LABELS if len(lines) == 3 and word in lines[0]), None)
        if name:
            found[name] = lines[2]
    return found


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", ["flat-spin", "nutation-damping-minor-axis", "nutation-damping"])
def test_sphere_says_of_spin_what_design_says(name):
    run, verdicts = flown(name), labels(drawn(name)["momentum_sphere"])
    assert len(verdicts) == 3
    for spin in spin_equilibria(run.craft, momentum=float(np.linalg.norm(run.x[-1][:3]))):
        wanted = "unstable" if spin.kind == "unstable" else "stable"
        assert verdicts[spin.axis].split(":")[0] == wanted, spin.words
    assert verdicts["minor"] == "unstable: friction"
    # and the motion confirms it: it leaves the minor axis, or converges to the major one
    nutation = run.values("nutation")
    assert (nutation[-1] < nutation[0]) == (name == "nutation-damping")


def test_wheel_that_carries_momentum_is_in_curves():
    run, figure = flown("momentum-bias"), drawn("momentum-bias")["momentum_sphere"]
    assert labels(figure) == {"least": "stable"}  # the other pole is on the far side
    curves = [line for line in figure.axes[0].lines if line.get_color() == MAJOR]
    assert len(curves) >= 10
    assert not [line for line in figure.axes[0].lines if line.get_color() == MINOR]
    # around the wheel's axis, in one family
    held = gyrostat(run.craft, run.x[-1])
    assert [spin.kind for spin in held.steady(float(np.linalg.norm(run.x[-1][:3])))] == ["least", "most"]


def test_driven_wheel_is_drawn_as_at_end():
    run, figure = flown("dual-spin"), drawn("dual-spin")["momentum_sphere"]
    assert labels(figure) == {"least": "stable"}
    assert any("with the final wheel momenta" in text.get_text() for text in figure.texts)
    (start, end) = [line for line in figure.axes[0].lines if str(line.get_marker()) in "Do" and line.get_mec() == OWN]
    assert start.get_marker() == "D"
    # the statement holds: the motion ends in the spin of least energy
    last = run.values("momentum")[-1]
    least = gyrostat(run.craft, run.x[-1]).steady(float(np.linalg.norm(last)))[0]
    assert float(last @ least.momentum) > np.cos(np.radians(5.0)) * float(last @ last)
    pole = next(line for line in figure.axes[0].lines if line.get_marker() == "o" and line.get_color() == "#222222")
    np.testing.assert_allclose(np.ravel(pole.get_data()), np.ravel(end.get_data()), atol=0.1)


def test_curve_on_sphere_is_smooth_between_rows():
    own = [line for line in drawn("dual-spin")["momentum_sphere"].axes[0].lines if line.get_color() == OWN]
    longest = max(own, key=lambda line: np.isfinite(line.get_xdata()).sum())
    points = np.array(longest.get_data()).T
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    assert np.nanmax(steps) < 0.06
    assert longest.get_linewidth() < 3.0  # many revolutions: a thinner line


@pytest.mark.parametrize(
    "name",
    [
        "momentum-bias",
        *(
            pytest.param(n, marks=pytest.mark.slow)
            for n in ("dual-spin", "spin-stabilised-with-control", "guided-slew")
        ),
    ],
)
def test_words_stay_on_the_page(name):
    for key, figure in drawn(name).items():
        figure.draw_without_rendering()
        renderer, page = figure.canvas.get_renderer(), figure.bbox
        ticks = {tick for axes in figure.axes for tick in (*axes.get_xticklabels(), *axes.get_yticklabels())}
        for text in figure.findobj(lambda item: hasattr(item, "get_text") and item.get_visible()):
            if text in ticks or not text.get_text().strip() or text.get_text()[0] in "0123456789\N{MINUS SIGN}$":
                continue  # labels beyond the end of an axis are not drawn
            box = text.get_window_extent(renderer)
            assert page.x0 - 1.0 <= box.x0 < box.x1 <= page.x1 + 1.0, (key, text.get_text())
            assert page.y0 - 1.0 <= box.y0 < box.y1 <= page.y1 + 1.0, (key, text.get_text())
        for axes in figure.axes:
            assert axes.yaxis.get_offset_text().get_text() == ""


def test_wheel_that_keeps_its_rate_is_drawn_level():
    axes = drawn("momentum-bias")["wheel_rate"].axes[0]
    axes.figure.draw_without_rendering()
    low, high = axes.get_ylim()
    assert (low, high) == pytest.approx((249.75, 250.25))


def test_no_error_takes_no_room():
    run, axes = flown("guided-slew"), drawn("guided-slew")["attitude_error"].axes[0]
    error = np.degrees(run.values("attitude_error"))
    shown = np.asarray(axes.lines[0].get_ydata())
    np.testing.assert_array_equal(shown[error > 1e-12], error[error > 1e-12])
    assert np.isnan(shown[error <= 1e-12]).all()
    assert (error <= 1e-12).any()


def test_elements_are_drawn_by_kind_and_wheels_with_their_speed_limit():
    """The angle of a wheel of 5e4 rad is not drawn with that of a pendulum of 1e-3; oscillations have their own
    panel.
    """
    hub = plant.RigidBody((4.0, 3.0, 2.0), mass=20.0)
    elements = [
        *plant.wheel_array(np.eye(3), inertia=0.01, speed_limit=300.0, relative_rates=(100.0, -50.0, 0.0)),
        plant.Pendulum(hinge=(0, 0, 0.1), length=0.3, mass=0.2, direction=(0, 0, 1), stiffness=0.1, angle=(0.1, 0.0)),
        plant.MassSpringDamper(point=(0.4, 0, 0), axis=(0, 0, 1), mass=0.2, stiffness=3.0),
        plant.RingDamper(axis=(0, 0, 1), mass=0.05, radius=0.5, fill=2.0, friction=0.2),
    ]
    run = simulate(plant.Spacecraft(hub, elements=elements), rate=(0.1, 0.0, 0.3), duration=5.0)
    panels = [name for name in panels_of(run) if name.startswith(("wheel", "pendulum", "slider", "ring"))]
    assert panels == ["wheel_rate", "pendulum", "slider", "ring", "ring_rate"]
    axes = figures(run, name="x", title="y", settling_band_deg=0.1)["wheel_rate"].axes[0]
    labels = axes.get_legend_handles_labels()[1]
    assert labels == ["wheel 1", "wheel 2", "wheel 3", "speed limit"]
    assert {float(np.asarray(line.get_ydata())[0]) for line in axes.lines[3:]} == {300.0, -300.0}
    assert axes.get_ylabel() == "relative rate (rad/s)"


@pytest.mark.slow
def test_legend_of_two_rows_stands_below_title():
    overview = drawn("four-wheel-pyramid")["overview"]
    overview.draw_without_rendering()
    for axes in overview.axes:
        legend, title = axes.get_legend(), axes.title if axes.get_title() else axes._left_title
        assert legend is not None
        assert not legend.get_window_extent().overlaps(title.get_window_extent()), title.get_text()


def test_lines_on_each_other_can_be_told_apart():
    """The pyramid rotates about the diagonal of its axes: x, y and z have one rate, and each is visible."""
    axes = next(each for each in drawn("four-wheel-pyramid")["overview"].axes if each.get_title("left") == "Body rates")
    looks = [line.get_linestyle() for line in axes.get_lines()]
    assert looks == ["-", "--", "--"]
    assert len({line._unscaled_dash_pattern[1][1] for line in axes.get_lines()[1:]}) == 2


def test_craft_on_wheels_without_momentum_has_its_invariants():
    pages = drawn("four-wheel-pyramid")
    words = pages["invariants"].axes[0].get_legend_handles_labels()[1]
    assert words == ["energy less work", "momentum less impulse", "norm of e less 1"]
    levels = {float(np.asarray(line.get_ydata())[0]) for line in pages["motor_torque"].axes[0].get_lines()[-2:]}
    assert levels == {0.1, -0.1}  # capability of its motors


def test_tips_of_arms_are_on_page():
    section = BeamSection(
        area=1e-3,
        second_moment_m=8e-9,
        second_moment_n=2e-8,
        youngs_modulus=7e10,
        shear_modulus=2.6e10,
        density=2700.0,
    )
    arms = [Arm(section=section, length=2.0, elements=1, direction=(s, 0, 0), root=(0.4 * s, 0, 0)) for s in (1, -1)]
    craft = plant.Spacecraft(plant.RigidBody((14, 11, 9), mass=60.0), elements=arms)
    push = plant.TorquePulse((0.0, 0.3, 0.0), start=0.0, stop=0.4)
    run = simulate(craft, duration=0.5, torques=[push], integrator="gauss4", step=0.005, output_step=0.01)
    page = figures(run, name="x", title="y", settling_band_deg=0.1)
    assert "tips" in page
    for line, tip in zip(
        page["tips"].axes[0].get_lines(), np.moveaxis(run.values("tip_deflection"), 1, 0), strict=True
    ):
        across = np.linalg.norm(tip[:, 1:], axis=1)
        assert (np.nan_to_num(line.get_ydata()) >= across * (1 - 1e-12) - 1e-9 * across.max()).all()


def test_tilt_of_top_nods_between_its_closed_bounds():
    axes = drawn("spinning-top")["tilt"].axes[0]
    tilt = np.radians(axes.lines[0].get_ydata())
    assert tilt.min() == pytest.approx(0.3, abs=1e-6)
    assert tilt.max() == pytest.approx(0.326733714644854, abs=1e-5)  # rows are close to the turning point


def test_fast_steady_torque_says_how_much_of_it_is_shown():
    axes = drawn("spinning-top")["torque"].axes[0]
    end = axes.get_xlim()[1]
    assert end < 5.0
    assert f"the first {end:.3g} s" in axes.get_title(loc="left")
    assert "first" not in drawn("spinning-top")["rates"].axes[0].get_title(loc="left")


def test_torque_that_begins_with_kick_keeps_what_comes_after_in_sight():
    axes = drawn("nadir-pointing")["torque"].axes[0]
    assert axes.get_yscale() == "symlog"
    later = np.abs(flown("nadir-pointing").values("command")[-100:]).max()
    low, high = axes.transAxes.inverted().transform(axes.transData.transform([(0.0, 0.0), (0.0, later)]))[:, 1]
    assert high - low > 0.05  # of the height of the axes
