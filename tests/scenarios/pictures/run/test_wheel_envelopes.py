"""Envelopes of the wheels against support functions, and the torque in them against the balance of the hub."""

from functools import cache

import numpy as np
import pytest

from polhode import scenarios
from polhode.scenarios.pictures.run.plots import figures
from polhode.scenarios.pictures.run.wheel_envelopes import draw_wheel_envelopes, shared_outline, zonogon


def support(corners, angle):
    return float((corners @ (np.cos(angle), np.sin(angle))).max())


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_zonogon_reaches_as_far_as_its_generators_together(count):
    generators = np.random.default_rng(count).normal(size=(count, 2))
    generators[0] = (-1.0, 0.0)
    corners = zonogon(generators)
    assert corners.shape == (2 * count, 2)
    for angle in np.linspace(0.0, 2.0 * np.pi, 37):
        along = np.abs(generators @ (np.cos(angle), np.sin(angle))).sum()
        assert support(corners, angle) == pytest.approx(along, rel=1e-12)
    edges = np.roll(corners, -1, axis=0) - corners
    following = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    assert (turns >= -1e-12).all()  # convex, counter-clockwise


def test_fixed_shares_of_three_wheels_reach_a_box():
    outline = shared_outline(np.diag([1.0, -1.0, 1.0]), np.array([0.1, 0.2, 0.3]), (0, 2))
    assert sorted(map(tuple, np.round(outline, 12).tolist())) == [(-0.1, -0.3), (-0.1, 0.3), (0.1, -0.3), (0.1, 0.3)]


@cache
def flown(*overrides):
    return scenarios.run_case("four-wheel-pyramid", overrides=["run.duration_s=20", *overrides]).run


def test_path_is_the_torque_on_the_hub_and_stays_inside():
    run = flown()
    figure = draw_wheel_envelopes(run, title="x")
    assert figure is not None
    assert len(figure.axes) == 6
    for view, (first, second) in zip(figure.axes[:3], ((0, 1), (0, 2), (1, 2)), strict=True):
        lines = {line.get_label(): np.column_stack(line.get_data()) for line in view.lines}
        path, outline = lines["this run"], lines["within the limits of the wheels"]
        np.testing.assert_allclose(path, run.values("hub_torque")[:, [first, second]], atol=1e-12)
        for angle in np.linspace(0.0, np.pi, 19):
            assert support(path, angle) <= support(outline, angle) + 1e-12
    momenta = figure.axes[3].lines
    axes = np.array([wheel.axis for wheel in run.craft.elements])
    np.testing.assert_allclose(momenta[1].get_xdata(), run.values("internal_rate") @ (0.02 * axes[:, 0]), atol=1e-12)
    # Markley et al. 2010: the four together give 0.2 N m about (1, 1, 1), projected along z at 45 deg at least as much
    assert support(np.column_stack(figure.axes[0].lines[0].get_data()), np.pi / 4) == pytest.approx(
        0.1 * np.abs(axes[:, :2] @ (np.sqrt(0.5), np.sqrt(0.5))).sum()
    )


def test_picture_is_made_where_wheels_share_a_torque_with_limits():
    assert "wheel_envelopes" in figures(flown(), name="x", title="y", settling_band_deg=0.1)
    pseudo = flown('plant.elements.0.allocation="pseudo-inverse"')
    figure = draw_wheel_envelopes(pseudo, title="x")
    assert figure is not None
    labels = [patch.get_label() for patch in figure.axes[0].patches]
    assert labels == ["by the pseudo-inverse, without saturation"]
    slew = scenarios.run_case("slew-lqr", overrides=["run.duration_s=1"]).run
    assert draw_wheel_envelopes(slew, title="x") is None
