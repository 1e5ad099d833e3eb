"""Figures of an analysis show its results."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.scenarios.pictures.loop.margin_sweep import draw_margin_sweep
from polhode.scenarios.pictures.loop.overlay import draw_overlay
from polhode.scenarios.pictures.loop.region_of_attraction import draw_region_of_attraction


@pytest.fixture(scope="module")
def craft():
    return plant.Spacecraft(plant.RigidBody((10.0, 8.0, 6.0)), torques=plant.TorqueBasis("body", limit=0.1))


@pytest.fixture(scope="module")
def law(craft):
    return controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.7, sample=0.2)


def test_map(craft, law):
    found = sim.region_of_attraction(craft, law, angles=(0.5, 1.0), rates=(0.0, 0.05, 5.0), duration=60.0, directions=2)
    figure = draw_region_of_attraction(found, title="map")
    axes = figure.axes[0]
    mesh = axes.collections[0].get_array()
    assert isinstance(mesh, np.ma.MaskedArray)
    np.testing.assert_array_equal(mesh.filled(np.nan), found.slowest.T)
    assert len(axes.patches) == np.isnan(found.slowest).sum() >= 2
    assert axes.patches[-1].get_hatch()
    assert figure.get_suptitle() == "map: settling within 60 s"
    assert "others may do so later" in axes.get_title()
    single = sim.region_of_attraction(craft, law, angles=(0.5,), rates=(0.0,), duration=60.0, axis=(1, 0, 0))
    assert draw_region_of_attraction(single, title="one").axes[0].get_title().startswith("one direction")


def test_sweep(craft, law):
    found = sim.inertia_sweep(craft, law, factors=(0.05, 0.5, 1.0, 2.0))
    figure = draw_margin_sweep(found, title="sweep", design=1.0)
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert labels == ["gain up (dB)", "phase (deg)", "further delay (s)", "disk margin (deg)"]
    np.testing.assert_allclose(figure.axes[0].lines[0].get_ydata(), found.column("gain_up_dB")[:, 0])
    legend = figure.axes[0].get_legend()
    assert legend is not None
    words = [text.get_text() for text in legend.get_texts()]
    assert words == ["torque_1", "torque_2", "torque_3", "all together", "design", "unstable"]


def test_overlay(craft, law):
    found = sim.overlay(craft, law, duration=20.0, error=(0.5, -0.3, 0.2))
    figure = draw_overlay(found, title="overlay")
    assert len(figure.axes) == 3
    flown = figure.axes[0].lines[0].get_ydata()
    np.testing.assert_allclose(flown, np.degrees(found.run.values("error_vector")[:, 0]))
    assert any("reached its limit" in text.get_text() for text in figure.axes[2].texts)
