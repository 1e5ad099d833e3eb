"""Figure of a damping chart shows the values of the chart."""

from __future__ import annotations

import numpy as np
import pytest

from polhode import plant
from polhode.scenarios.pictures import draw_damping_chart

RING = plant.RingDamper(
    axis=(0, 0, 1), mass=0.05, radius=0.5, center=(0, 0, 0.3), fill=2 * np.pi / 3, friction=0.2, angle=0.5
)
CRAFT = plant.Spacecraft(plant.RigidBody((1, 1, 1.6), pivot=(0, 0, 0)), elements=[RING])
VALUES = {"friction": np.geomspace(0.05, 2.0, 7), "fill": np.radians(np.linspace(40, 300, 6)), "radius": [0.4, 0.5]}


@pytest.mark.parametrize("count", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
def test_picture(count: int, tmp_path) -> None:
    chart = plant.damping_chart(CRAFT, dict(list(VALUES.items())[:count]), rate=10.0)
    figure = draw_damping_chart(chart)
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert len(shown) == (1 if count == 1 else count + 1)
    assert f"{chart.best_time_constant:.4g} s" in figure.get_suptitle()
    assert ("at the limit" in figure.get_suptitle()) == bool(chart.at_limit)
    for axes, number in zip(shown[-count:], range(count), strict=True):
        (star,) = [line for line in axes.lines if line.get_marker() == "*"]
        share = 180 / np.pi if chart.parameters[number] == "fill" else 1.0
        assert np.asarray(star.get_xydata())[0] == pytest.approx(
            (chart.optimum[number] * share, chart.best_time_constant)
        )
        curve = axes.lines[0]  # and it lies on its curve
        on_it = np.interp(chart.optimum[number] * share, np.asarray(curve.get_xdata()), np.asarray(curve.get_ydata()))
        assert on_it == pytest.approx(chart.best_time_constant, rel=1e-9)
        low, high = axes.get_ylim()
        assert low < chart.best_time_constant < high
    target = tmp_path / "chart.png"
    figure.savefig(target)
    assert target.stat().st_size > 20_000
